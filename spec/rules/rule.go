// Package rules holds the requirements on every response, whatever the request was: the media type, the Error body, the
// rate-limit headers and the schema of the body. A rule reads the exchanges of a run and sends nothing, so it can judge
// a conformance run, a load run and a recording. Those on the requests of clients are in conformance/clients. Its
// verdict reads "held on 97 of 97" or "first broken at exchange 17".
package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Rule is a requirement on every exchange that it applies to. It has one of Each, Whole and Observe.
type Rule struct {
	ID    string
	Title string
	// Proves lists the requirements that the rule can find broken.
	Proves []spec.ID
	// Idle says what the run lacks if the rule had nothing to read. It has a default for all but a rule that observes.
	Idle string
	// Each judges one exchange. Most rules have it.
	Each func(x history.Exchange) Reading
	// About says more of what a finding of Each shows, from the whole run. It may be nil.
	About func(h *history.History, x history.Exchange, id spec.ID) string
	// Whole judges the run, where several exchanges have to be compared.
	Whole func(h *history.History) Whole
	// Observe returns what the run shows about an open question.
	Observe func(h *history.History) []verdict.Observation
}

// Reading is the result of a rule on one exchange.
type Reading struct {
	// Applies is false when the rule does not apply to the exchange.
	Applies bool
	Broken  []verdict.Finding
}

// Whole is the result of a rule on a run.
type Whole struct {
	// Of is the number of exchanges that the rule read.
	Of     int
	Broken []verdict.Finding
	// Evidence says what a pass rests on. The default is "held on 97 of 97".
	Evidence string
	// Unknown says why the rule is inconclusive on this run. It is empty otherwise. Because lists the broken
	// requirements that leave it so.
	Unknown string
	Because []spec.ID
	// NotApplicable says why the rule does not apply to this run. It is empty otherwise.
	NotApplicable string
	// Idle is that of the rule, for this run.
	Idle string
}

// All returns every rule, in the order of the ledger.
func All() []Rule {
	return slices.Concat(transportRules(), petRules(), listingRules(), creationRules(), getPetRules(), keyRules(),
		errorRules(), allowanceRules(), documentRules())
}

func Judge(all []Rule, h *history.History) ([]verdict.Check, []verdict.Observation) {
	checks := make([]verdict.Check, 0, len(all))
	var seen []verdict.Observation
	for _, r := range all {
		if r.Observe != nil {
			c, observations := r.observe(h)
			checks, seen = append(checks, c), append(seen, observations...)
			continue
		}
		checks = append(checks, r.judge(h))
	}
	return checks, seen
}

func (r Rule) check() verdict.Check {
	return verdict.Check{ID: r.ID, Kind: verdict.Passive, Title: r.Title, Requirements: r.Proves, Exchanges: []int{}}
}

func (r Rule) observe(h *history.History) (verdict.Check, []verdict.Observation) {
	c, seen := r.check(), r.Observe(h)
	c.Verdict = verdict.Observed
	if len(seen) == 0 && r.Idle != "" {
		c.Verdict, c.Reason = verdict.NotRun, r.Idle
	}
	return c, seen
}

func (r Rule) judge(h *history.History) verdict.Check {
	c, idle := r.check(), r.Idle
	if r.Whole != nil {
		w := r.Whole(h)
		c.Of, c.Held, c.Evidence = w.Of, w.Of-min(w.Of, len(w.Broken)), w.Evidence
		c.Findings, c.Exchanges = verdict.FirstOfEach(shownBy(h, w.Broken)), exchangesOf(w.Broken)
		c.Reason, c.Because, idle = w.Unknown, w.Because, cmp.Or(w.Idle, idle)
		if w.NotApplicable != "" {
			c.Verdict, c.Reason = verdict.NotApplicable, w.NotApplicable
			return c
		}
	} else {
		r.judgeEach(h, &c)
	}
	switch {
	case len(c.Findings) > 0:
		if c.Verdict = verdict.Failed; r.Each != nil {
			c.Evidence = c.Measured()
		}
	case c.Reason != "":
		c.Verdict = verdict.Inconclusive
	case c.Of == 0:
		c.Verdict, c.Reason = verdict.NotRun, cmp.Or(idle, "the run has no exchange that the rule applies to")
	default:
		c.Verdict = verdict.Passed
		c.Evidence = cmp.Or(c.Evidence, c.Measured())
	}
	return c
}

