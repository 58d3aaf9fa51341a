package terminal

import (
	"io"
	"slices"
	"time"

	"petconform/reports"
	"petconform/reports/rerun"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// printNext prints the command that tests what a run without a failure left out. The command uses another folder, so
// that one report can be made of both runs.
func printNext(w io.Writer, in reports.Input) {
	pieces := nextCommand(in)
	if len(pieces) == 0 {
		return
	}
	Command(w, "  Next: ", pieces...)
}

func nextCommand(in reports.Input) []string {
	r := in.Results
	var pieces, out []string
	switch holds := r.Part != nil && r.Part.Holds; {
	case r.Kind == "check" && r.Verdict == verdict.Conforms:
		pieces, out = []string{"petconform load"}, []string{"--out petconform-load"}
		if !r.Target.Reference {
			pieces = append(pieces, "--plan "+planOf(in.Recording))
		}
	case r.Kind == "load" && r.Verdict == verdict.Conforms:
		pieces, out = []string{"petconform check"}, []string{"--out petconform-check"}
	case r.Kind == "check" && holds:
		pieces = []string{"petconform check"}
	default:
		return nil
	}
	if !r.Target.Reference {
		pieces = append(pieces, rerun.Target(r.Target)...)
	}
	return append(pieces, out...)
}

// longestMinute is the time to a reset from which on a limit is taken for the limit of a day.
const longestMinute = 2 * time.Minute

// planOf is the plan whose limit the responses show, and Free if they show none. A limit of 1,000 may be Free's day or
// Business's minute; the time to its reset distinguishes them.
func planOf(rec *exchange.Recording) string {
	if rec == nil {
		return spec.Free.Name
	}
	for _, x := range slices.Backward(rec.Exchanges) {
		if x.Response == nil || x.Status() != 200 {
			continue
		}
		a, ok := exchange.AllowanceOf(x.Response.Header)
		if !ok {
			continue
		}
		day := a.Reset.Sub(x.Received()) > longestMinute
		for _, p := range spec.Plans() {
			if !day && p.PerMinute > 0 && p.PerMinute == a.Limit || day && p.PerDay > 0 && p.PerDay == a.Limit {
				return p.Name
			}
		}
	}
	return spec.Free.Name
}
