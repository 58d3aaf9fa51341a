package judge

import (
	"slices"

	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Subject is what one Ginkgo spec judges: a check, a rule, or the exploration.
type Subject struct {
	ID, Title string
	// Container is the text of the spec's Ginkgo container.
	Container string
	// Labels select the spec: its id, its requirements, their level and the operation.
	Labels []string
	// Sends lists the checks whose exchanges it reads.
	Sends []string
	// Judge judges the subject on a run.
	Judge func(*Run) Judgement
}

// Selection says which subjects a run has.
type Selection struct {
	// Full is a run that sends every row; otherwise the run is quick. ReadOnly leaves out every check that sends createPet
	// with a valid key.
	Full, ReadOnly bool
	// Explores says that the run has, or may have, generated sequences.
	Explores bool
	// Skip names checks, rules, requirements and operations that are left out.
	Skip []string
}

// Subjects lists everything that a run can judge, in the order in which Ginkgo runs it: the checks by operation, the
// exploration, and the rules, which read the exchanges of all others.
func Subjects(selected Selection) []Subject {
	checks := plan.Sent(plan.IDs(), selected.Full, selected.ReadOnly)
	// createPet comes first: where each check is sent as its spec runs, the later ones find the animals that it created.
	order := []spec.Operation{spec.CreatePet, spec.ListPets, spec.GetPet, spec.StoreOrders, spec.Elsewhere}
	slices.SortStableFunc(checks, func(a, b plan.Check) int {
		return slices.Index(order, a.Operation) - slices.Index(order, b.Operation)
	})
	var all []Subject
	for _, c := range checks {
		names := labels(c.ID, c.Requirements(), c.Operation)
		if c.Animals {
			names = append(names, plan.Animals)
		}
		all = append(all, Subject{ID: c.ID, Title: c.Title, Container: string(c.Operation), Labels: names,
			Sends: []string{c.ID}, Judge: func(r *Run) Judgement { return r.ofCheck(c) }})
	}
	if selected.Explores {
		all = append(all, exploration)
	}
	for _, rule := range Rules() {
		all = append(all, OfRule(rule))
	}
	return slices.DeleteFunc(all, func(s Subject) bool {
		return slices.ContainsFunc(selected.Skip, func(name string) bool { return slices.Contains(s.Labels, name) })
	})
}

// Rules are those of package rules, and those that read what the interface leaves open.
func Rules() []rules.Rule { return slices.Concat(rules.All(), observers) }

// OfRule returns what is judged by a rule. A rule sends nothing, so a run of one rule alone sends the samples of its
// requirements.
func OfRule(rule rules.Rule) Subject {
	s := Subject{ID: rule.ID, Title: rule.Title, Container: "every response", Labels: labels(rule.ID, rule.Proves, ""),
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

// Planned returns the subjects that the run of a recording was to judge. A run that nothing filtered is judged by
// everything that its size plans, whatever the recording says, and by the exploration if there was one.
func Planned(rec *exchange.Recording) []Subject {
	explored := slices.ContainsFunc(rec.Exchanges, func(x exchange.Exchange) bool { return x.Check == ExploreID })
	all := Subjects(Selection{Full: rec.Meta.Deep, ReadOnly: rec.Meta.ReadOnly, Explores: explored || slices.Contains(rec.Meta.Planned, ExploreID)})
	return slices.DeleteFunc(all, func(s Subject) bool { return rec.Meta.Filtered && !slices.Contains(rec.Meta.Planned, s.ID) })
}

// Recording computes the whole verdict from a recording. It sends nothing, and the same recording always gets the same
// results: those of the suite that sent it.
func Recording(rec *exchange.Recording) verdict.Results {
	h := history.Of(rec).Judgeable()
	run := Of(h)
	var judged []Judgement
	for _, one := range Planned(rec) {
		judged = append(judged, one.Judge(run))
	}
	return Sum(rec, h, judged, nil)
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