func (r Rule) judgeEach(h *history.History, c *verdict.Check) {
	var broken []verdict.Finding
	from := map[int]history.Exchange{}
	for _, x := range h.All {
		if x.Failure != nil && x.Failure.Kind == exchange.Outage {
			continue
		}
		reading := r.Each(x)
		if !reading.Applies {
			continue
		}
		c.Of++
		if len(reading.Broken) == 0 {
			c.Held++
		}
		for _, f := range reading.Broken {
			f.Exchange = x.N
			if r.About != nil {
				f.Actual += r.About(h, x, f.Requirement)
			}
			from[x.N] = x
			broken = append(broken, shown(f, x))
		}
	}
	c.Exchanges = exchangesOf(broken)
	slices.SortStableFunc(broken, func(f, g verdict.Finding) int { return plainest(from[f.Exchange], from[g.Exchange]) })
	c.Findings = verdict.FirstOfEach(broken)
}

// plainest orders exchanges by how well they serve as an example: first those that any client may send, then by check
// and step. The order of sending comes last, because it depends on how requests overlapped, and two runs should give the
// same example.
func plainest(x, y history.Exchange) int {
	return cmp.Or(oddity(x)-oddity(y), strings.Compare(x.Check, y.Check), strings.Compare(x.Step, y.Step), cmp.Compare(x.N, y.N))
}

// oddity is small for an exchange that tells its reader much: a fault should not be shown on a request that is one
// itself, or on a refusal that comes only where others were sent before.
func oddity(x history.Exchange) int {
	_, _, plain := x.Listing()
	switch {
	case x.Limited():
		return 3
	case !x.Auth.Valid():
		return 2
	case x.Status()/100 == 2 && (x.Operation == spec.CreatePet && !x.Creates() || x.Operation == spec.ListPets && !plain):
		return 1
	}
	return 0
}

// shown returns f with x as its only case.
func shown(f verdict.Finding, x history.Exchange) verdict.Finding {
	c := verdict.Case{Sender: x.Check, Operation: x.Operation, Actual: f.Actual, Exchanges: []int{x.N}, Status: x.Status()}
	if len(f.Cases) > 0 {
		c.Wanted = f.Cases[0].Wanted
	}
	f.Cases = []verdict.Case{c}
	return f
}

// shownBy returns the findings, each with its exchange as its case.
func shownBy(h *history.History, all []verdict.Finding) []verdict.Finding {
	out := make([]verdict.Finding, len(all))
	for i, f := range all {
		out[i] = f
		if at, found := slices.BinarySearchFunc(h.All, f.Exchange, func(x history.Exchange, n int) int { return x.N - n }); found {
			out[i] = shown(f, h.All[at])
		}
	}
	return out
}

// exchangesOf returns the numbers of the exchanges that findings name, in order.
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

// reading is the Reading of an exchange that the rule applies to. The rule holds on it if broken is empty.
func reading(broken ...verdict.Finding) Reading { return Reading{Applies: true, Broken: broken} }

// notConcerned is the Reading of an exchange that the rule does not apply to.
var notConcerned = Reading{}

// brokenStatus is a finding about a status that is not the wanted one.
func brokenStatus(id spec.ID, message string, wanted int, x history.Exchange) verdict.Finding {
	f := broken(id, message, fmt.Sprint(wanted), fmt.Sprintf("%d: %s", x.Status(), x.Excerpt()))
	f.Cases = []verdict.Case{{Wanted: []int{wanted}}}
	return f
}

func broken(id spec.ID, message, expected, actual string) verdict.Finding {
	return verdict.Finding{Requirement: id, Message: message, Expected: expected, Actual: actual}
}

// success reports whether x is a complete 2xx of one of the three animal operations. The interface does not show what
// GET /store/orders returns.
func success(x history.Exchange) bool {
	return x.Answered() && x.Named() && x.Operation != spec.StoreOrders && x.Status()/100 == 2
}

// failure reports whether x is a complete error response of an operation of the interface.
func failure(x history.Exchange) bool { return x.Answered() && x.Named() && x.IsError() }
