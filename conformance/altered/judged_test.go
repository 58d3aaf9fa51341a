package altered

import (
	"slices"

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
	explained := func(by []rule) bool { return slices.ContainsFunc(by, func(r rule) bool { return r.explains(c) }) }
	isLawful := explained(lawful)
	switch {
	case must && isLawful:
		c.Class = Accused
	case len(c.Requirements) > 0:
		c.Class = Caught
	case isLawful:
		c.Class = Lawful
	case unsure || r.Verdict != b.verdict:
		c.Class = Told
	case explained(unseen):
		c.Class = Unseen
	default:
		c.Class = Missed
	}
	return c
}
