package limiter

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Wait is the first request after a 429 that waited as long as the 429 asked: by Retry-After, or by Reset.
type Wait struct {
	// Refused is the event of the 429, and Next that of the request.
	Refused, Next int
	Asked, Waited time.Duration
	FromReset     bool
	// provoked says that a ban may be the cause of another 429.
	provoked bool
}

// headerRounding is how much later than the reset Reset minus Date may be: 3 s. Reset may be rounded up to a second, Date
// down to one, and a server that sets its Date by a timer, once a second, is up to another second behind. resetRounding
// is how much later the reset may be than Reset minus Date after Date: 1 s, since Date is rounded down.
const headerRounding, resetRounding = 3 * time.Second, time.Second

// waits returns the requests that waited, and not a window longer, which would show little. A request that was in flight
// with the 429 may have taken the token of the next one, so a request that is refused again must follow its 429, and no
// other request may be in flight with it.
func (h *History) waits() []Wait {
	var out []Wait
	senders := h.senders()
	a, followed := -1, false // the last 429, and whether a request was sent after it
	for i := range h.Events {
		b := &h.Events[i]
		after := a >= 0 && b.Sent >= h.Events[a].Answered
		refused := b.Outcome == Refused
		if after && !followed && h.after(i) && (!refused || a == i-1 && h.alone(i)) {
			says, waited := h.Events[a].Says, b.Sent-h.Events[a].Answered
			if asked := says.RetryAfter; asked != Absent && waited >= asked && waited <= asked+h.Window {
				out = append(out, Wait{a, i, asked, waited, false, senders[i].provoked})
			}
			if asked := says.ResetIn; asked != Absent && asked >= 0 && waited >= asked+resetRounding && waited <= asked+h.Window {
				out = append(out, Wait{a, i, asked, waited, true, senders[i].provoked})
			}
		}
		if followed = followed || after; refused {
			a, followed = i, false
		}
	}
	return out
}

// promises returns what the headers promised and the limiter did not keep.
func (h *History) promises(r *Result) []Contradiction {
	var found []Contradiction
	for _, w := range r.Waits {
		if h.Events[w.Next].Outcome != Refused || w.provoked {
			continue
		}
		what, header := RefusedAfterWait, "Retry-After"
		if w.FromReset {
			what, header = RefusedAtReset, "X-RateLimit-Reset"
		}
		found = append(found, Contradiction{What: what, At: w.Next,
			About: fmt.Sprintf("the request %s after a 429", w.Waited.Round(time.Millisecond)),
			Want:  fmt.Sprintf("accepted: the %s of the 429 asked to wait %s", header, w.Asked), Got: "429"})
	}
	return append(append(found, h.wholeBeforeReset(r)...), h.wrongLimits()...)
}

// wholeBeforeReset finds where the whole limit was available before a Reset that an earlier response named. A bucket is
// full at its Reset, so this holds for every kind. Example: each response names a window from now. At 50 s of the window
// it names 110 s, and at 61 s Remaining is 59 of 60.
func (h *History) wholeBeforeReset(r *Result) []Contradiction {
	var found []Contradiction
	latest := -1
	reset := func(i int) time.Duration { return h.Events[i].Sent + h.Events[i].Says.ResetIn - headerRounding }
	for i := range h.Events {
		e := &h.Events[i]
		if e.Outcome == Unknown || e.Excused || !h.ofLimit(i) || e.Says.ResetIn == Absent {
			continue
		}
		if e.Outcome == Accepted && e.Says.Remaining >= e.Says.Limit-1 {
			if latest >= 0 && h.Events[latest].Answered <= e.Sent && e.Answered < reset(latest) {
				x, what := &h.Events[latest], WholeBeforeReset
				if most := float64(x.Says.Remaining) + r.Gained(e.Answered-x.Sent) + 1; !r.forgets() && float64(e.Says.Remaining) > most {
					what = RemainingHigh // no kind that explains the history is whole by then
				}
				found = append(found, Contradiction{What: what, At: i,
					About: "X-RateLimit-Reset", Want: "the time at which the limit resets",
					Got: fmt.Sprintf("%s after Date, but %d of %d requests were left %s later", x.Says.ResetIn, e.Says.Remaining, e.Says.Limit,
						(e.Answered - x.Sent).Round(time.Millisecond))})
			}
			latest = -1
		} else if latest < 0 || reset(i) > reset(latest) {
			latest = i
		}
	}
	return found
}

// wrongLimits finds each Limit that is none of the plan's.
func (h *History) wrongLimits() []Contradiction {
	var found []Contradiction
	for i := range h.Events {
		if n := h.Events[i].Says.Limit; n != Absent && !slices.Contains(h.Figures, n) {
			found = append(found, Contradiction{What: WrongLimit, At: i, About: "X-RateLimit-Limit",
				Want: "a limit of the plan: " + strings.Trim(fmt.Sprint(h.Figures), "[]"), Got: fmt.Sprint(n)})
		}
	}
	return found
}
