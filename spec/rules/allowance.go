package rules

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

var allowanceRules = []Rule{
	One("rate-headers", "Every response has the rate-limit headers", "RATE-1", responds,
		"the headers of the {status} to {operation}", strings.Join(allowanceHeaders, ", "), missing),
	One("rate-numbers", "Limit and Remaining are whole numbers, and Remaining is at most Limit", "RATE-2", has(spec.HeaderLimit),
		"X-RateLimit-Limit and X-RateLimit-Remaining", "whole numbers from 0, and Remaining is at most Limit", wrongNumber),
	One("reset-time", "Reset is a Unix time in the near future", "RATE-3", has(spec.HeaderReset), spec.HeaderReset,
		"the Unix time, in seconds, at which the limit resets, not before the response and within the day that the longest limit spans, "+
			"or in a 429 the end of a ban, within a year",
		wrongReset),
	whole("limit-stands", "X-RateLimit-Limit is the limit, not the number of requests left", limitStands, "RATE-22"),
	{ID: "remaining-falls", Title: "Remaining goes down as requests are made", Proves: []spec.ID{"RATE-4"},
		Whole: remainingFalls, Refills: true},
	{ID: "remaining-moves", Title: "Remaining goes down even where limits may not apply", Proves: []spec.ID{"RATE-23"},
		Whole: remainingMoves, Refills: true},
	One("retry-after", "A 429 says when to retry", "RATE-5",
		func(x history.Exchange) bool { return responds(x) && x.Limited() }, spec.HeaderRetryAfter+" of a 429",
		"whole seconds, or an HTTP date, within a year", wrongWait),
	{ID: "retried-is-served", Title: "Who waits for Retry-After is served", Proves: []spec.ID{"RATE-8"},
		Whole: retriedIsServed, Idle: "no 429 said when to try again"},
	observed("rate-headers-without-key", "The rate-limit headers without a valid key", withoutKey, "RATE-19"),
	One("rate-headers-elsewhere", "Unnamed paths and methods have the rate-limit headers too", "RATE-21",
		func(x history.Exchange) bool { return x.Operation == spec.Elsewhere && x.Response != nil },
		"the headers of the {status} to {request}", strings.Join(allowanceHeaders, ", "), missing),
}

var allowanceHeaders = []string{spec.HeaderLimit, spec.HeaderRemaining, spec.HeaderReset}

// field is a header as a finding quotes it: "" if the response lacks it or has it without a value.
func field(x history.Exchange, name string) string {
	return clip(strings.TrimSpace(strings.Join(x.Response.Header.Values(name), ", ")))
}

// missing names the rate-limit headers that a response lacks; "" if it has all.
func missing(x history.Exchange) string {
	var names []string
	for _, name := range allowanceHeaders {
		if strings.Trim(field(x, name), ", ") == "" {
			names = append(names, "no "+name)
		}
	}
	return strings.Join(names, ", ")
}

// has reports whether a response has a header. A missing one breaks RATE-1.
func has(name string) func(history.Exchange) bool {
	return func(x history.Exchange) bool { return responds(x) && field(x, name) != "" }
}

func wrongNumber(x history.Exchange) string {
	limit, whole := exchange.Number(x.Response.Header, spec.HeaderLimit)
	left, too := exchange.Number(x.Response.Header, spec.HeaderRemaining)
	switch got := field(x, spec.HeaderRemaining); {
	case !whole || limit < 0:
		return spec.HeaderLimit + ": " + field(x, spec.HeaderLimit)
	case got != "" && (!too || left < 0 || left > limit):
		return fmt.Sprintf("%s: %s, of %d", spec.HeaderRemaining, got, limit)
	}
	return ""
}

const (
	// resetPast is how far before the response's Date a Reset may be, beside the time that the response took: the
	// window may end while the response is written, and both are in whole seconds. Both are of one clock, and a cached
	// Date is earlier, not later.
	resetPast = 2 * time.Second
	// resetAhead is twice the longest window that the interface names, a day, since a limiter may begin its day late.
	resetAhead = 48 * time.Hour
	// LongestBan is the longest wait that a 429 may ask for: a year, the term of a contract. A ban is temporary, and the
	// interface does not show how long (Rate limits by plan, rules 4 and 5).
	LongestBan = 366 * 24 * time.Hour
	// clockSkew is allowed in both directions when a response has no Date, so that this machine's clock has to be used.
	clockSkew = 5 * time.Minute
)

func wrongReset(x history.Exchange) string {
	h, got := x.Response.Header, field(x, spec.HeaderReset)
	n, ok := exchange.Number(h, spec.HeaderReset)
	past, ahead := resetPast+x.FirstByte, resetAhead
	if x.Limited() {
		ahead = LongestBan
	}
	if h.Get("Date") == "" {
		past, ahead = past+clockSkew, ahead+clockSkew
	}
	switch seconds := n - exchange.ServerTime(h, x.Received()).Unix(); {
	case !ok:
		return got
	case seconds < -int64(past/time.Second):
		return fmt.Sprintf("%s, %d s before the response", got, -seconds)
	case seconds > int64(ahead/time.Second):
		return fmt.Sprintf("%s, %d s after the response", got, seconds)
	}
	return ""
}

