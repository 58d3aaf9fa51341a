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
)

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
	return ok && left >= 2*time.Second && wait > 1000*max(left-2*time.Second, time.Second) && wait < 1000*(left+time.Second)
}

// retriedRefused is how often one call has to be refused again, since another client of the key may have been served.
// Calls that wait side by side are refused for one reason, so they are not added up.
const retriedRefused = 3

// retriedIsServed: who waited for Retry-After, 0 included, is served (Errors, 429). A limiter may give back one request
// at a time, so that a second refusal counts only where no other request of the key was served since the first.
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
		if w.Of++; !y.Limited() || servedBetween(h, x, y) {
			continue
		}
		if times[[2]string{x.Check, x.Step}]++; times[[2]string{x.Check, x.Step}] >= retriedRefused {
			w.Breaks(y, "RATE-8", "a request that was sent after the Retry-After of its 429", "a response other than 429",
				fmt.Sprintf("429 again, %s after one with Retry-After %d", y.Sent.Sub(x.Ended()).Round(time.Millisecond), int(wait.Seconds())))
		}
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
