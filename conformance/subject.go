package conformance

import (
	"slices"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
)

// subject is what one Ginkgo spec judges: a check, a rule, or the exploration.
type subject struct {
	id, title string
	// container is the text of the spec's Ginkgo container.
	container string
	// labels select the spec: its id, its requirements, their level and the operation.
	labels []string
	// sends lists the checks whose exchanges it reads.
	sends []string
	judge func(*history.History) Judgement
	// rule is what a rule's subject judges by; nil for the others.
	rule *rules.Rule
}

// Containers that are not named after an operation.
const (
	leftBehindContainer = "what the run left behind"
	exploreContainer    = "generated sequences"
	rulesContainer      = "every response"
)

// subjects lists everything that a run can judge, in the order in which Ginkgo runs it: the checks by operation, those that
// look at what the run left behind, the exploration, and the rules, which read the exchanges of all others.
func subjects(cfg Config) []subject {
	var all, last []subject
	byOperation := slices.Clone(Checks())
	// createPet comes first: where each check is sent as its spec runs, the later ones find the animals that it created.
	order := []spec.Operation{spec.CreatePet, spec.ListPets, spec.GetPet, spec.StoreOrders, spec.Elsewhere}
	slices.SortStableFunc(byOperation, func(a, b Check) int { return slices.Index(order, a.Operation) - slices.Index(order, b.Operation) })
	for _, c := range byOperation {
		s := subject{id: c.ID, title: c.Title, container: string(c.Operation), labels: labels(c.ID, c.Requirements(), c.Operation),
			sends: []string{c.ID}, judge: func(h *history.History) Judgement { return JudgeCheck(c, h) }}
		switch {
		case cfg.ReadOnly && c.Writes():
		case c.Last:
			s.container = leftBehindContainer
			last = append(last, s)
		default:
			all = append(all, s)
		}
	}
	all = append(all, last...)
	if cfg.Explore > 0 || cfg.Deep {
		all = append(all, subject{id: explore.CheckID, title: "Generated sequences of requests", container: exploreContainer,
			labels: []string{explore.CheckID}, judge: func(h *history.History) Judgement { return Judgement{Check: explore.Judge(h)} }})
	}
	for _, r := range rules.All() {
		all = append(all, subject{id: r.ID, title: r.Title, container: rulesContainer, labels: labels(r.ID, r.Proves, ""),
			sends: samples(r), rule: &r, judge: func(h *history.History) Judgement { return ruled(rules.Judge([]rules.Rule{r}, h)) }})
	}
	return all
}

// planned returns the subjects that the run of a recording was to judge.
func planned(rec *exchange.Recording) []subject {
	return keepIf(subjects(Config{Deep: true}), func(s subject) bool { return slices.Contains(rec.Meta.Planned, s.id) })
}

// samples are the checks whose responses a rule judges. A rule sends nothing, so a run of one rule alone sends these.
func samples(r rules.Rule) []string {
	var checks []string
	for _, id := range r.Proves {
		proved, _ := spec.TheLedger().Find(id)
		checks = append(checks, proved.Samples...)
	}
	return checks
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
