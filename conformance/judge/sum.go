package judge

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/hint"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Subject is what one Ginkgo spec judges: a check, a rule, or the exploration.
type Subject struct {
	ID, Title string
	// Labels select the spec: its id, its requirements, their level and the operation.
	Labels []string
	// Sends lists the checks whose exchanges it reads.
	Sends []string
	// Judge judges the subject on a run.
	Judge func(*Run) Judgement
}

// Subjects lists everything that a run can judge, in the order in which Ginkgo runs it: the checks by operation, the
// exploration if the run has, or may have, generated sequences, and the rules, which read the exchanges of all others. A
// full run has checks that a quick one has not, and a read-only one has none that sends createPet with a valid key.
func Subjects(full, readOnly, explores bool) (all []Subject) {
	checks := plan.Sent(plan.IDs(), full, readOnly)
	// createPet comes first: where each check is sent as its spec runs, the others find the animals that it created.
	order := []spec.Operation{spec.CreatePet, spec.ListPets, spec.GetPet, spec.StoreOrders, spec.Elsewhere}
	slices.SortStableFunc(checks, func(a, b plan.Check) int {
		return slices.Index(order, a.Operation) - slices.Index(order, b.Operation)
	})
	for _, c := range checks {
		names := labels(c.ID, c.Requirements(), c.Operation)
		if c.Animals {
			names = append(names, plan.Animals)
		}
		all = append(all, Subject{ID: c.ID, Title: c.Title, Labels: names, Sends: []string{c.ID},
			Judge: func(r *Run) Judgement { return r.ofCheck(c) }})
	}
	if explores {
		all = append(all, exploration)
	}
	for _, rule := range Rules() {
		all = append(all, OfRule(rule))
	}
	return all
}

// labels are the names that select a spec, by a label filter or on the command line.
func labels(id string, proves []spec.ID, o spec.Operation) []string {
	l := []string{id}
	if o != "" {
		l = append(l, string(o))
	}
	level := spec.Open
	for _, id := range proves {
		l = append(l, string(id))
		r, _ := spec.TheLedger().Find(id)
		if r.Level == spec.Must || r.Level == spec.Should && level == spec.Open {
			level = r.Level
		}
	}
	return append(l, string(level))
}

// Rules are those of package rules, and those that read what the interface leaves open.
func Rules() []rules.Rule { return slices.Concat(rules.All(), observers) }

// OfRule returns what is judged by a rule. A rule sends nothing, so a run of one rule alone sends the samples of its
// requirements.
func OfRule(rule rules.Rule) Subject {
	s := Subject{ID: rule.ID, Title: rule.Title, Labels: labels(rule.ID, rule.Proves, ""),
		Judge: func(r *Run) Judgement {
			checks, seen := rules.Judge([]rules.Rule{rule}, r.h)
			return Judgement{Check: checks[0], Seen: seen}
		}}
	for _, id := range rule.Proves {
		proved, _ := spec.TheLedger().Find(id)
		s.Sends = append(s.Sends, proved.Samples...)
	}
	return s
}

// Recording computes the whole verdict from a recording. It sends nothing, and the same recording always gets the same
// results: those of the suite that sent it. A run that nothing filtered is judged by everything that its size plans,
// whatever the recording says, and by the exploration if there was one.
func Recording(rec *exchange.Recording) verdict.Results {
	h, m := history.Of(rec).Judgeable(), rec.Meta
	explores := len(h.Of(ExploreID)) > 0 || slices.Contains(m.Planned, ExploreID)
	run := Of(h)
	var judged []Judgement
	for _, one := range Subjects(m.Deep, m.ReadOnly, explores) {
		if !m.Filtered || slices.Contains(m.Planned, one.ID) {
			judged = append(judged, one.Judge(run))
		}
	}
	return Sum(rec, h, judged, nil)
}