func withoutKey(h *history.History) []verdict.Observation {
	limits := map[bool]int64{} // with a valid key, and without one
	for _, x := range h.All {
		if x.Named() && (x.Auth.Valid() || x.Status() == http.StatusUnauthorized) && x.Response != nil {
			if a, ok := exchange.AllowanceOf(x.Response.Header); ok {
				limits[x.Auth.Valid()] = a.Limit
			}
		}
	}
	value := "the same Limit as with the key"
	if limits[true] != limits[false] {
		value = "another Limit than with the key"
	}
	if len(limits) < 2 {
		return nil
	}
	return []verdict.Observation{{Requirement: "RATE-19", Key: "Limit on a 401", Value: value}}
}

// mostLimits is the number of different values of X-RateLimit-Limit that one key may see: a service may give the limit
// of the minute or of the day, whichever is nearer, and may have one for reads and one for writes.
const mostLimits = 4

// limitStands finds a Limit that shows the number of requests left: its value changes, and its distance from Remaining
// does not. A service may adapt its limit to its load, about once a second; then the distance changes too. A Limit that
// changes more often in a check run is a fault. In a load run, several keys have limits of their own.
func limitStands(h *history.History) (w Whole) {
	// Where Remaining is more than Limit, RATE-2 says that one of the two is not what it says.
	all := slices.DeleteFunc(accepted(h), func(x counted) bool { return x.said.Remaining > x.said.Limit })
	if w.Of = len(all); w.Of == 0 {
		return w
	}
	limits, distances, last := map[int64]bool{}, map[int64]bool{}, all[0]
	for _, x := range all {
		if !limits[x.said.Limit] {
			last = x
		}
		limits[x.said.Limit], distances[x.said.Limit-x.said.Remaining] = true, true
	}
	took, random := all[len(all)-1].Ended().Sub(all[0].Sent), len(distances) > 1
	adapted := mostLimits + int(took/time.Second) + 1
	if len(limits) <= mostLimits || random && (len(limits) <= adapted || h.Meta.Kind == "load") {
		return w
	}
	w.Breaks(*last.Exchange, "RATE-22", spec.HeaderLimit+" over the run",
		"the limit, not the number of requests left, which changes at most about once a second",
		fmt.Sprintf("%d different values in %s within %s", len(limits), spec.Count(w.Of, "response"), took.Round(time.Millisecond)))
	return w
}

func wrongWait(x history.Exchange) string {
	fields := x.Response.Header.Values(spec.HeaderRetryAfter)
	got := fmt.Sprintf("%q", clip(strings.Join(fields, ", ")))
	switch wait, ok := exchange.RetryAfter(x.Response.Header, x.Received()); {
	case len(fields) == 0:
		return "no Retry-After"
	case ok && inMilliseconds(x, wait) && wait <= LongestBan:
		return got + ", a thousand times the time to X-RateLimit-Reset"
	case ok && wait <= LongestBan && len(fields) == 1:
		return ""
	}
	return got
}

// inMilliseconds reports whether a time to wait is a thousand times the time to the reset. Reset is rounded up and Date
// down to whole seconds, so that Reset may seem to be almost 2 s later than it is.
func inMilliseconds(x history.Exchange, wait time.Duration) bool {
	reset, ok := exchange.Number(x.Response.Header, spec.HeaderReset)
	left := time.Unix(reset, 0).Sub(exchange.ServerTime(x.Response.Header, x.Received()))
	return ok && left >= 2*time.Second && wait/1000 > max(left-2*time.Second, time.Second) && wait/1000 < left+time.Second
}

// retriedRefused is how often one call has to be refused again, since another client of the key may have been served.
// Calls that wait side by side are refused for one reason, so they are not added up.
const retriedRefused = 3

const refusedAgain = "a request that had waited for Retry-After was refused again, perhaps since another one took its place"

// retriedIsServed: who waited for Retry-After, 0 included, is served (Errors, 429). A limiter may give back one request
// at a time, so that a second refusal counts only where no other request of the key was served since the first. Fewer
// of them than retriedRefused show nothing, whatever else was served.
func retriedIsServed(h *history.History) (w Whole) {
	times := map[[2]string]int{}
	for _, x := range h.All {
		if !x.Limited() || !x.Auth.Valid() || x.Attempt == 0 {
			continue
		}
		wait, ok := exchange.RetryAfter(x.Response.Header, x.Received())
		sent := h.OfRow(x.Check, x.Step)
		at := slices.IndexFunc(sent, func(y history.Exchange) bool { return y.N > x.N && y.Attempt == x.Attempt+1 })
		if !ok || at < 0 || !sent[at].Answered() || sent[at].Sent.Before(x.Ended().Add(wait)) {
			continue
		}
		y := sent[at]
		if !y.Limited() {
			w.Of++
			continue
		}
		if w.Idle = refusedAgain; servedBetween(h, x, y) {
			continue
		}
		if times[[2]string{x.Check, x.Step}]++; times[[2]string{x.Check, x.Step}] >= retriedRefused {
			w.Of++
			w.Breaks(y, "RATE-8", "a request that was sent after the Retry-After of its 429", "a response other than 429",
				fmt.Sprintf("429 again, %s after one with Retry-After %d", y.Sent.Sub(x.Ended()).Round(time.Millisecond), int(wait.Seconds())))
		}
	}
	if len(times) > 0 && len(w.Broken) == 0 {
		w.Of = 0
	}
	return w
}

// servedBetween reports whether another request of the key was served while x and y were under way, or between them.
func servedBetween(h *history.History, x, y history.Exchange) bool {
	return slices.ContainsFunc(h.All, func(z history.Exchange) bool {
		return z.Auth == x.Auth && z.N != x.N && z.N != y.N && z.Status() != http.StatusTooManyRequests &&
			!z.Ended().Before(x.Sent) && !z.Sent.After(y.Ended())
	})
}
