package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

const (
	// tooManyLost is the share of requests without a response above which a run has no verdict.
	tooManyLost = 0.2
	// lastAnswers is the number of last responses that all have to refuse the key for it to count as revoked.
	lastAnswers = 5
)

// validityOf says why a run has no verdict, if it has none.
func validityOf(rec *exchange.Recording, h *history.History, judged []verdict.Check, lost []string) verdict.Validity {
	v := verdict.Validity{}
	err := NoTarget(h)
	if err != nil {
		v.Invalid, v.NoTarget = []string{err.Error()}, true
	}
	if rec.End == nil || rec.Torn {
		v.Incomplete = []string{"the recording has no end: the run was killed"}
	} else if rec.End.Stopped != "" && (err == nil || !rec.End.NoTarget) {
		v.Incomplete = []string{"the run was aborted: " + rec.End.Stopped}
	}
	if v.NoTarget {
		return v // whatever else is missing is missing for this reason
	}
	unanswered := 0
	for _, x := range h.All {
		if x.Failure != nil && (x.Failure.Kind == exchange.Timeout || x.Failure.Kind == exchange.Unreachable) {
			unanswered++
		}
	}
	if n := len(h.All); n > 0 && float64(unanswered) > tooManyLost*float64(n) {
		v.Invalid = append(v.Invalid, fmt.Sprintf("%d of %d requests got no response in time, or could not connect", unanswered, n))
	}
	if revoked(h) {
		v.Invalid = append(v.Invalid, "the key was accepted at first and is refused at the end: it was revoked or banned during the run")
	}
	few := func(all []string, what string) {
		if len(all) > mostTold {
			all = []string{fmt.Sprintf("%d %s; the first: %s", len(all), what, all[0])}
		}
		v.Incomplete = append(v.Incomplete, all...)
	}
	if len(v.Incomplete) == 0 { // else whatever is missing is missing for that reason
		few(lost, "responses are missing")
		few(notRun(rec, judged), "planned checks and rules did not run")
	}
	v.Warnings = warnings(rec, h)
	return v
}

// allCreated is why a check did not send all that it has to send.
const allCreated = "the run created all the animals that it may (--max-creates, fewer in a quick run)"

// unsent says why a check did not send all that it has to send; "" if it did.
func unsent(end *exchange.End, check string) string {
	switch {
	case end == nil:
		return ""
	case len(end.GaveUp[check]) > 0:
		return allCreated + "; not sent: " + strings.Join(end.GaveUp[check], ", ")
	}
	return end.Skipped[check]
}

// mostTold is the largest number of missing items of one kind that are listed.
const mostTold = 3

// revoked reports whether the key worked at first and its last answers are all refusals, of more than one operation: the
// key may still work for others.
func revoked(h *history.History) bool {
	all := slices.DeleteFunc(slices.Clone(h.All), func(x history.Exchange) bool {
		return !x.Auth.Valid() || !x.Answered() || !x.Named() || x.Operation == spec.StoreOrders
	})
	last := all[max(0, len(all)-lastAnswers):]
	works := func(x history.Exchange) bool { return x.Status() != 401 && x.Status() != 403 }
	return slices.ContainsFunc(all, works) && !slices.ContainsFunc(last, works) &&
		slices.ContainsFunc(last, func(x history.Exchange) bool { return x.Operation != last[0].Operation })
}

// notRun names what was planned and has no result, and what a run that was not filtered has to have.
func notRun(rec *exchange.Recording, judged []verdict.Check) []string {
	has := map[string]bool{}
	var missing []string
	for _, c := range judged {
		has[c.ID] = true
		if c.Kind == verdict.Active && c.Verdict == verdict.NotRun && len(c.Exchanges) == 0 && unsent(rec.End, c.ID) == "" {
			missing = append(missing, fmt.Sprintf("the check %s was planned and no request was sent for it", c.ID))
		}
	}
	for _, id := range rec.Meta.Planned {
		if !has[id] {
			missing = append(missing, fmt.Sprintf("the check %s was planned and has no verdict", id))
		}
	}
	for i, x := range rec.Exchanges {
		if x.N != i+1 {
			missing = append(missing, fmt.Sprintf("exchange %d is missing; the recording was changed", i+1))
			break
		}
	}
	if len(judged) == 0 {
		missing = append(missing, "no check was planned")
	}
	return missing
}

// warnings returns remarks on the run that a reader needs to interpret the verdict.
func warnings(rec *exchange.Recording, h *history.History) []string {
	var out []string
	limited, echoed, skewed := 0, 0, time.Duration(0)
	for _, x := range h.All {
		if x.Limited() {
			limited++
		}
		if x.Redacted() {
			echoed++
		}
		if x.Response != nil && x.Response.Header.Get("Date") != "" {
			skew := exchange.ServerTime(x.Response.Header, x.Received()).Sub(x.Received())
			if skew.Abs() > skewed.Abs() {
				skewed = skew
			}
		}
	}
	var given []string // the checks that did not send all; the reason of each names the requests
	if h.End != nil {
		for _, id := range slices.Sorted(maps.Keys(h.End.GaveUp)) {
			given = append(given, fmt.Sprintf("%s (%d)", id, len(h.End.GaveUp[id])))
		}
	}
	if len(given) > 0 {
		out = append(out, allCreated+", so these checks did not send all cases: "+strings.Join(given, ", ")+
			". A createPet counts too if the target accepts what it has to refuse, or gives no clear response")
	}
	if limited > 0 {
		out = append(out, fmt.Sprintf("%d of %d responses were 429; the run waited after each", limited, len(h.All)))
	}
	if echoed > 0 {
		out = append(out, fmt.Sprintf("the target sent an API key, or the value of a header, back in %s; the recording has [key] in its place", spec.Count(echoed, "response")))
	}
	if all := h.Outages(); len(all) > 0 {
		first, last := all[0], all[len(all)-1]
		told := fmt.Sprintf("the target had an outage: %s without an answer or with 502, 503 or 504, from %s to %s; the first is exchange %d (%s %s, %s)",
			spec.Count(len(all), "request"), first.Sent.UTC().Format(time.TimeOnly), last.Ended().UTC().Format(time.TimeOnly),
			first.N, first.Request.Method, first.Request.Path, strings.TrimSuffix(first.Check+" "+first.Step, " "))
		if len(exchange.Unended(rec.Exchanges)) == 0 && (h.End == nil || h.End.Stopped == "") {
			told += "; each was sent again, and the response to that was judged"
		}
		out = append(out, told)
	}
	if skewed.Abs() > 5*time.Second {
		out = append(out, fmt.Sprintf("the target's clock differs from this machine's by %s", skewed.Round(time.Second)))
	}
	return out
}
