package compare

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Drift is how two targets differ, as two runs show it: what decides SERVICE-5, production and staging behave alike.
type Drift struct {
	First  Side `json:"first"`
	Second Side `json:"second"`
	// Verdict is that of SERVICE-5. Why says why there is none.
	Verdict verdict.Verdict `json:"verdict"`
	Why     string          `json:"why,omitempty"`
	// Compared is how many musts both runs decided.
	Compared int `json:"compared"`
	// Broken has what only the first target breaks. A must of these breaks SERVICE-5.
	Broken []Unlike `json:"broken"`
	// Elsewhere has what only the second target breaks. It fails nothing: the release that fixes it has to pass.
	Elsewhere []Unlike `json:"brokenElsewhere"`
	// Undecided has what the first target may break and the second one keep: one of the runs did not decide it.
	Undecided []Unlike `json:"undecided"`
	// Observations are open questions that the two answer differently, which the interface allows.
	Observations []Observation `json:"observations"`
	Remarks      []string      `json:"remarks,omitempty"`
}

// Unlike is a requirement with its verdicts at the two targets, and what broke it at one of them.
type Unlike struct {
	ID        spec.ID         `json:"id"`
	Level     spec.Level      `json:"level"`
	Statement string          `json:"statement"`
	First     verdict.Verdict `json:"first"`
	Second    verdict.Verdict `json:"second"`
	Shown     string          `json:"shown,omitempty"`
}

// OneTarget reports whether two runs are of one target: its address or its environment has the same name in both, or
// both are of the built-in reference service, whose port is another in each run.
func OneTarget(a, b verdict.Target) bool {
	return a.URL == b.URL || a.Environment == b.Environment && a.Environment != "" || a.Reference && b.Reference
}

// Targets compares runs of two targets. A requirement is broken at one only if both runs sent what shows it: a quick run
// sends fewer values than a full one. The recordings may be nil.
func Targets(first, second verdict.Results, here, there *exchange.Recording) Drift {
	d := Drift{First: side(first), Second: side(second), Broken: []Unlike{}, Elsewhere: []Unlike{}, Undecided: []Unlike{},
		Observations: slices.DeleteFunc(observations(first.Observations, second.Observations), oneSided), Remarks: remarks(first, second)}
	for _, q := range first.Requirements {
		p, _ := second.Requirement(q.ID)
		u := Unlike{ID: q.ID, Level: q.Level, Statement: q.Statement, First: q.Verdict, Second: p.Verdict}
		if q.Level == spec.Must && q.Verdict.Decided() && p.Verdict.Decided() {
			d.Compared++
		}
		switch {
		case q.Verdict.Failing() && p.Verdict == verdict.Passed && sentToBoth(q.ID, first, here, there):
			u.Shown = shown(q.ID, first)
			d.Broken = append(d.Broken, u)
		case q.Verdict == verdict.Passed && p.Verdict.Failing():
			u.Shown = shown(q.ID, second)
			d.Elsewhere = append(d.Elsewhere, u)
		case q.Verdict.Failing() && p.Verdict == verdict.Passed:
			u.Shown = "the second target was not sent what shows it at the first: " + shown(q.ID, first)
			d.Undecided = append(d.Undecided, u)
		case q.Verdict.Failing() && !p.Verdict.Decided(), q.Verdict == verdict.Inconclusive && p.Verdict == verdict.Passed:
			d.Undecided = append(d.Undecided, u)
		}
	}
	d.Verdict, d.Why = d.decide(first, second)
	return d
}

