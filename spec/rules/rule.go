// Package rules holds the requirements on every response, whatever the request was: the media type, the Error body, the
// rate-limit headers and the schema of the body. A rule reads the exchanges of a run and sends nothing, so it can judge
// a conformance run, a load run and a recording. Those on the requests of clients are in conformance/clients. Its
// verdict reads "passed on 97 of 97" or "first broken at exchange 17".
package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Rule is a requirement on every exchange that it applies to. It has one of Each, Whole and Observe.
type Rule struct {
	ID     string
	Title  string
	Proves []spec.ID // the requirements that the rule can find broken
	// Idle says what the run lacks if the rule had nothing to read. It has a default for all but a rule that observes.
	Idle string
	// OfKey says that the rule tells nothing of a run in which no request with the key was accepted: the key is wrong.
	OfKey bool
	// Refills says that the rule computes a bucket's refill, with a minute of 60 s, and holds if it holds in a part of the run.
	Refills bool
	// Each judges one exchange, if the rule applies to it, and adds to what the rule shows of the run. Most rules have it.
	Each    func(x history.Exchange, w *Whole)
	Whole   func(h *history.History) Whole                 // judges the run, by several exchanges
	Observe func(h *history.History) []verdict.Observation // what the run shows about an open question
}

// Whole is the result of a rule on a run.
type Whole struct {
	Of     int // the number of exchanges that the rule read
	Broken []verdict.Finding
	// Evidence says what a pass rests on. The default is "passed on 97 of 97".
	Evidence string
	// Unknown says why the rule is inconclusive on this run. It is empty otherwise. Because lists the broken
	// requirements that leave it so.
	Unknown string
	Because []spec.ID
	// NotApplicable says why the rule does not apply to this run. It is empty otherwise.
	NotApplicable string
	Idle          string // that of the rule, for this run
}

// Breaks adds a finding that an exchange shows.
func (w *Whole) Breaks(x history.Exchange, id spec.ID, message, expected, actual string) {
	w.Broken = append(w.Broken, verdict.Finding{Requirement: id, Exchange: x.N, Message: message, Expected: expected, Actual: actual})
}

// wants adds a finding about a status that is not the wanted one.
func (w *Whole) wants(status int, x history.Exchange, id spec.ID, message string) {
	w.Breaks(x, id, message, strconv.Itoa(status), answer(x))
	w.Broken[len(w.Broken)-1].Cases = []verdict.Case{{Wanted: []int{status}}}
}

// All returns every rule, in the order of the ledger.
func All() []Rule { return append(aboveTheNet(), theNet) }

func aboveTheNet() []Rule {
	return slices.Concat(transportRules, petRules, listingRules, creationRules, getPetRules, keyRules, errorRules, allowanceRules)
}

// Judge applies rules to a run.
func Judge(all []Rule, h *history.History) (checks []verdict.Check, seen []verdict.Observation) {
	for _, r := range all {
		c := verdict.Check{ID: r.ID, Kind: verdict.Passive, Title: r.Title, Requirements: r.Proves, Exchanges: []int{}}
		if r.Observe == nil {
			r.judge(h, &c)
		} else if own := r.Observe(h); len(own) == 0 && r.Idle != "" {
			c.Verdict, c.Reason = verdict.NotRun, r.Idle
		} else {
			c.Verdict, seen = verdict.Observed, append(seen, own...)
		}
		checks = append(checks, c)
	}
	return checks, seen
}

func (r Rule) judge(h *history.History, c *verdict.Check) {
	w := r.Read(h)
	for _, f := range w.Broken {
		if f.Exchange > 0 {
			c.Exchanges = append(c.Exchanges, f.Exchange)
		}
	}
	slices.Sort(c.Exchanges)
	c.Exchanges = slices.Compact(c.Exchanges)
	c.Of, c.Held, c.Evidence = w.Of, w.Of-min(w.Of, len(c.Exchanges)), w.Evidence
	c.Findings, c.Reason, c.Because = verdict.FirstOfEach(r.examples(h, w.Broken)), w.Unknown, w.Because
	switch {
	case w.NotApplicable != "":
		c.Verdict, c.Reason = verdict.NotApplicable, w.NotApplicable
	case len(c.Findings) > 0:
		if c.Verdict = verdict.Failed; r.Each != nil {
			c.Evidence = c.Measured()
		}
	case c.Reason != "":
		c.Verdict = verdict.Inconclusive
	case c.Of == 0:
		c.Verdict, c.Reason = verdict.NotRun, cmp.Or(w.Idle, r.Idle, "the run has no exchange that the rule applies to")
	default:
		c.Verdict, c.Evidence = verdict.Passed, cmp.Or(c.Evidence, c.Measured())
	}
}

