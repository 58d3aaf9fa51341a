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
	// Requirements are those that are broken now and were not before; Unsure, those that passed and have no verdict now.
	Requirements, Unsure []spec.ID
	// Rule is the explanation of a lawful or unseen one.
	Rule *Rule
	// Was and Is are the exchange before and after.
	Was, Is history.Exchange
	Results verdict.Results

	base *history.History
}

// Bench judges the alterations of one recording. It may be used from several goroutines.
type Bench struct {
	rec     *exchange.Recording
	history *history.History
	before  map[spec.ID]verdict.Verdict
	verdict verdict.Run
}

// NewBench judges the recording as it is; it should be one of a service that keeps the interface.
func NewBench(rec *exchange.Recording) *Bench {
	b := &Bench{rec: rec, history: history.Of(rec), before: map[spec.ID]verdict.Verdict{}}
	r := judge.Recording(rec)
	b.verdict = r.Verdict
	for _, q := range r.Requirements {
		b.before[q.ID] = q.Verdict
	}
	return b
}

// Judge judges the recording with one alteration, and classifies what came of it.
func (b *Bench) Judge(a Alteration) Case {
	altered := a.In(b.rec)
	c := Case{Alteration: a, Was: b.history.All[a.Exchange], Is: history.ReadExchange(altered.Exchanges[a.Exchange]), base: b.history}
	c.Results = judge.Recording(altered)
	must := false
	for _, q := range c.Results.Requirements {
		switch was := b.before[q.ID]; {
		case q.Verdict == was:
		case q.Verdict == verdict.Failed:
			c.Requirements = append(c.Requirements, q.ID)
			must = must || q.Level == spec.Must
		case was == verdict.Passed:
			c.Unsure = append(c.Unsure, q.ID)
		}
	}
	c.Rule = explain(c)
	c.Class = b.class(c, must)
	return c
}

func (b *Bench) class(c Case, must bool) Class {
	switch {
	case must && c.Rule != nil && c.Rule.Class == Lawful:
		return Accused
	case len(c.Requirements) > 0:
		return Caught
	case c.Rule != nil && c.Rule.Class == Lawful:
		return Lawful
	case len(c.Unsure) > 0 || c.Results.Verdict != b.verdict:
		return Told
	case c.Rule != nil:
		return c.Rule.Class
	}
	return Missed
}

var all = Rules()

func explain(c Case) *Rule {
	i := slices.IndexFunc(all, func(r Rule) bool { return r.of(c) })
	if i < 0 {
		return nil
	}
	return &all[i]
}
