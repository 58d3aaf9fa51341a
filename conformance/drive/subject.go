package drive

import (
	"slices"

	"petconform/conformance/check"
	"petconform/conformance/checks"
	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
)

// Subject is what one Ginkgo spec judges: a check, a rule, or the exploration.
type Subject struct {
	ID, Title string
	// Container is the text of the spec's Ginkgo container.
	Container string
	// Labels select the spec: its id, its requirements, their level and the operation.
	Labels []string
	// sends lists the checks whose exchanges it reads.
	sends []string
	Judge func(*history.History) check.Judgement
	// Rule is what a rule's subject judges by; nil for the others.
	Rule *rules.Rule
}

// Containers that are not named after an operation.
const (
	leftBehindContainer = "what the run left behind"
	exploreContainer    = "generated sequences"
	rulesContainer      = "every response"
)

// Subjects lists everything that a run can judge, in the order in which Ginkgo runs it: the checks by operation, those
// that look at what the run left behind, the exploration, and the rules, which read the exchanges of all others.
func Subjects(cfg check.Config) []Subject {
	var all, last []Subject
	byOperation := checks.All()
	// createPet comes first: where each check is sent as its spec runs, the later ones find the animals that it
	// created.
	order := []spec.Operation{spec.CreatePet, spec.ListPets, spec.GetPet, spec.StoreOrders, spec.Elsewhere}
	slices.SortStableFunc(byOperation, func(a, b check.Check) int { return slices.Index(order, a.Operation) - slices.Index(order, b.Operation) })
	for _, c := range byOperation {
		s := Subject{ID: c.ID, Title: c.Title, Container: string(c.Operation), Labels: labels(c.ID, c.Requirements(), c.Operation),
			sends: []string{c.ID}, Judge: c.Judged}
		switch {
		case cfg.ReadOnly && c.Writes():
		case c.Last:
			s.Container = leftBehindContainer
			last = append(last, s)
		default:
			all = append(all, s)
		}
	}
	all = append(all, last...)
	if cfg.Explore > 0 || cfg.Deep || cfg.Fitted {
		all = append(all, Subject{ID: explore.CheckID, Title: "Generated sequences of requests", Container: exploreContainer,
			Labels: []string{explore.CheckID}, Judge: func(h *history.History) check.Judgement { return check.Judgement{Check: explore.Judge(h)} }})
	}
	for _, r := range rules.All() {
		all = append(all, OfRule(r))
	}
	return slices.DeleteFunc(all, func(s Subject) bool {
		return slices.ContainsFunc(cfg.Skip, func(name string) bool { return slices.Contains(s.Labels, name) })
	})
}

// OfRule returns what is judged by a rule. A rule sends nothing, so a run of one rule alone sends the samples of its
// requirements.
func OfRule(r rules.Rule) Subject {
	s := Subject{ID: r.ID, Title: r.Title, Container: rulesContainer, Labels: labels(r.ID, r.Proves, ""), Rule: &r,
		Judge: func(h *history.History) check.Judgement { return ruled(rules.Judge([]rules.Rule{r}, h)) }}
	for _, id := range r.Proves {
		proved, _ := spec.TheLedger().Find(id)
		s.sends = append(s.sends, proved.Samples...)
	}
	return s
}

// Planned returns the subjects that the run of a recording was to judge. A run that nothing filtered is judged by every
// rule.
func Planned(rec *exchange.Recording) []Subject {
	return keepIf(Subjects(check.Config{Deep: true}), func(s Subject) bool {
		return s.Rule != nil && !rec.Meta.Filtered || slices.Contains(rec.Meta.Planned, s.ID)
	})
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
