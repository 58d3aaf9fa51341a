package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/spec"
)

// Requirements gives, for every statement of the ledger, what the checks say of it on the day of asOf.
func Requirements(ledger *spec.Ledger, checks []Check, asOf time.Time) []Requirement {
	proves := map[spec.ID][]Check{}
	for _, c := range checks {
		for _, id := range c.Requirements {
			proves[id] = append(proves[id], c)
		}
	}
	out := make([]Requirement, 0, len(ledger.Requirements))
	for _, s := range ledger.Requirements {
		r := Requirement{ID: s.ID, Clause: s.Clause, Statement: s.Statement, Level: s.Level, Checks: []string{}}
		for _, c := range proves[s.ID] {
			r.Checks = append(r.Checks, c.ID)
		}
		r.Verdict, r.Reason = one(s, proves[s.ID], asOf)
		out = append(out, r)
	}
	return out
}

// one adds up what the checks that prove a statement say: a finding fails it; else one pass passes it; else it stays open why.
func one(s spec.Requirement, checks []Check, asOf time.Time) (Verdict, string) {
	switch {
	case !s.Applies(asOf):
		return NotApplicable, "it does not bind on " + asOf.Format(time.DateOnly)
	case s.Proof == spec.ByNothing && len(checks) == 0:
		return NotRun, s.Why
	case len(checks) == 0:
		return NotRun, notRunWhy(s)
	}
	by := map[Verdict][]Check{}
	for _, c := range checks {
		v := c.Verdict
		if v == Failed && !Names(c.Findings, s.ID) {
			v = Passed // it failed for another requirement
		}
		by[v] = append(by[v], c)
	}
	if len(by[Failed]) > 0 && s.Level != spec.Open {
		return Failed, ""
	}
	if s.Level == spec.Open {
		if len(by[Observed])+len(by[Passed])+len(by[Failed]) > 0 {
			return Observed, ""
		}
	} else if unsure, reason := mainlyUnsure(s.ID, by[Inconclusive]); len(by[Passed]) > 0 && !unsure {
		return Passed, ""
	} else if unsure {
		return Inconclusive, reason
	}
	for _, v := range []Verdict{Inconclusive, NotRun, NotApplicable, Observed} {
		if len(by[v]) > 0 {
			return v, by[v][0].Reason
		}
	}
	return NotRun, ""
}

// mainlyUnsure says whether a check that is there for this requirement first of all can't tell: what others saw in passing
// does not make up for it.
func mainlyUnsure(id spec.ID, unsure []Check) (bool, string) {
	for _, c := range unsure {
		if c.Decides == id {
			return true, c.Reason
		}
	}
	return false, ""
}

// Names says whether one of the findings is about the requirement.
func Names(findings []Finding, id spec.ID) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Requirement == id })
}

func notRunWhy(s spec.Requirement) string {
	if s.Proof == spec.ByLoad {
		return "a load run proves it"
	}
	return "no check of this run proves it"
}

// Validity says what keeps a run from being a verdict.
type Validity struct {
	// Invalid: whatever was found, the run can't be trusted (the key stopped working half way).
	Invalid []string
	// Incomplete: what was found stands, but that nothing else is wrong can't be said.
	Incomplete []string
	Warnings   []string
}

// Conclude gives the run's verdict and its reasons. strict makes a should count as a must.
func Conclude(requirements []Requirement, v Validity, strict bool) (Run, []string) {
	if len(v.Invalid) > 0 {
		return NoVerdict, slices.Concat(v.Invalid, v.Incomplete)
	}
	var broken []string
	ran := 0
	for _, r := range requirements {
		if r.Verdict == Failed && (r.Level == spec.Must || strict && r.Level == spec.Should) {
			broken = append(broken, fmt.Sprintf("%s (%s): %s", r.ID, r.Clause, r.Statement))
		}
		if r.Verdict == Passed || r.Verdict == Failed || r.Verdict == Waived || r.Verdict == Observed {
			ran++
		}
	}
	switch {
	case len(broken) > 0:
		return Deviates, slices.Concat(broken, v.Incomplete)
	case len(v.Incomplete) > 0:
		return NoVerdict, v.Incomplete
	case ran == 0:
		return NoVerdict, []string{"no requirement was judged: " + strings.Join(reasons(requirements), "; ")}
	}
	return Conforms, nil
}

func reasons(requirements []Requirement) []string {
	var out []string
	for _, r := range requirements {
		if r.Verdict == Inconclusive && r.Reason != "" && !slices.Contains(out, r.Reason) && len(out) < 3 {
			out = append(out, r.Reason)
		}
	}
	if len(out) == 0 {
		out = append(out, "nothing that was selected could run")
	}
	return out
}