// decide returns the verdict of SERVICE-5.
func (d Drift) decide(first, second verdict.Results) (verdict.Verdict, string) {
	counts := func(u Unlike) bool { return verdict.Counts(u.Level, first.Strict) }
	for i, r := range []verdict.Results{first, second} {
		if r.Verdict == verdict.NoVerdict && (r.Part == nil || !r.Part.Accepted) {
			place := []string{"first", "second"}[i]
			return verdict.Inconclusive, fmt.Sprintf("the %s run has no verdict (%s)", place, r.Word)
		}
	}
	switch i := slices.IndexFunc(d.Undecided, counts); {
	case slices.ContainsFunc(d.Broken, counts):
		return verdict.Failed, ""
	case i >= 0:
		return verdict.Inconclusive, fmt.Sprintf("%s was not decided at both targets", d.Undecided[i].ID)
	case d.Compared == 0:
		return verdict.Inconclusive, "the two runs decided no must in common"
	}
	return verdict.Passed, ""
}

// oneSided reports whether only one of the targets was asked an open question, or answered it.
func oneSided(o Observation) bool { return o.Was == "" || o.Is == "" }

// sentToBoth reports whether what shows that a requirement is broken in one run rests on requests that the other run
// sent too.
func sentToBoth(id spec.ID, broken verdict.Results, here, there *exchange.Recording) bool {
	if here == nil || there == nil {
		return true
	}
	var shows verdict.Check
	for _, c := range broken.Checks {
		for _, f := range c.Findings {
			if f.Requirement == id && c.Kind == verdict.Phase {
				return true
			}
			if f.Requirement == id {
				shows.Findings = append(shows.Findings, f)
			}
		}
	}
	return sentIn(there).tested(shows, sentIn(here))
}

// shown says what broke a requirement, by the first finding of a run.
func shown(id spec.ID, broken verdict.Results) string {
	for _, c := range broken.Checks {
		for _, f := range c.Findings {
			if f.Requirement == id {
				return f.Message + ": " + f.Actual
			}
		}
	}
	return ""
}

// Text writes the comparison in lines of at most width columns.
func (d Drift) Text(w io.Writer, width int) error {
	b := lines{width: width}
	first, second := d.names()
	b.write("", fmt.Sprintf("%s (%s) and %s (%s)", first, d.First.Verdict, second, d.Second.Verdict))
	for _, r := range d.Remarks {
		b.write("note: ", safe.Line(r))
	}
	for _, part := range []struct {
		title string
		all   []Unlike
	}{{"broken at " + first + " only", d.Broken}, {"broken at " + second + " only, which fails nothing", d.Elsewhere},
		{"not decided at both", d.Undecided}} {
		if len(part.all) > 0 {
			b.write("", fmt.Sprintf("\n%s (%d)", part.title, len(part.all)))
		}
		for _, u := range part.all {
			b.write("  ", fmt.Sprintf("%s (%s): %s", u.ID, u.Level, u.Statement))
			both := fmt.Sprintf("%s at %s, %s at %s", u.First, first, u.Second, second)
			b.write("      ", cmp.Or(safe.Line(u.Shown), both))
		}
	}
	if len(d.Observations) > 0 {
		b.write("", fmt.Sprintf("\nopen questions that the two answer differently, which fails nothing (%d)", len(d.Observations)))
		for _, o := range d.Observations {
			b.write(fmt.Sprintf("  %-12s ", o.Requirement), fmt.Sprintf("%s: %s | %s", safe.Line(o.Key), safe.Line(o.Was), safe.Line(o.Is)))
		}
	}
	musts := spec.Count(d.Compared, "must") + " decided at both"
	switch d.Verdict {
	case verdict.Failed:
		b.write("", fmt.Sprintf("\nSERVICE-5 is broken: %s breaks what %s keeps (%s).", first, second, musts))
	case verdict.Passed:
		b.write("", fmt.Sprintf("\nSERVICE-5 holds: %s breaks no must that %s keeps (%s).", first, second, musts))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// names names the targets: by environment if both have one, else by address.
func (d Drift) names() (first, second string) {
	if d.First.Environment != "" && d.Second.Environment != "" {
		return safe.Line(d.First.Environment), safe.Line(d.Second.Environment)
	}
	return safe.Line(d.First.Target), safe.Line(d.Second.Target)
}
