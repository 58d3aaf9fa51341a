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

func allowanceRules() []Rule {
	return []Rule{
		{ID: "rate-headers", Title: "Every response has the rate-limit headers", Proves: []spec.ID{"RATE-1"}, Each: rateHeaders},
		{ID: "rate-numbers", Title: "Limit and Remaining are whole numbers, and Remaining is at most Limit",
			Proves: []spec.ID{"RATE-2"}, Each: rateNumbers},
		{ID: "reset-time", Title: "Reset is a Unix time in the near future", Proves: []spec.ID{"RATE-3"}, Each: resetTime},
		{ID: "limit-stands", Title: "X-RateLimit-Limit is the limit, not the number of requests left",
			Proves: []spec.ID{"RATE-22"}, Whole: limitStands},
		{ID: "remaining-falls", Title: "Remaining goes down as requests are made", Proves: []spec.ID{"RATE-4"}, Whole: remainingFalls},
		{ID: "remaining-moves", Title: "Remaining goes down even where limits may not apply", Proves: []spec.ID{"RATE-23"}, Whole: remainingMoves},
		{ID: "retry-after", Title: "A 429 says when to retry", Proves: []spec.ID{"RATE-5"}, Each: retryAfter},
		{ID: "retried-is-served", Title: "Who waits for Retry-After is served", Proves: []spec.ID{"RATE-8"}, Whole: retriedIsServed},
		{ID: "rate-headers-without-key", Title: "The rate-limit headers without a valid key", Proves: []spec.ID{"RATE-19"}, Observe: withoutKey},
		{ID: "rate-headers-elsewhere", Title: "Unnamed paths and methods have the rate-limit headers too",
			Proves: []spec.ID{"RATE-21"}, Each: rateHeadersElsewhere},
	}
}

var allowanceHeaders = []string{spec.HeaderLimit, spec.HeaderRemaining, spec.HeaderReset}

func allHeaders(id spec.ID, message string, x history.Exchange) Reading {
	missing := slices.DeleteFunc(slices.Clone(allowanceHeaders), func(name string) bool {
		return strings.TrimSpace(strings.Join(x.Response.Header.Values(name), "")) != ""
	})
	if len(missing) > 0 {
		return reading(broken(id, message, strings.Join(allowanceHeaders, ", "), "no "+strings.Join(missing, ", no ")))
	}
	return reading()
}

func rateHeaders(x history.Exchange) Reading {
	if !x.Named() || x.Response == nil {
		return notConcerned
	}
	return allHeaders("RATE-1", fmt.Sprintf("the headers of the %d to %s", x.Status(), x.Operation), x)
}

func rateHeadersElsewhere(x history.Exchange) Reading {
	if x.Operation != spec.Elsewhere || x.Response == nil {
		return notConcerned
	}
	return allHeaders("RATE-21",
		fmt.Sprintf("the headers of the %d to %s %s", x.Status(), x.Request.Method, x.Request.Path), x)
}

// number reads a header as a whole number, and returns its text too.
func number(h http.Header, name string) (n int64, got string, ok bool) {
	n, ok = exchange.Number(h, name)
	return n, clip(strings.Join(h.Values(name), ", ")), ok
}

// rateNumbers judges the fields that the response has. A missing field breaks RATE-1.
func rateNumbers(x history.Exchange) Reading {
	if !x.Named() || x.Response == nil {
		return notConcerned
	}
	h := x.Response.Header
	values := map[string]int64{}
	for _, name := range allowanceHeaders[:2] {
		n, got, ok := number(h, name)
		switch {
		case strings.TrimSpace(got) == "":
			return notConcerned
		case !ok:
			return reading(broken("RATE-2", name, "a whole number", got))
		case n < 0:
			return reading(broken("RATE-2", name, "0 or more", got))
		}
		values[name] = n
	}
	if limit, left := values[spec.HeaderLimit], values[spec.HeaderRemaining]; left > limit {
		return reading(broken("RATE-2", spec.HeaderRemaining, fmt.Sprintf("at most %s, %d", spec.HeaderLimit, limit), fmt.Sprintf("%d", left)))
	}
	return reading()
}

const (
	// resetPast is how far before the response's Date a Reset may be, beside the time that the response took: the
	// window may end while the response is written, and both are in whole seconds. Both are of one clock, and a cached
	// Date is earlier, not later.
	resetPast = 2 * time.Second
	// resetAhead is twice the longest window that the interface names, a day, since a limiter may begin its day late.
	resetAhead = 48 * time.Hour
	// clockSkew is allowed in both directions when a response has no Date, so that this machine's clock has to be used.
	clockSkew = 5 * time.Minute
)

func resetTime(x history.Exchange) Reading {
	if !x.Named() || x.Response == nil {
		return notConcerned
	}
	h := x.Response.Header
	n, got, ok := number(h, spec.HeaderReset)
	if strings.TrimSpace(got) == "" {
		return notConcerned
	}
	const wanted = "the Unix time, in seconds, at which the limit resets"
	if !ok {
		return reading(broken("RATE-3", spec.HeaderReset, wanted, got))
	}
	now, past, ahead := exchange.ServerTime(h, x.Received()), resetPast+x.FirstByte, resetAhead
	if h.Get("Date") == "" {
		past, ahead = past+clockSkew, ahead+clockSkew
	}
	switch seconds := n - now.Unix(); {
	case seconds < -int64(past/time.Second):
		return reading(broken("RATE-3", spec.HeaderReset, wanted+", not before the response",
			fmt.Sprintf("%s, %d s before the response", got, -seconds)))
	case seconds > int64(ahead/time.Second):
		return reading(broken("RATE-3", spec.HeaderReset, wanted+", within the day that the longest limit spans",
			fmt.Sprintf("%s, %d s after the response", got, seconds)))
	}
	return reading()
}

func retryAfter(x history.Exchange) Reading {
	if !x.Named() || x.Response == nil || !x.Limited() {
		return notConcerned
	}
	field := x.Response.Header.Values(spec.HeaderRetryAfter)
	wait, ok := exchange.RetryAfter(x.Response.Header, x.Received())
	if ok && wait > resetAhead {
		return reading(broken("RATE-5", spec.HeaderRetryAfter+" of a 429",
			"a time to wait, within the day that the longest limit spans", clip(field[0])))
	}
	if ok && inMilliseconds(x, wait) {
		return reading(broken("RATE-5", spec.HeaderRetryAfter+" of a 429", "seconds",
			fmt.Sprintf("%q, a thousand times the time to X-RateLimit-Reset", clip(field[0]))))
	}
	if !ok || len(field) > 1 {
		got := "no Retry-After"
		if len(field) > 0 {
			got = fmt.Sprintf("%q", clip(strings.Join(field, ", ")))
		}
		return reading(broken("RATE-5", spec.HeaderRetryAfter+" of a 429", "whole seconds, or an HTTP date", got))
	}
	return reading()
}

func withoutKey(h *history.History) []verdict.Observation {
	var with, without *exchange.Allowance
	for _, x := range h.All {
		if x.Response == nil || !x.Named() {
			continue
		}
		a, ok := exchange.AllowanceOf(x.Response.Header)
		if ok && x.Auth.Valid() {
			with = &a
		} else if ok && x.Status() == http.StatusUnauthorized {
			without = &a
		}
	}
	if with == nil || without == nil {
		return nil
	}
	value := "the same Limit as with the key"
	if with.Limit != without.Limit {
		value = "another Limit than with the key"
	}
	return []verdict.Observation{{Requirement: "RATE-19", Key: "Limit on a 401", Value: value}}
}
