// Package rerun returns command lines that run a check or an exchange again. They can be pasted into a shell, whatever
// the recording or the file that they come from has. They contain no key; they read it from PETCONFORM_KEY.
package rerun

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"petconform/conformance/plan"
	"petconform/load"
	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/shell"
	"petconform/spec/verdict"
)

// DefaultFolder is the folder of a run that names none.
const DefaultFolder = "petconform-out"

// Check returns the pieces of the shortest petconform command that runs checks again, and exits with 0 once they hold:
// an option and its value are one piece. Join the pieces with spaces, or with Lines.
func Check(res verdict.Results, all ...verdict.Check) (pieces []string) {
	for _, option := range Options(res, all...) {
		for j, word := range option {
			option[j] = shell.Word(word)
		}
		pieces = append(pieces, strings.Join(option, " "))
	}
	pieces[0] = "petconform " + pieces[0]
	return pieces
}

// Options returns the words of Check, each option with its value, as they are. A rule needs the checks whose exchanges
// broke it too, or the phase of a load, or the whole run if neither is known. Of a load only the first is run again,
// and without any check, the whole run.
func Options(res verdict.Results, all ...verdict.Check) (options [][]string) {
	if res.OfClient() {
		return append(append([][]string{{"client"}}, reach(res.Target.Flags)...), []string{"--", "COMMAND"})
	}
	options = [][]string{{"check"}}
	if id, load := phaseOf(res, append(slices.Clip(all), verdict.Check{})[0]); load {
		options = append([][]string{{"load"}}, loads(res, id)...)
	} else if names := only(res, all...); len(names) > 0 {
		options = append(options, []string{"--only", strings.Join(names, ",")})
	}
	if res.Deep {
		options = append(options, []string{"--deep"})
	}
	if !res.Target.Reference {
		options = append(append(options, []string{"--target", res.Target.URL}), reach(res.Target.Flags)...)
	}
	if res.Strict {
		options = append(options, []string{"--strict"})
	}
	return append(options, []string{"--accept-part"}) // without it a mended fault would look like a run without a verdict
}

func reach(flags []exchange.Flag) (options [][]string) {
	for _, f := range flags {
		option := []string{"--" + f.Name}
		if f.Value != "" {
			option = append(option, f.Value)
		}
		options = append(options, option)
	}
	return options
}

// only returns the names that select checks and rules: for a rule also those of the checks that sent what broke it, one for
// each operation and status. It returns none if the whole run is needed, as for a 429, which few requests do not meet.
// What has to succeed may fail for animals of one kind only, so that it needs those of each.
func only(res verdict.Results, all ...verdict.Check) (names []string) {
	for _, c := range all {
		own, seen, succeeds := []string{c.ID}, map[string]bool{}, false
		for _, f := range c.Findings {
			for _, one := range f.Cases {
				response := fmt.Sprint(f.Requirement, one.Operation, one.Status)
				sender, sent := senderOf(res, one)
				if c.Kind != verdict.Active && sent && !seen[response] && one.Status != http.StatusTooManyRequests {
					seen[response], own = true, append(own, sender)
				}
				succeeds = succeeds || len(one.Wanted) == 0 && one.Status < 300 || len(one.Wanted) > 0 && one.Wanted[0] < 300
			}
		}
		if c.Kind != verdict.Active && len(own) == 1 {
			return nil
		} else if succeeds {
			own = append(own, plan.Animals)
		}
		names = spec.With(names, own...)
	}
	return names
}

// senderOf returns a check that sent one of the exchanges of a case, and whether one did: the one that generates sequences
// only if no other did.
func senderOf(res verdict.Results, one verdict.Case) (string, bool) {
	id, its := one.Sender, func(n int) bool { return slices.Contains(one.Exchanges, n) }
	for _, c := range res.Checks {
		if _, known := plan.Find(id); !known && c.Kind == verdict.Active && slices.ContainsFunc(c.Exchanges, its) {
			id = c.ID
		}
	}
	_, known := plan.Find(id)
	return id, known || plan.Generated(id)
}

// phaseOf returns the phase of a load that judges what a check found, or that sent what a rule found.
func phaseOf(res verdict.Results, c verdict.Check) (id string, load bool) {
	if c.Kind == verdict.Phase {
		return c.ID, true
	}
	var sender string
	if len(c.Findings) > 0 && len(c.Findings[0].Cases) > 0 {
		sender = c.Findings[0].Cases[0].Sender
	}
	sent, known := res.Check(sender)
	if known && sent.Kind == verdict.Phase {
		return sender, true
	}
	return "", res.Kind == "load" && !known
}

// loads returns the options for the plan, for a phase of it, and for the target's minute if its time is scaled. Without a
// phase they are those of the whole load.
func loads(res verdict.Results, id string) (options [][]string) {
	r, _ := judge.ParseReport(res.Load)
	for _, p := range r.Plans {
		judged, own := strings.CutPrefix(id, record.CheckID(p.Plan, ""))
		if !own && id != "" {
			continue
		}
		options = append(options, []string{"--plan", p.Plan})
		for _, phase := range load.Phases() {
			if string(phase.ID) != judged {
				continue
			}
			if !phase.OfAll && !phase.BanKey {
				options = append(options, []string{"--phase", judged})
			}
			if phase.Options != nil {
				options = append(options, phase.Options(&r))
			}
		}
		if p.Plan == spec.Enterprise.Name { // the only one whose figures the interface does not give
			options = append(options, []string{"--per-minute", fmt.Sprint(p.PerMinute)},
				[]string{"--per-day", fmt.Sprint(p.PerDay)})
		}
	}
	if r.MinuteS > 0 && r.MinuteS != 60 {
		options = append(options, []string{"--minute", time.Duration(r.MinuteS * float64(time.Second)).String()})
	}
	return options
}

// longestBody is the size of the largest request body in a curl command, in bytes.
const longestBody = 2000

// Curl returns the pieces of a curl command that sends the request of x again, or none if its body is too large.
func Curl(t verdict.Target, x exchange.Exchange) []string {
	if len(x.Request.Body) > longestBody {
		return nil
	}
	words := shell.Curl(t.Flags, x, shell.Word(strings.TrimRight(t.URL, "/")+x.Request.Path))
	if key := shell.Key(t.Flags); key != "" && strings.Contains(strings.Join(words, " "), "PETCONFORM_KEY") {
		words = append([]string{key + ";"}, words...)
	}
	return words
}

// Lines joins the pieces of a command, broken with a backslash where a line would go beyond width; each line after the
// first is indented. A piece that is longer than a line is left whole, so that it can be copied.
func Lines(pieces []string, width int) (lines []string) {
	for i, piece := range pieces {
		last := len(lines) - 1
		switch {
		case i == 0:
			lines = append(lines, piece)
		case utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(piece)+2 > width:
			lines[last] += ` \`
			lines = append(lines, "  "+piece)
		default:
			lines[last] += " " + piece
		}
	}
	return lines
}
