package explore

import (
	"fmt"
	"slices"
	"strings"

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
func Cards(h *history.History) []Card {
	var order []string
	executions := map[string][]history.Exchange{}
	for _, x := range h.Of(CheckID) {
		label := sequenceOf(x.Exchange)
		if executions[label] == nil {
			order = append(order, label)
		}
		executions[label] = append(executions[label], x)
	}
	r := newReader(h, h.Meta.Patience)
	var cards []Card
	shown := map[spec.ID]bool{}
	add := func(wanted func(label string) bool, all bool) {
		for _, label := range order {
			if !wanted(label) {
				continue
			}
			found := findingsOf(h, r, executions[label])
			if slices.ContainsFunc(found, func(f verdict.Finding) bool { return all || !shown[f.Requirement] }) {
				cards = append(cards, newCard(h, label, executions[label], found))
				for _, f := range found {
					shown[f.Requirement] = true
				}
			}
		}
	}
	add(func(label string) bool { return strings.HasPrefix(label, shortest) }, true)
	add(func(label string) bool { return !strings.Contains(label, "-") }, false)
	return cards
}

func newCard(h *history.History, label string, own []history.Exchange, found []verdict.Finding) Card {
	rest, short := strings.CutPrefix(label, shortest)
	sequence, _, _ := strings.Cut(rest, "-")
	c := Card{Findings: found, Seed: h.Meta.Seed, Sequence: sequence, Shortest: short, Exchanges: own}
	c.Script = script(h.Meta, c)
	return c
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
		fmt.Fprintf(&b, "  %d  %s", x.N, x.Request.Method+" "+x.Request.Path)
		if !x.Auth.Valid() {
			fmt.Fprintf(&b, " (key: %s)", x.Auth)
		}
		if len(x.Request.Body) > 0 {
			fmt.Fprintf(&b, " %s", oneLine(string(x.Request.Body)))
		}
		fmt.Fprintf(&b, " -> %s\n", outcome(x))
	}
	return b.String()
}

func (c Card) title() string {
	what := "the shortest that fails"
	if !c.Shortest {
		what = "as it was sent first; no shorter one was found to fail"
	}
	return fmt.Sprintf("Sequence %s of seed %d, %s (%s; run it again with --seed %d)", c.Sequence, c.Seed, what,
		spec.Count(len(c.Exchanges), "request"), c.Seed)
}

func outcome(x history.Exchange) string {
	if x.Response == nil {
		return string(x.Failure.Kind)
	}
	return fmt.Sprintf("%d %s", x.Status(), history.Clip(x.Excerpt(), 120))
}

// oneLine shortens a text to one line of at most 160 characters.
func oneLine(s string) string { return history.Clip(strings.Join(strings.Fields(s), " "), 160) }
