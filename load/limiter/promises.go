package limiter

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/spec"
)

// Wait is the first request after a 429 that waited as long as a header of the 429 asked.
type Wait struct {
	// Next is the event of the request, Refused that of the 429, and Header Retry-After or X-RateLimit-Reset.
	Next, Refused int
	Header        string
	Asked, Waited time.Duration
	// provoked says that a ban may be the cause of another 429.
	provoked bool
}

const (
	// headerRounding is how much later than the reset Reset minus Date may be: 4 s. Reset may be rounded up to a second,
	// and Date down to one. A limiter and a server that read the time from a timer of a second are each up to another
	// second behind.
	headerRounding = 4 * time.Second
	// ResetRounding is how much later the reset may be than Reset minus Date after Date: 1 s, since Date is rounded down.
	ResetRounding = time.Second
)

// waited returns for which of its headers event next waited after a refusal, and not a window longer, which would show
// little.
func (h *History) waited(refused, next int, provoked bool) (all []Wait) {
	says, waited := h.Events[refused].Says, h.Events[next].Sent-h.Events[refused].Answered
	if wait := says.RetryAfter; wait != Absent && waited >= wait && waited <= wait+h.Window {
		all = append(all, Wait{next, refused, spec.HeaderRetryAfter, wait, waited, provoked})
	}
	if in := says.ResetIn; in >= 0 && waited >= in+ResetRounding && waited <= in+h.Window {
		all = append(all, Wait{next, refused, spec.HeaderReset, in, waited, provoked})
	}
	return all
}

// promises adds what the headers promised and the limiter did not keep.
func (r *Result) promises() {
	for _, w := range r.Waits {
		if r.history.Events[w.Next].Outcome != Refused || w.provoked {
			continue
		}
		what := RefusedAfterWait
		if w.Header == spec.HeaderReset {
			what = RefusedAtReset
		}
		r.Found = append(r.Found, Contradiction{What: what, At: w.Next, After: w.Refused + 1,
			About: fmt.Sprintf("the request %s after a 429", w.Waited.Round(time.Millisecond)),
			Want:  fmt.Sprintf("accepted: the %s of the 429 asked to wait %s", w.Header, w.Asked), Got: "429"})
	}
	r.wholeBeforeReset()
	r.wrongLimits()
}

// wholeBeforeReset finds where the whole limit was available before a Reset that an earlier response named. A bucket is
// full at its Reset, so this holds for every kind. Example: each response names a window from now. At 50 s of the window
// it names 110 s, and at 61 s Remaining is 59 of 60.
func (r *Result) wholeBeforeReset() {
	h, latest := r.history, -1
	reset := func(i int) time.Duration { return h.Events[i].Sent + h.Events[i].Says.ResetIn - headerRounding }
	for i := range h.Events {
		e := &h.Events[i]
		if e.Outcome == Unknown || e.Excused || !h.ofLimit(i) || e.Says.ResetIn == Absent {
			continue
		}
		if e.Outcome == Accepted && e.Says.Remaining >= e.Says.Limit-1 {
			if latest >= 0 && h.Events[latest].Answered <= e.Sent && e.Answered < reset(latest) {
				x := &h.Events[latest].Says
				after := (e.Answered - h.Events[latest].Sent).Round(time.Millisecond)
				r.Found = append(r.Found, Contradiction{What: WholeBeforeReset, At: i, After: latest + 1, About: spec.HeaderReset,
					Want: "the time at which the limit resets",
					Got: fmt.Sprintf("%s after Date, but %d of %d requests were left %s later",
						x.ResetIn, e.Says.Remaining, e.Says.Limit, after)})
			}
			latest = -1
		} else if latest < 0 || reset(i) > reset(latest) {
			latest = i
		}
	}
}

// wrongLimits finds each Limit that is none of the plan's.
func (r *Result) wrongLimits() {
	h := r.history
	for i := range h.Events {
		if n := h.Events[i].Says.Limit; n != Absent && !slices.Contains(h.Figures, n) {
			r.Found = append(r.Found, Contradiction{What: WrongLimit, At: i, About: spec.HeaderLimit,
				Want: "a limit of the plan: " + strings.Trim(fmt.Sprint(h.Figures), "[]"), Got: fmt.Sprint(n)})
		}
	}
}
