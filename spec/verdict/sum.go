package verdict

import (
	"fmt"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/hint"
)

// Requirements returns the verdict of each requirement, summed from the checks, on the day of asOf. A check without an
// ID is summed and not listed.
func Requirements(of []spec.Requirement, checks []Check, asOf time.Time) []Requirement {
	proves := map[spec.ID][]Check{}
	for _, c := range checks {
		for _, id := range spec.With(slices.Clone(c.Requirements), c.Broken()...) { // what it finds counts, whatever it is to prove
			proves[id] = append(proves[id], c)
		}
	}
	out := make([]Requirement, 0, len(of))
	for _, s := range of {
		r := Requirement{ID: s.ID, Clause: s.Clause, Statement: s.Statement, Level: s.Level, Checks: []string{}}
		for _, c := range proves[s.ID] {
			if c.ID != "" {
				r.Checks = spec.With(r.Checks, c.ID)
			}
		}
		r.Verdict, r.Reason = sumOfChecks(s, proves[s.ID], asOf)
		out = append(out, r)
	}
	return out
}

// sumOfChecks sums the verdicts of the checks that prove a requirement: of the first one with the largest weight.
func sumOfChecks(s spec.Requirement, checks []Check, asOf time.Time) (v Verdict, reason string) {
	switch {
	case !s.Applies(asOf):
		return NotApplicable, "it does not apply on " + asOf.Format(time.DateOnly)
	case len(checks) > 0:
	case s.Proof.Beyond():
		return NotRun, s.Why
	case s.Proof == spec.ByLoad:
		return NotRun, "only a load run proves it"
	default:
		return NotRun, "the run has no check that proves it"
	}
	most := -1
	for _, c := range checks {
		of := c.Verdict
		if s.Level == spec.Open && of.Decided() {
			of = Observed // never fails
		} else if of == Failed && !Names(c.Findings, s.ID) {
			of = Passed // its findings are about other requirements
		}
		// A pass of another check, which reads the requirement in passing, does not make up for an inconclusive decider.
		w := weight(of, c.Decides == s.ID && s.Level != spec.Open)
		if of == Observed && s.Level != spec.Open { // the check is about an open question
			w = weights[NotApplicable]
		}
		if w > most {
			most, v, reason = w, of, c.Reason
		}
	}
	if v.Decided() || v == Observed {
		reason = ""
	}
	return v, reason
}

// Names reports whether one of the findings is about the requirement.
func Names(findings []Finding, id spec.ID) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Requirement == id })
}

// Validity says what keeps a run from having a verdict.
type Validity struct {
	// Invalid has the reasons why the findings cannot be trusted (the key stopped working half way).
	Invalid []string
	// Incomplete has the reasons why the run may have missed something. Its findings stand.
	Incomplete []string
	Warnings   []string
	// Load says that the run should have decided what only a load run proves, of which it has a check.
	Load bool
	// NoTarget says that the first reason of Invalid is that there was no service to judge. Then nothing is judged: what
	// something else answered says nothing about the service.
	NoTarget bool
	// Part says that the run left something out by choice (--only, --skip, --read-only), or that it was judged as of
	// another time.
	Part bool
}

// Conclude sets the hints of the findings, and the verdict, the reasons and the word of r from its requirements. A run
// conforms when no requirement that counts is broken and each has a result. Exempt are those that need a load run, and
// those that need a response which no check can provoke, like a 429. Conclude does not read Validity.Warnings.
func (r *Results) Conclude(v Validity) {
	if v.NoTarget {
		r.judgeNothing(v.Invalid[0])
	}
	r.hint()
	undecided := r.undecided(v)
	r.Verdict, r.Reasons = r.sum(v, undecided)
	r.Part, r.Inconclusive = nil, nil
	others := func(q Requirement) bool { return q.Verdict != Inconclusive || q.Proof() == spec.ByLoad }
	if r.Verdict == NoVerdict && len(v.Invalid)+len(v.Incomplete) == 0 && !slices.ContainsFunc(undecided, others) {
		for _, q := range undecided {
			r.Inconclusive = append(r.Inconclusive, q.ID)
		}
	}
	if v.Part {
		r.Part = &Part{Holds: r.Verdict == Conforms}
		if r.Part.Holds {
			r.Verdict, r.Reasons = NoVerdict, Reasons{"what was left out may be broken: run the whole, " +
				"or add --accept-part to exit with 0 for a part that holds"}
		}
	}
	r.Word = r.InWords()
}

// judgeNothing removes what was judged, and gives each requirement the reason why it was not.
func (r *Results) judgeNothing(why string) {
	r.Checks, r.Observations, r.Created, r.Warnings, r.Size = []Check{}, nil, []Created{}, nil, ""
	r.Target.Stack, r.Target.Protocols = nil, nil
	r.Requirements = slices.Clone(r.Requirements)
	for i := range r.Requirements {
		q := &r.Requirements[i]
		q.Verdict, q.Checks, q.Reason = NotRun, []string{}, why
	}
}

