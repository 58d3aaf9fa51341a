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

// The classes. An alteration that is Told breaks nothing, and the run says what it can't tell any more. One that is Lawful
// or Unseen breaks nothing either, and a rule says why a service may answer so, or why no recording could show it.
const (
	Caught, Told, Lawful, Unseen Class = "caught", "told", "lawful", "unseen"
	// Missed: nothing is broken, and nothing explains it. Accused: a must is broken by what a rule says is lawful.
	Missed, Accused Class = "missed", "accused"
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

// Judge judges a recording with one alteration, and classifies what came of it. before is what the recording of a service
// that keeps the interface showed.
func Judge(a Alteration, base *history.History, before verdict.Results, altered *exchange.Recording) Case {
	c := Case{Alteration: a, Was: base.All[a.Exchange], Is: history.ReadExchange(altered.Exchanges[a.Exchange]), base: base}
	r := judge.Recording(altered)
	must, unsure := false, r.Verdict != before.Verdict
	for i, q := range r.Requirements {
		switch was := before.Requirements[i].Verdict; {
		case q.Verdict == verdict.Failed && was != verdict.Failed:
			c.Requirements = append(c.Requirements, q.ID)
			must = must || q.Level == spec.Must
		case q.Verdict != was && was == verdict.Passed:
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
	case unsure:
		c.Class = Told
	case explained(unseen):
		c.Class = Unseen
	default:
		c.Class = Missed
	}
	return c
}
