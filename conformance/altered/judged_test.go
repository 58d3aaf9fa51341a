package altered

import (
	"slices"
	"strings"

	"petconform/conformance/judge"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Class is what came of an alteration.
type Class string

// The classes.
const (
	// Caught: at least one requirement that held is broken.
	Caught Class = "caught"
	// Told: nothing is broken, and the run says what it can't tell any more: a requirement or the run has no verdict.
	Told Class = "told"
	// Lawful: nothing is broken, and a rule says why a service may answer so.
	Lawful Class = "lawful"
	// Unseen: nothing is broken, and a rule says why no recording could show it, or why it is not looked for.
	Unseen Class = "unseen"
	// Missed: nothing is broken, and nothing explains it.
	Missed Class = "missed"
	// Accused: a must is broken, though a rule says that the alteration is lawful.
	Accused Class = "accused"
)

// Case is an alteration with what the judge made of it.
type Case struct {
	Alteration
	Class Class
	// Requirements are those that are broken now and were not before.
	Requirements []spec.ID
	// Was and Is are the exchange before and after.
	Was, Is history.Exchange
	base    *history.History
}

// Bench judges the alterations of one recording. It may be used from several goroutines.
type Bench struct {
	history *history.History
	before  map[spec.ID]verdict.Verdict
	verdict verdict.Run
}

// NewBench judges the recording as it is; it should be one of a service that keeps the interface.
func NewBench(rec *exchange.Recording) *Bench {
	b := &Bench{history: history.Of(rec), before: map[spec.ID]verdict.Verdict{}}
	r := judge.Recording(rec)
	b.verdict = r.Verdict
	for _, q := range r.Requirements {
		b.before[q.ID] = q.Verdict
	}
	return b
}

// Judge judges the recording with one alteration, and classifies what came of it.
func (b *Bench) Judge(a Alteration, altered *exchange.Recording) Case {
	c := Case{Alteration: a, Was: b.history.All[a.Exchange], Is: history.ReadExchange(altered.Exchanges[a.Exchange]), base: b.history}
	r := judge.Recording(altered)
	must, unsure := false, false
	for _, q := range r.Requirements {
		switch was := b.before[q.ID]; {
		case q.Verdict == was:
		case q.Verdict == verdict.Failed:
			c.Requirements = append(c.Requirements, q.ID)
			must = must || q.Level == spec.Must
		case was == verdict.Passed:
			unsure = true
		}
	}
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.of(c) })
	lawful := i >= 0 && rules[i].Class == Lawful
	switch {
	case must && lawful:
		c.Class = Accused
	case len(c.Requirements) > 0:
		c.Class = Caught
	case lawful:
		c.Class = Lawful
	case unsure || r.Verdict != b.verdict:
		c.Class = Told
	case i >= 0:
		c.Class = Unseen
	default:
		c.Class = Missed
	}
	return c
}

// Rule explains why an alteration breaks nothing.
type Rule struct {
	Name string
	// Class is Lawful or Unseen.
	Class Class
	Why   string
	of    func(c Case) bool
}

// rules are the explanations, in the order in which they are tried.
var rules = slices.Concat(formsLawful, answersLawful, unseen)

func (c Case) is(kinds ...Kind) bool         { return slices.Contains(kinds, c.Kind) }
func (c Case) at(parts ...Part) bool         { return slices.Contains(parts, c.Part) }
func (c Case) of(names ...string) bool       { return slices.Contains(names, c.Of) }
func (c Case) on(ops ...spec.Operation) bool { return slices.Contains(ops, c.Was.Operation) }
func (c Case) rateHeader() bool              { return c.Part == Header && strings.HasPrefix(c.Of, "X-Ratelimit-") }
func (c Case) how(words ...string) bool      { return slices.Contains(words, c.How) }
