// Package explore generates sequences of requests, which are rows in a random order, and shows those that were shrunk.
// Package run sends and shrinks them, and package judge judges them, from the recording.
package explore

import (
	"slices"
	"strings"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Shortened begins the label of a sequence that was shrunk.
const Shortened = "shortest-"

// Card is a sequence that was shrunk and failed again: no request can be left out.
type Card struct {
	// Findings are the first finding of each requirement that the sequence breaks.
	Findings []verdict.Finding
	// Seed and Sequence identify the sequence: an exploration with the same seed sends it again, under the same number.
	Seed      uint64
	Sequence  string
	Exchanges []history.Exchange
}

// Cards returns the shrunk sequences of an exploration, in the order of sending.
func Cards(h *history.History) (cards []Card) {
	h = h.Judgeable()
	for _, x := range h.Of(judge.ExploreID) {
		label, _, _ := strings.Cut(x.Step, "/")
		name, is := strings.CutPrefix(label, Shortened)
		if again := plan.Asked(x.Step) != x.Step; !is || again && x.Operation != spec.CreatePet { // the sequence shows it already
			continue
		}
		if n := len(cards); n == 0 || cards[n-1].Sequence != name {
			cards = append(cards, Card{Seed: h.Meta.Seed, Sequence: name})
		}
		last := &cards[len(cards)-1]
		last.Exchanges = append(last.Exchanges, x)
	}
	if len(cards) == 0 {
		return nil
	}
	judged := judge.Sequences(h)
	for i := range cards {
		cards[i].Findings = judged(cards[i].Exchanges).Broken
		cards[i].Sequence, _, _ = strings.Cut(cards[i].Sequence, "-")
	}
	return slices.DeleteFunc(cards, func(c Card) bool { return len(c.Findings) == 0 })
}

// Shows reports whether the sequence breaks one of the requirements.
func (c Card) Shows(ids []spec.ID) bool {
	return slices.ContainsFunc(c.Findings, func(f verdict.Finding) bool { return slices.Contains(ids, f.Requirement) })
}
