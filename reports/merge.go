package reports

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"petconform/load/judge"
	"petconform/spec/verdict"
)

// Merge merges several runs against one target, such as a conformance run and load runs of several plans, into the
// input of one report. It keeps all findings. A requirement holds if it holds in one run and is broken in none. If a
// run has no verdict, the whole has none, unless another run deviates. It is an error if the runs have different
// targets or builds, if two have a recording of checks, or if two load runs have the same plan. The shards of one load
// run are merged before, as recordings, because load's judge has to see all requests of a plan.
func Merge(parts ...Input) (Input, error) {
	switch {
	case len(parts) == 0:
		return Input{}, errors.New("no run was given to report on")
	case len(parts) == 1:
		return parts[0], nil
	}
	parts = slices.Clone(parts) // the one with a recording of exchanges carries the others
	slices.SortStableFunc(parts, func(a, b Input) int { return without(a) - without(b) })
	m := merging{whole: parts[0]}
	m.whole.Results.Checks, m.whole.Results.Observations, m.whole.Results.Created = []verdict.Check{}, nil, []verdict.Created{}
	m.whole.Results.Kind, m.whole.Results.Load, m.whole.Results.Warnings = "signoff", nil, nil
	m.whole.Results.Requests, m.whole.Results.WaitedMS, m.whole.Results.TookMS, m.whole.Results.Target.Protocols = 0, 0, 0, nil
	for i, p := range parts {
		if err := m.add(i, p); err != nil {
			return Input{}, err
		}
	}
	return m.whole, m.conclude()
}

func without(p Input) int {
	if p.Recording == nil {
		return 1
	}
	return 0
}

type merging struct {
	whole        Input
	requirements []verdict.Requirement
	validity     verdict.Validity
	load         *judge.Report
}

func (m *merging) add(i int, p Input) error {
	r, w := p.Results, &m.whole.Results
	switch {
	case r.Target.URL != w.Target.URL:
		return fmt.Errorf("run %d is of %s, the first of %s; one report is about one target", i+1, r.Target.URL, w.Target.URL)
	case r.Target.Build != w.Target.Build:
		return fmt.Errorf("run %d is of build %q, the first of %q; one report is about one build", i+1, r.Target.Build, w.Target.Build)
	case i > 0 && p.Recording != nil:
		return errors.New("two of the runs have a recording of checks, and a report shows one")
	}
	for _, c := range r.Checks {
		if r.Kind == "load" {
			c = elsewhere(c)
		}
		w.Checks = verdict.MergeCheck(w.Checks, c)
	}
	for _, q := range r.Requirements {
		m.requirements = verdict.MergeRequirement(m.requirements, q)
	}
	w.Created = append(w.Created, r.Created...)
	for _, o := range r.Observations {
		if !slices.Contains(w.Observations, o) {
			w.Observations = append(w.Observations, o)
		}
	}
	w.Target.Way = w.Target.Way.With(r.Target.Way)
	for proto, n := range r.Target.Protocols {
		w.Target.Answered(proto, n)
	}
	if r.Unjudged == "" {
		w.Unjudged = ""
	}
	w.Requests, w.WaitedMS, w.Strict = w.Requests+r.Requests, w.WaitedMS+r.WaitedMS, w.Strict || r.Strict
	w.TookMS += r.Took().Milliseconds()
	w.Warnings = append(w.Warnings, r.Warnings...)
	if r.AnotherDay() != "" || w.AnotherDay() == "" && r.Started.Before(w.Started) {
		w.AsOf = r.AsOf
	}
	if r.Started.Before(w.Started) {
		w.Started = r.Started
	}
	if r.Ended.After(w.Ended) {
		w.Ended = r.Ended
	}
	if !strings.Contains(w.Run, r.Run) {
		w.Run += "+" + r.Run
	}
	m.validity.Part = m.validity.Part || r.Part != nil
	// Requirements that are inconclusive in this run, or that it left out, are summed again with the other runs.
	if r.Verdict == verdict.NoVerdict && len(r.Inconclusive) == 0 && (r.Part == nil || !r.Part.Holds) {
		m.validity.Incomplete = append(m.validity.Incomplete, fmt.Sprintf("%s run %s: %s", r.Kind, r.Run, r.Reasons.String()))
	}
	m.whole.Scanned = m.whole.Scanned && p.Scanned
	m.whole.Policy = cmp.Or(m.whole.Policy, p.Policy)
	return m.addLoad(r.Load)
}

// elsewhere removes the numbers of exchanges from a rule that a load run broke: they refer to the load's own recording,
// and in the merged run they would name other exchanges. The findings say where to look. Phases keep theirs, since
// their kind tells it.
func elsewhere(c verdict.Check) verdict.Check {
	if c.Kind == verdict.Phase {
		return c
	}
	c.Exchanges, c.Findings = []int{}, slices.Clone(c.Findings)
	for i := range c.Findings {
		if f := &c.Findings[i]; f.Exchange > 0 {
			f.Message, f.Exchange = fmt.Sprintf("%s (exchange %d of %s)", f.Message, f.Exchange, LoadRecordingFile), 0
		}
	}
	return c
}

func (m *merging) addLoad(data json.RawMessage) error {
	r, err := judge.ParseReport(data)
	if err != nil || r.Schema == "" {
		return err
	}
	if m.load == nil {
		m.load = &r
		return nil
	}
	for _, p := range r.Plans {
		if slices.ContainsFunc(m.load.Plans, func(q judge.PlanReport) bool { return q.Plan == p.Plan }) {
			return fmt.Errorf("two load runs of the plan %s, which are not shards of one run; report on one of them", p.Plan)
		}
		m.load.Plans = append(m.load.Plans, p)
	}
	m.load.Invalid = append(m.load.Invalid, r.Invalid...)
	for _, p := range r.Phases {
		if !slices.Contains(m.load.Phases, p) {
			m.load.Phases = append(m.load.Phases, p)
		}
	}
	return nil
}

// conclude adds the checks up again, by the same rules as a single run.
func (m *merging) conclude() error {
	w := &m.whole.Results
	if m.load != nil {
		data, err := json.Marshal(m.load)
		if err != nil {
			return err
		}
		w.Load = data
	}
	w.Requirements = m.requirements
	w.Conclude(m.validity)
	if m.whole.Recording != nil {
		m.whole.RecordingDigest = ""
	}
	return nil
}
