// Package rerun returns command lines that run a check or an exchange again. They can be pasted into a shell. They
// contain no key; they read it from PETCONFORM_KEY.
package rerun

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"petconform/conformance/plan"
	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/shell"
	"petconform/spec/verdict"
)

// Check returns the pieces of the shortest petconform command that runs checks again, and exits with 0 once they hold. A
// rule needs the checks whose exchanges broke it too, or the phase of a load, or the whole run if neither is known. Of
// a load only the first is run again.
func Check(res verdict.Results, all ...verdict.Check) []string {
	if res.OfClient() {
		pieces := append([]string{"petconform client"}, shell.Flags(res.Target.Flags)...)
		if res.Client != nil && res.Client.Command {
			pieces = append(pieces, "-- COMMAND")
		}
		return pieces
	}
	args := []string{"petconform check"}
	if id, sender, load := phaseOf(res, all[0]); load {
		args = append([]string{"petconform load"}, loads(res, id, sender)...)
	} else if names := Only(all); len(names) > 0 {
		args = append(args, "--only "+shell.Word(strings.Join(names, ",")))
	}
	if res.Deep {
		args = append(args, "--deep")
	}
	if !res.Target.Reference {
		args = append(args, Target(res.Target)...)
	}
	if res.Strict {
		args = append(args, "--strict")
	}
	return append(args, "--accept-part") // without it a mended fault would look like a run without a verdict
}

// Target returns the pieces of a command that name a target and say how to reach it.
func Target(t verdict.Target) []string {
	return append([]string{"--target " + shell.Word(t.URL)}, shell.Flags(t.Flags)...)
}

// Only returns the names that select checks and rules: none if the whole run is needed.
func Only(all []verdict.Check) (names []string) {
	for _, c := range all {
		own := namesOf(c)
		if len(own) == 0 {
			return nil
		}
		for _, name := range own {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// namesOf returns the names that select a check or a rule: for a rule also those of the checks that sent what broke it,
// one for each operation and status. It returns none if the whole run is needed, as for a 429, which few requests do
// not meet. What has to succeed may fail for animals of one kind only, so that it needs those of each.
func namesOf(c verdict.Check) []string {
	names, seen, succeeds := []string{c.ID}, map[string]bool{}, false
	for _, f := range c.Findings {
		for _, one := range f.Cases {
			response := fmt.Sprint(f.Requirement, one.Operation, one.Status)
			_, known := plan.Find(one.Sender)
			if c.Kind != verdict.Active && known && !seen[response] && one.Status != http.StatusTooManyRequests {
				seen[response], names = true, append(names, one.Sender)
			}
			succeeds = succeeds || len(one.Wanted) == 0 && one.Status < 300 || len(one.Wanted) > 0 && one.Wanted[0] < 300
		}
	}
	switch {
	case c.Kind != verdict.Active && len(names) == 1:
		return nil
	case succeeds:
		return append(names, plan.Animals)
	}
	return names
}

// Show returns the pieces of the petconform command that prints an exchange of the run in a folder.
func Show(exchange int, folder string) []string {
	args := []string{"petconform check", fmt.Sprintf("--show %d", exchange)}
	if folder != "" && folder != DefaultFolder {
		args = append(args, "--out "+shell.Word(folder))
	}
	return args
}

// DefaultFolder is the folder of a run that names none.
const DefaultFolder = "petconform-out"

// phaseOf returns the phase of a load that judges what a check found, and the phase that sent it.
func phaseOf(res verdict.Results, c verdict.Check) (id, sender string, load bool) {
	if len(c.Findings) > 0 && len(c.Findings[0].Cases) > 0 {
		sender = c.Findings[0].Cases[0].Sender
	}
	switch sent, known := res.Check(sender); {
	case c.Kind == verdict.Phase:
		return c.ID, sender, true
	case known && sent.Kind == verdict.Phase:
		return sender, sender, true
	default:
		return "", "", res.Kind == "load" && !known
	}
}

// loads returns the flags for the plan, for its phase and the one that sent what the phase judges, and for the target's
// minute if its time is scaled. Without a phase they are those of the whole load.
func loads(res verdict.Results, id, sender string) (args []string) {
	r, _ := judge.ParseReport(res.Load)
	for _, p := range r.Plans {
		var phases []string
		judged, own := strings.CutPrefix(id, record.CheckID(p.Plan, ""))
		if !own && id != "" {
			continue
		}
		sent, _ := strings.CutPrefix(sender, record.CheckID(p.Plan, ""))
		args = append(args, "--plan "+shell.Word(p.Plan))
		for _, one := range []string{judged, sent} { // headers are read in every run, and a ban has a flag
			if !slices.Contains(append(phases, "", string(record.Headers), string(record.Ban)), one) {
				phases = append(phases, one)
			}
		}
		if len(phases) > 0 {
			args = append(args, "--phase "+strings.Join(phases, ","))
		}
		switch record.Phase(judged) {
		case record.Day:
			args = append(args, "--day "+seconds(r.DayS))
		case record.Ban:
			args = append(args, "--provoke-ban")
		}
		if p.Plan == spec.Enterprise.Name { // the only one whose figures the interface does not give
			args = append(args, fmt.Sprintf("--per-minute %d", p.PerMinute), fmt.Sprintf("--per-day %d", p.PerDay))
		}
	}
	if r.MinuteS > 0 && r.MinuteS != 60 {
		args = append(args, "--minute "+seconds(r.MinuteS))
	}
	return args
}

func seconds(s float64) string { return time.Duration(s * float64(time.Second)).String() }

// Lines joins the pieces of a command, broken with a backslash where a line would go beyond width; each line after the
// first is indented. Names that are too long for one flag (--only) go to several. Any other piece that is longer than a
// line is left whole, so that it can be copied.
func Lines(pieces []string, width int) []string {
	var lines []string
	line := ""
	for i, piece := range parted(pieces, width-len(`   \`)) {
		switch {
		case i == 0:
			line = piece
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(piece)+2 > width:
			lines = append(lines, line+` \`)
			line = "  " + piece
		default:
			line += " " + piece
		}
	}
	return append(lines, line)
}

// parted gives names that are longer than width to several flags (--only).
func parted(pieces []string, width int) (all []string) {
	const only = "--only "
	for _, piece := range pieces {
		names, is := strings.CutPrefix(piece, only)
		if !is {
			all = append(all, piece)
			continue
		}
		line := ""
		for name := range strings.SplitSeq(names, ",") {
			if line != "" && len(only+line+","+name) > width {
				all, line = append(all, only+line), ""
			}
			line = strings.TrimPrefix(line+","+name, ",")
		}
		all = append(all, only+line)
	}
	return all
}