// Sum adds judgements up to requirements and to the run's verdict. faults are specs that ended without a judgement.
func Sum(rec *exchange.Recording, h *history.History, all []Judgement, faults []string) verdict.Results {
	m := rec.Meta
	r := verdict.Of(m, rec.End)
	r.Deep, r.Requests, r.Created = m.Deep && !m.Fitted, len(rec.Exchanges), createdList(h)
	r.Target.Stack = hint.Seen(rec.Exchanges)
	for _, x := range rec.Exchanges {
		if x.Response != nil {
			r.Target.Answered(x.Response.Proto, 1)
		}
	}
	var lost []string
	for _, j := range resolve(all) {
		r.Checks, r.Observations = append(r.Checks, j.Check), append(r.Observations, j.Seen...)
		lost = append(lost, j.Lost...)
	}
	// The results are the same, whatever order the checks were judged in.
	slices.SortStableFunc(r.Checks, func(a, b verdict.Check) int { return catalogueOrder()[a.ID] - catalogueOrder()[b.ID] })
	slices.SortStableFunc(r.Observations, func(a, b verdict.Observation) int {
		return cmp.Or(ledgerOrder()[a.Requirement]-ledgerOrder()[b.Requirement], cmp.Compare(a.Key, b.Key))
	})
	if n := len(rec.Exchanges); rec.End == nil && n > 0 {
		r.Ended = rec.Exchanges[n-1].Ended().UTC()
	}
	r.Requirements = verdict.Requirements(spec.TheLedger().Requirements, r.Checks, m.AsOf)
	if rec.End != nil && rec.End.Stopped == "" { // what a run sent that ended early is no size of a run
		r.Size = sizeOf(rec)
	}
	validity := validityOf(rec, h, r.Checks, lost)
	validity.Incomplete = append(slices.Clone(faults), validity.Incomplete...) // a check that ended so did not run
	validity.Part = m.Filtered || m.ReadOnly || verdict.AnotherTime(m.AsOf, m.Started)
	r.Warnings = validity.Warnings
	r.Conclude(validity)
	return r
}

// resolve completes the reasons of inconclusive checks by what was found at the exchanges that they name.
func resolve(all []Judgement) []Judgement {
	found := map[int]spec.ID{}
	for _, j := range all {
		for _, f := range j.Check.Findings {
			for _, c := range slices.Concat(f.Cases, []verdict.Case{{Exchanges: []int{f.Exchange}}}) {
				for _, n := range c.Exchanges {
					if id, known := found[n]; !known || ledgerOrder()[f.Requirement] < ledgerOrder()[id] {
						found[n] = f.Requirement
					}
				}
			}
		}
	}
	all = slices.Clone(all)
	for i := range all {
		c, because := &all[i].Check, []spec.ID{}
		for _, n := range all[i].Doubtful {
			if id, known := found[n]; known && !slices.Contains(because, id) && n > 0 {
				because = append(because, id)
			}
		}
		if c.Verdict == verdict.Inconclusive && len(all[i].Lost) == 0 && len(because) > 0 {
			c.Because, c.Reason = because, fmt.Sprintf("%s (see %s)", c.Reason, spec.Join(because, ", "))
		}
	}
	return all
}

// catalogueOrder gives each check and rule its place: once, since thousands of variants of a recording may be judged.
var catalogueOrder = sync.OnceValue(func() map[string]int {
	at := map[string]int{}
	for _, c := range sent() {
		at[c.ID] = len(at)
	}
	for _, r := range Rules() {
		at[r.ID] = len(at)
	}
	return at
})

var ledgerOrder = sync.OnceValue(func() map[spec.ID]int {
	at := map[spec.ID]int{}
	for i, r := range spec.TheLedger().Requirements {
		at[r.ID] = i
	}
	return at
})

// createdList returns what the run left on the target.
func createdList(h *history.History) []verdict.Created {
	list := []verdict.Created{}
	for _, c := range h.Created() {
		one := c.Result()
		row, _ := plan.RowOf(c.Exchange.Check, c.Exchange.Step)
		one.Unwanted = row.Writes() && !row.Creates()
		list = append(list, one)
	}
	return list
}
