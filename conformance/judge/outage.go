package judge

import (
	"fmt"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// describeOutages describes the outages of a run: their time, and the requests that were in flight when the first one
// began, since one of them may have crashed the service. It returns "" if there was none.
func describeOutages(h *history.History, recorded []exchange.Exchange) string {
	out := h.Outages()
	if len(out) == 0 {
		return ""
	}
	first, last := out[0], out[len(out)-1]
	text := fmt.Sprintf("the target had an outage: %s without an answer or with 502, 503 or 504, from %s to %s",
		spec.Count(len(out), "request"), first.Sent.UTC().Format(time.TimeOnly), last.Ended().UTC().Format(time.TimeOnly))
	switch lost := inFlight(recorded, first); len(lost) {
	case 0:
	case 1:
		text += "; " + lost[0] + " was in flight when it began, and may have crashed the service"
	default:
		text += "; " + strings.Join(lost, ", ") + " were in flight when it began, and one of them may have crashed the service"
	}
	if len(exchange.Unended(recorded)) > 0 || h.End != nil && h.End.Stopped != "" {
		return text
	}
	return text + "; each was sent again, and the response to that was judged"
}

// inFlight names the requests that were in flight when the service closed its first connection without a response
// before an outage.
func inFlight(recorded []exchange.Exchange, first history.Exchange) []string {
	var closed []exchange.Exchange
	var began time.Time
	for _, x := range recorded {
		without := x.Failure != nil && x.Failure.Kind == exchange.Closed && x.Response == nil
		if !without || x.Ended().Before(first.Sent.Add(-justBefore)) || x.Sent.After(first.Ended()) {
			continue
		}
		if closed = append(closed, x); began.IsZero() || x.Ended().Before(began) {
			began = x.Ended()
		}
	}
	var lost []string
	for _, x := range closed {
		if x.Sent.Before(began) {
			lost = append(lost, fmt.Sprintf("exchange %d (%s %s)", x.N, x.Request.Method, x.Request.Path))
		}
	}
	return lost
}

// justBefore is the longest time from a lost connection to the first request of an outage that belongs to it: the
// requests are sent again at once, so that 1 s is long even on a busy machine.
const justBefore = time.Second
