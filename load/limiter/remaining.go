package limiter

import (
	"fmt"
	"slices"
	"time"
)

const (
	// leastWrong is the part of a burst's responses that must have a wrong Remaining: 1/4. Fewer are told apart from a
	// response that another server gave, or that was delayed.
	leastWrong = 4
	// MostExact is the largest limit whose Remaining has to be exact: 3,000 requests a window. A larger limit may be
	// counted on several servers and be rounded, to thousands for example. The largest plan except Enterprise has 1,000.
	MostExact = 3000
)

// compare compares X-RateLimit-Remaining in a burst, up to its first 429, with what a limiter has left: from a fresh
// allowance, every kind has the limit minus the accepted requests left, or what a bucket has gained more; after a 429 there is
// nothing left. It compares the responses to requests that were alone in flight.
func (r *Result) compare(burst []int) {
	h, wrong, compared := r.history, map[What][]Contradiction{}, 0
	if n := slices.IndexFunc(burst, func(i int) bool { return h.Events[i].Outcome == Refused }); n >= 0 {
		burst = burst[:n+1]
	}
	// Of the present window: its beginning, the accepted requests, those since the last comparison, and those that may
	// have been counted.
	first := h.Events[burst[0]].Sent
	began, accepted, since, unknown := first, int64(0), int64(0), int64(0)
	before, turned, limit := int64(Absent), false, int64(h.Limit)
	for _, i := range burst {
		e := &h.Events[i]
		left := e.Says.Remaining
		differs := func(what What, want string) Contradiction {
			return Contradiction{What: what, At: i, About: "X-RateLimit-Remaining", Want: want, Got: fmt.Sprint(left)}
		}
		switch e.Outcome {
		case Unknown:
			unknown++
			continue
		case Refused:
			if h.ofLimit(i) && left > 0 && !e.Excused {
				r.Found = append(r.Found, differs(RemainingHigh, "0 in a 429"))
			}
			continue
		}
		accepted, since = accepted+1, since+1
		// A window in parts may forget the first requests after half of it.
		if !h.ofLimit(i) || !h.alone(i) || e.Answered-first > h.Window/2 {
			continue
		}
		least, most := r.left(accepted, unknown, e.Answered-began)
		if left > most && compared > 0 && left > before+2-since && !turned && left >= limit-since-unknown {
			began, accepted, unknown, turned = e.Sent, limit-left, 0, true // the next window of a clock
			least, most = left, left
		}
		before, since, compared = left, 0, compared+1
		want := fmt.Sprintf("from %d to %d, the limit minus the accepted requests", least, most)
		switch {
		case left > most:
			wrong[RemainingHigh] = append(wrong[RemainingHigh], differs(RemainingHigh, want))
		case left < least:
			wrong[RemainingLow] = append(wrong[RemainingLow], differs(RemainingLow, want))
		}
	}
	for _, what := range []What{RemainingHigh, RemainingLow} {
		if all := wrong[what]; len(all)*leastWrong > compared {
			all[0].Got += fmt.Sprintf("; wrong in %d of %d responses", len(all), compared)
			r.Found = append(r.Found, all[0])
		}
	}
	r.Compared += compared
}

// left returns the least and the most that may be left of a fresh allowance after some accepted requests, and others that
// may have been counted, in a time.
func (r *Result) left(accepted, unknown int64, took time.Duration) (least, most int64) {
	if slices.ContainsFunc(r.Explaining, func(k *Kind) bool { return k.fraction }) {
		unknown++ // what is left may be rounded
	}
	limit := int64(r.history.Limit)
	least, most = max(0, limit-accepted-unknown), max(0, limit-accepted)
	if gain := r.Gained(took); gain > rounding {
		most += int64(gain) + 1
	}
	return least, most
}