// Read applies a rule that does not observe to a run.
func (r Rule) Read(h *history.History) (w Whole) {
	if r.Whole != nil {
		return r.Whole(h)
	}
	for _, x := range h.All {
		if x.Failure == nil || x.Failure.Kind != exchange.Outage {
			r.Each(x, &w)
		}
	}
	return w
}

// examples returns the findings, each with its exchange as its only case, and those of Each in the order in which their
// exchanges serve as examples.
func (r Rule) examples(h *history.History, broken []verdict.Finding) []verdict.Finding {
	if len(broken) == 0 {
		return nil
	}
	from := map[int]history.Exchange{}
	for _, x := range h.All {
		from[x.N] = x
	}
	for i, f := range broken {
		if x, found := from[f.Exchange]; found {
			c := verdict.Case{Sender: x.Check, Operation: x.Operation, Actual: f.Actual, Exchanges: []int{x.N}, Status: x.Status()}
			if len(f.Cases) > 0 {
				c.Wanted = f.Cases[0].Wanted
			}
			broken[i].Cases = []verdict.Case{c}
		}
	}
	order := plainest
	if r.Each == nil { // the rule has its own
		order = shorter
	}
	slices.SortStableFunc(broken, func(f, g verdict.Finding) int { return order(from[f.Exchange], from[g.Exchange]) })
	return broken
}

// plainest orders exchanges by how well they serve as an example: first those that any client may send, with the fewest
// headers and the shortest body, then by check and step. The order of sending comes last, because it depends on how
// requests overlapped, and two runs should give the same example.
func plainest(x, y history.Exchange) int {
	return cmp.Or(shorter(x, y), oddity(x)-oddity(y), len(x.Request.Header)-len(y.Request.Header),
		len(x.Request.Body)-len(y.Request.Body), strings.Compare(x.Check, y.Check), strings.Compare(x.Step, y.Step), cmp.Compare(x.N, y.N))
}

// shorter puts the exchanges whose address fits into a card before the others.
func shorter(x, y history.Exchange) int {
	const fits = 300
	return max(len(x.Request.Path), fits) - max(len(y.Request.Path), fits)
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

func each(id, title string, judge func(history.Exchange, *Whole), proves ...spec.ID) Rule {
	return Rule{ID: id, Title: title, Proves: proves, Each: judge}
}

func whole(id, title string, judge func(*history.History) Whole, proves ...spec.ID) Rule {
	return Rule{ID: id, Title: title, Proves: proves, Whole: judge}
}

func observed(id, title string, observe func(*history.History) []verdict.Observation, asks spec.ID) Rule {
	return Rule{ID: id, Title: title, Proves: []spec.ID{asks}, Observe: observe}
}

// One is a rule with one requirement on the exchanges that it applies to. about says what it judges, and expected what has
// to come; {request}, {operation} and {status} stand for those of the exchange. wrong is what came instead, "" if it holds.
func One(id, title string, proves spec.ID, applies func(history.Exchange) bool,
	about, expected string, wrong func(history.Exchange) string,
) Rule {
	return each(id, title, func(x history.Exchange, w *Whole) {
		if !applies(x) {
			return
		}
		w.Of++
		if got := wrong(x); got != "" {
			of := strings.NewReplacer("{request}", request(x), "{operation}", string(x.Operation), "{status}", strconv.Itoa(x.Status()))
			w.Breaks(x, proves, of.Replace(about), of.Replace(expected), got)
		}
	}, proves)
}

// Unless is what came where a rule does not hold.
func Unless(holds func(history.Exchange) bool, came func(history.Exchange) string) func(history.Exchange) string {
	return func(x history.Exchange) string {
		if holds(x) {
			return ""
		}
		return came(x)
	}
}

// success reports whether x is a complete 2xx of one of the three animal operations. The interface does not show what
// GET /store/orders returns.
func success(x history.Exchange) bool { return shown(x) && x.Status()/100 == 2 }

// shown reports whether x is a complete response of an animal operation.
func shown(x history.Exchange) bool {
	return x.Answered() && x.Named() && x.Operation != spec.StoreOrders
}

// failure reports whether x is a complete error response of an operation of the interface.
func failure(x history.Exchange) bool { return x.Answered() && x.Named() && x.IsError() }

// responds reports whether an operation of the interface responded, in whole or in part.
func responds(x history.Exchange) bool { return x.Response != nil && x.Named() }

// unreadable reports whether the response has a body that is not JSON, which another rule finds.
func unreadable(x history.Exchange) bool { return len(x.Response.Body) > 0 && x.Malformed != nil }

func answer(x history.Exchange) string { return fmt.Sprintf("%d: %s", x.Status(), x.Excerpt()) }

func request(x history.Exchange) string { return x.Request.Method + " " + x.Request.Path }

// clip cuts a text that a finding quotes to 200 characters.
func clip(s string) string { return history.Clip(s, 200) }
