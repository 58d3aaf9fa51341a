package explore

import (
	"fmt"
	"slices"
	"strings"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Card is one failure of an exploration.
type Card struct {
	// Findings are the first finding of each requirement that the sequence breaks.
	Findings []verdict.Finding
	// Seed and Sequence identify the sequence: an exploration with the same seed sends it again, under the same number.
	Seed     uint64
	Sequence string
	// Shortest says that no request can be left out. Otherwise no shorter one was found to fail, and the sequence is
	// shown as it was sent first.
	Shortest  bool
	Exchanges []history.Exchange
	// Script sends the sequence with curl.
	Script string
}

// Cards returns the failures of an exploration: first the sequences that were shrunk, then one sequence as it was sent
// for each other requirement.
func Cards(h *history.History) (cards []Card) {
	h = h.Judgeable()
	judged, shown := judge.Sequences(h), map[spec.ID]bool{}
	sent, labels := sequences(h)
	for _, shortest := range []bool{true, false} {
		for _, label := range labels {
			if strings.HasPrefix(label, shortened) != shortest || strings.HasPrefix(label, candidates) {
				continue
			}
			c := Card{Findings: judged(sent[label]).Broken, Seed: h.Meta.Seed, Shortest: shortest, Exchanges: sent[label]}
			if slices.ContainsFunc(c.Findings, func(f verdict.Finding) bool { return shortest || !shown[f.Requirement] }) {
				c.Sequence, _, _ = strings.Cut(strings.TrimPrefix(label, shortened), "-")
				c.Script = script(h.Meta, c)
				cards = append(cards, c)
				for _, f := range c.Findings {
					shown[f.Requirement] = true
				}
			}
		}
	}
	return cards
}

// sequences returns the exchanges of each sequence, by its label. What was asked again of a sequence that was shrunk is
// left out: the sequence shows it already.
func sequences(h *history.History) (sent map[string][]history.Exchange, labels []string) {
	sent = map[string][]history.Exchange{}
	for _, x := range h.Of(CheckID) {
		label, _, _ := strings.Cut(x.Step, "/")
		if again := plan.Asked(x.Step) != x.Step; again && strings.HasPrefix(label, shortened) && x.Operation != spec.CreatePet {
			continue
		}
		if sent[label] == nil {
			labels = append(labels, label)
		}
		sent[label] = append(sent[label], x)
	}
	return sent, labels
}

// Shows reports whether the sequence breaks one of the requirements.
func (c Card) Shows(ids []spec.ID) bool {
	return slices.ContainsFunc(c.Findings, func(f verdict.Finding) bool { return slices.Contains(ids, f.Requirement) })
}

// ScriptName is the name of the script of a run's card, from the first, 0.
func ScriptName(i int) string { return fmt.Sprintf("explore-%d.sh", i+1) }

// String is the sequence: each request with its answer.
func (c Card) String() string {
	var b strings.Builder
	b.WriteString(c.title() + "\n")
	for _, x := range c.Exchanges {
		fmt.Fprintf(&b, "  %d  %s %s", x.N, x.Request.Method, x.Request.Path)
		if !x.Auth.Valid() {
			fmt.Fprintf(&b, " (key: %s)", x.Auth)
		}
		if len(x.Request.Body) > 0 {
			fmt.Fprintf(&b, " %s", oneLine(string(x.Request.Body)))
		}
		if x.Response == nil {
			fmt.Fprintf(&b, " -> %s\n", x.Failure.Kind)
			continue
		}
		fmt.Fprintf(&b, " -> %d %s\n", x.Status(), history.Clip(x.Excerpt(), 120))
	}
	return b.String()
}

func (c Card) title() string {
	what := map[bool]string{true: "the shortest that fails", false: "as it was sent first; no shorter one was found to fail"}[c.Shortest]
	return fmt.Sprintf("Sequence %s of seed %d, %s (%s; run it again with --seed %d)", c.Sequence, c.Seed, what,
		spec.Count(len(c.Exchanges), "request"), c.Seed)
}

// oneLine shortens a text to one line of at most 160 characters.
func oneLine(s string) string { return history.Clip(strings.Join(strings.Fields(s), " "), 160) }
