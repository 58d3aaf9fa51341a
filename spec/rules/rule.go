// Package rules holds what is true of every response, whatever was asked: the media type, the Error body, the rate-limit
// headers, the schema of each body. A rule reads the exchanges of a run and sends nothing, so it holds for a conformance run,
// a load run and a recording alike, and is judged once: "held on 97 of 97", or "first broken at exchange 17".
package rules

import (
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Rule is one thing that is true of every response that it applies to.
type Rule struct {
	ID    string
	Title string
	// Proves lists the requirements that the rule can find broken.
	Proves []spec.ID
	// Each judges one exchange. Most rules are of this kind.
	Each func(x history.Exchange) Reading
	// Whole judges the run, for what can only be seen over several exchanges. Of is what it read, Broken what it found.
	Whole func(h *history.History) Whole
	// Observe tells what a run saw of a question that is open.
	Observe func(h *history.History) []verdict.Observation
}

// Reading is what a rule says of one exchange.
type Reading struct {
	// Applies is false when the rule has nothing to say of this exchange.
	Applies bool
	Broken  []verdict.Finding
}

// Whole is what a rule says of a run.
type Whole struct {
	Of       int
	Broken   []verdict.Finding
	Evidence string
	// Unknown says why the run cannot tell, when it can't.
	Unknown string
	// NotApplicable says why the rule does not bind this run, when it doesn't.
	NotApplicable string
}

// All gives every rule, in the order of the ledger.
func All() []Rule {
	return slices.Concat(transportRules(), petRules(), listingRules(), creationRules(), getPetRules(), keyRules(), errorRules(), allowanceRules(), documentRules())
}

// Judge judges a history by the rules.
func Judge(all []Rule, h *history.History) ([]verdict.Check, []verdict.Observation) {
	return judgeAll(all, h, func(r, i int) Reading { return all[r].Each(h.All[i]) })
}

// each gives the reading that rule r of a list has of exchange i of a history.
type each func(r, i int) Reading

func judgeAll(all []Rule, h *history.History, read each) ([]verdict.Check, []verdict.Observation) {
	checks := make([]verdict.Check, 0, len(all))
	var seen []verdict.Observation
	for n, r := range all {
		if r.Observe != nil {
			seen = append(seen, r.Observe(h)...)
		}
		checks = append(checks, r.judge(h, func(i int) Reading { return read(n, i) }))
	}
	return checks, seen
}

func (r Rule) judge(h *history.History, read func(i int) Reading) verdict.Check {
	c := verdict.Check{ID: r.ID, Kind: verdict.Passive, Title: r.Title, Requirements: r.Proves, Exchanges: []int{}}
	switch {
	case r.Whole != nil:
		w := r.Whole(h)
		c.Of, c.Held, c.Evidence = w.Of, w.Of-min(w.Of, len(w.Broken)), w.Evidence
		c.Findings, c.Exchanges = verdict.FirstOfEach(w.Broken), exchangesOf(w.Broken)
		c.Reason = w.Unknown
		if w.NotApplicable != "" {
			c.Verdict, c.Reason = verdict.NotApplicable, w.NotApplicable
			return c
		}
	case r.Each != nil:
		judgeEach(h, &c, read)
	default: // an observation only
		c.Verdict = verdict.Observed
		return c
	}
	switch {
	case len(c.Findings) > 0:
		c.Verdict = verdict.Failed
	case c.Reason != "":
		c.Verdict = verdict.Inconclusive
	case c.Of == 0:
		c.Verdict, c.Reason = verdict.NotRun, "no exchange of the run is one that the rule applies to"
	default:
		c.Verdict = verdict.Passed
		if c.Evidence == "" {
			c.Evidence = fmt.Sprintf("held on %d of %d", c.Held, c.Of)
		}
	}
	return c
}

func judgeEach(h *history.History, c *verdict.Check, read func(i int) Reading) {
	var broken []verdict.Finding
	for i, x := range h.All {
		reading := read(i)
		if !reading.Applies {
			continue
		}
		c.Of++
		if len(reading.Broken) == 0 {
			c.Held++
		}
		for _, f := range reading.Broken {
			f.Exchange = x.N
			broken = append(broken, f)
		}
	}
	c.Findings, c.Exchanges = verdict.FirstOfEach(broken), exchangesOf(broken)
	if len(c.Findings) > 0 {
		c.Evidence = fmt.Sprintf("first broken at exchange %d; held on %d of %d", c.Exchanges[0], c.Held, c.Of)
	}
}

// exchangesOf gives the numbers of the exchanges that findings name.
func exchangesOf(findings []verdict.Finding) []int {
	numbers := []int{}
	for _, f := range findings {
		if f.Exchange > 0 {
			numbers = append(numbers, f.Exchange)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// held is a Reading of an exchange on which the rule holds, unless findings follow.
func held(broken ...verdict.Finding) Reading { return Reading{Applies: true, Broken: broken} }

// beside is a Reading of an exchange that the rule does not apply to.
var beside = Reading{}

func broken(id spec.ID, message, expected, actual string) verdict.Finding {
	return verdict.Finding{Requirement: id, Message: message, Expected: expected, Actual: actual}
}

// success says whether x is a complete 2xx of one of the three animal operations. What GET /store/orders gives is not shown.
func success(x history.Exchange) bool {
	return x.Answered() && x.Named() && x.Operation != spec.StoreOrders && x.Status()/100 == 2
}

// failure says whether x is a complete error response of an operation of the interface.
func failure(x history.Exchange) bool { return x.Answered() && x.Named() && x.IsError() }
