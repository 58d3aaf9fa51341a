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
	c, args := all[0], []string{"petconform check"}
	phase, found := res.Check(firstCase(c).Sender)
	if c.Kind != verdict.Phase && (found && phase.Kind == verdict.Phase || res.Kind == "load" && !found) {
		c = verdict.Check{ID: phase.ID, Kind: verdict.Phase, Decides: c.Decides}
		all = []verdict.Check{c}
	}
	if c.Kind == verdict.Phase {
		args = append([]string{"petconform load"}, loads(res, c.ID, phase.ID)...)
	}
	names, with := Only(all)
	if len(names) > 0 {
		args = append(args, "--only "+shell.Word(strings.Join(names, ",")))
	}
	args = append(args, with...)
	if !res.Target.Reference {
		args = append(args, Target(res.Target)...)
	}
	if res.Strict {
		args = append(args, "--strict")
	}
	return append(args, accept)
}

// accept lets a part that holds exit with 0. Without it, a mended fault would look like a run without a verdict.
const accept = "--accept-part"

// Target returns the pieces of a command that name a target and say how to reach it.
func Target(t verdict.Target) []string {
	return append([]string{"--target " + shell.Word(t.URL)}, shell.Flags(t.Flags)...)
}

// Only returns the names that select checks and rules with what they need, and the flags without which another run may
// leave out a request that a first finding tells. It returns no names if the whole run is needed.
func Only(all []verdict.Check) (names, with []string) {
	whole := false
	for _, c := range all {
		own := namesOf(c)
		whole = whole || len(own) == 0
		names = union(names, own)
		for _, flag := range strings.Split(firstCase(c).With, "--")[1:] {
			with = union(with, []string{"--" + strings.TrimSpace(flag)})
		}
	}
	if whole {
		names = nil
	}
	return names, with
}

// namesOf returns the names that select a check or rule: for a rule also those of the checks that sent what broke it,
// one for each response of another kind. It returns none if the whole run is needed, as for a 429, which few requests do
// not meet.
func namesOf(c verdict.Check) []string {
	first := firstCase(c)
	if c.Kind == verdict.Active {
		return []string{c.ID}
	}
	if first.Status == http.StatusTooManyRequests {
		return nil
	}
	var names []string
	for _, id := range append([]string{first.Sender}, senders(c.Findings)...) {
		// Not those of the results: a run of a rule alone (--only) has no check that sends anything.
		if _, known := plan.Find(id); known {
			names = union(names, []string{id})
		}
	}
	if len(names) == 0 {
		return nil
	}
	return append([]string{c.ID}, names...)
}

// senders returns the checks that sent the first case of each operation and status.
func senders(all []verdict.Finding) []string {
	var ids []string
	seen := map[string]bool{}
	for _, f := range all {
		for _, c := range f.Cases {
			if place := fmt.Sprint(f.Requirement, c.Operation, c.Status); !seen[place] && c.Status != http.StatusTooManyRequests {
				seen[place] = true
				ids = append(ids, c.Sender)
			}
		}
	}
	return ids
}

func union(all, more []string) []string {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// firstCase is the case that a check's first finding tells.
func firstCase(c verdict.Check) verdict.Case {
	if len(c.Findings) == 0 || len(c.Findings[0].Cases) == 0 {
		return verdict.Case{}
	}
	return c.Findings[0].Cases[0]
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

// alone has the phases that --phase runs. Day and Ban need a flag of their own.
var alone = []record.Phase{record.Headers, record.Fill, record.Recover, record.Backoff, record.Under, record.Mixed, record.Overload,
	record.Isolation, record.RefusedCreate, record.Day}

// loads returns the flags for the plan, for its phase and the one that sent what the phase judges, and for the target's
// minute if its time is scaled. Without a phase they are those of the whole load.
func loads(res verdict.Results, id, sender string) []string {
	r, _ := judge.ParseReport(res.Load)
	var args []string
	for _, p := range r.Plans {
		phase, found := strings.CutPrefix(id, record.CheckID(p.Plan, ""))
		if !found && id != "" {
			continue
		}
		args = append(args, "--plan "+shell.Word(p.Plan))
		var phases []string
		for _, one := range alone {
			if own := record.CheckID(p.Plan, one); own == sender || own == id && one != record.Headers { // which are read in every run
				phases = append(phases, string(one))
			}
		}
		if len(phases) > 0 {
			args = append(args, "--phase "+strings.Join(phases, ","))
		}
		switch record.Phase(phase) {
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
		names, long := strings.CutPrefix(piece, only)
		for long && len(only+names) > width {
			n := strings.LastIndex(names[:max(0, width-len(only))+1], ",")
			if n < 0 {
				n = strings.Index(names, ",")
			}
			if n < 0 {
				break
			}
			all = append(all, only+names[:n])
			names = names[n+1:]
			piece = only + names
		}
		all = append(all, piece)
	}
	return all
}