func (r *Results) hint() {
	r.Checks = slices.Clone(r.Checks)
	for i, c := range r.Checks {
		r.Checks[i].Findings = slices.Clone(c.Findings)
		for j, f := range c.Findings {
			r.Checks[i].Findings[j].Hint = hint.Of(f.Requirement, f.Message, f.Expected, f.Actual, r.Target.Stack)
		}
	}
}

func (r *Results) sum(v Validity, undecided []Requirement) (Run, Reasons) {
	open := Reasons(slices.Concat(v.Invalid, v.Incomplete))
	if len(v.Invalid) > 0 {
		return NoVerdict, open
	}
	var broken Reasons
	ran := len(open) > 0
	for _, q := range r.Requirements {
		if q.Verdict == Failed && Counts(q.Level, r.Strict) {
			broken = append(broken, q.reason(q.Verdict))
		}
		ran = ran || q.Verdict.Decided() || q.Verdict == Observed
	}
	for _, q := range undecided {
		open = append(open, q.reason(q.Verdict))
	}
	switch {
	case len(broken) > 0:
		return Deviates, slices.Concat(broken, open)
	case !ran:
		return NoVerdict, Reasons{"no requirement was judged: " + r.whyNothing()}
	case len(open) > 0:
		return NoVerdict, open
	}
	return Conforms, nil
}

// undecided returns the requirements that count and that the run should have decided and did not. A rule that had no
// response to read is exempt, since a check would have to provoke one.
func (r *Results) undecided(v Validity) []Requirement {
	return slices.DeleteFunc(slices.Clone(r.Requirements), func(q Requirement) bool {
		proof := q.Proof()
		exempt := proof.Beyond() || proof == spec.ByLoad && !(v.Load && len(q.Checks) > 0)
		notJudged := q.Verdict == NotRun && proof == spec.ByCheck && !v.Part && r.Kind != "load"
		return exempt || !Counts(q.Level, r.Strict) || q.Verdict != Inconclusive && !notJudged
	})
}

// whyNothing is the reason of the first requirement that has one.
func (r *Results) whyNothing() string {
	for _, q := range r.Requirements {
		if q.Verdict == Inconclusive && q.Reason != "" {
			return q.Reason
		}
	}
	return "none of the selected checks could run"
}

// weights order the verdicts of one check in several runs, and of one requirement in several checks or runs: the whole has
// the one with the largest weight.
var weights = map[Verdict]int{NotApplicable: 0, NotRun: 1, Inconclusive: 2, Observed: 3, Passed: 4, Failed: 6}

// weight is the weight of a verdict. An inconclusive one that decides outweighs a pass.
func weight(v Verdict, decides bool) int {
	if v == Inconclusive && decides {
		return weights[Passed] + 1
	}
	return weights[v]
}

// MergeCheck adds a check to those of other runs or parts of a run, or merges it into the same check of another: rules
// are in every run.
func MergeCheck(all []Check, c Check) []Check {
	i := slices.IndexFunc(all, func(k Check) bool { return k.ID == c.ID })
	if i < 0 {
		return append(all, c)
	}
	k := &all[i]
	if weight(c.Verdict, false) > weight(k.Verdict, false) {
		k.Verdict, k.Reason, k.Evidence = c.Verdict, c.Reason, c.Evidence
	}
	k.Exchanges, k.Findings = append(k.Exchanges, c.Exchanges...), append(k.Findings, c.Findings...)
	k.Held, k.Of, k.MS = k.Held+c.Held, k.Of+c.Of, k.MS+c.MS
	if k.Of > 0 {
		k.Evidence = k.Measured()
	}
	return all
}

// Measured returns the evidence of a rule: on how many exchanges it held, and at which it was broken first.
func (c Check) Measured() string {
	held := fmt.Sprintf("passed on %s of %s", spec.Number(c.Held), spec.Number(c.Of))
	if c.Verdict == Failed && len(c.Exchanges) > 0 {
		return fmt.Sprintf("first broken at exchange %d; %s", c.Exchanges[0], held)
	}
	return held
}

// MergeRequirement adds a requirement to those of other runs, or merges its verdict with theirs. It fails if it fails
// in one run, and passes if it passes in one. A requirement that load runs prove has to pass for each plan, so it is
// inconclusive if it is in one run.
func MergeRequirement(all []Requirement, q Requirement) []Requirement {
	q.Checks = slices.Clone(q.Checks)
	i := slices.IndexFunc(all, func(have Requirement) bool { return have.ID == q.ID })
	if i < 0 {
		return append(all, q)
	}
	have := &all[i]
	decides := q.Proof() == spec.ByLoad
	more := weight(q.Verdict, decides) - weight(have.Verdict, decides)
	if more > 0 || more == 0 && len(have.Checks) == 0 { // a run without a check of it does not know why
		have.Verdict, have.Reason = q.Verdict, q.Reason
	}
	have.Checks = spec.With(have.Checks, q.Checks...)
	return all
}
