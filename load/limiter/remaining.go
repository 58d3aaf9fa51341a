package limiter

import "fmt"

const (
	// leastWrong is the part of a burst's responses that must have a wrong Remaining: 1/4. Fewer may be the responses of
	// another server, or be delayed.
	leastWrong = 4
	// MostExact is the largest limit whose Remaining has to be exact: 3,000 requests a window. A larger limit may be
	// counted on several servers and be rounded, to thousands for example. The largest plan except Enterprise has 1,000.
	MostExact = 3000
	// risesNeeded is how often Remaining must rise within a burst: 10 times. It rises at the end of a window, and with
	// each step of a timer.
	risesNeeded = 10
)

// remaining compares X-RateLimit-Remaining with what a limiter has left. From a fresh allowance, every kind has the limit
// minus the accepted requests left, or what a bucket has gained more. A burst is compared up to its first 429, for half a
// window, since a window in parts may forget the first requests by then, and until the next window of a clock begins.
// compared counts the exact comparisons: no other request was in flight.
func (h *History) remaining(r *Result) (found []Contradiction, compared int) {
	add := func(what What, at int, want, got string) {
		found = append(found, Contradiction{What: what, At: at, About: "X-RateLimit-Remaining", Want: want, Got: got})
	}
	for from, to := range h.bursts() {
		if h.Limit > MostExact {
			break
		}
		wrong, want, all, exact, before := map[What][]int{}, map[What]string{}, 0, 0, int64(Absent)
		for i := from; i < to; i++ {
			e := &h.Events[i]
			left := e.Says.Remaining
			if e.Outcome == Unknown || !h.ofLimit(i) {
				continue
			}
			if e.Outcome == Refused && left > 0 && !e.Excused {
				add(RemainingHigh, i, "0 in a 429", fmt.Sprint(left))
			}
			least, most := h.left(r, from, i)
			if e.Outcome == Refused || e.Answered-h.Events[from].Sent > h.Window/2 || before != Absent && left > max(before+1, most) {
				break
			}
			alone, what := h.alone(i), RemainingHigh
			if alone {
				exact++
			}
			if alone && before != Absent && float64(left-before) > h.perWindow(e.Answered-e.Sent) {
				wrong[RemainingRises] = append(wrong[RemainingRises], i)
			}
			if before = left; left < least {
				what = RemainingLow
			} else if left <= most {
				if alone {
					all++
				}
				continue
			}
			all++
			wrong[what] = append(wrong[what], i)
			if want[what] == "" {
				want[what] = fmt.Sprintf("%d, the limit minus the accepted requests", most)
				if least < most {
					want[what] = fmt.Sprintf("from %d to %s", least, want[what])
				}
			}
		}
		compared += exact
		for what, at := range wrong {
			if what == RemainingRises && len(at) >= risesNeeded && len(at)*leastWrong > exact {
				add(what, at[0], "one less with each accepted request", fmt.Sprintf("it rises %d times", len(at)))
			} else if what != RemainingRises && len(at)*leastWrong > all {
				add(what, at[0], want[what], fmt.Sprintf("%d; wrong in %d of %d responses", h.Events[at[0]].Says.Remaining, len(at), all))
			}
		}
	}
	return found, compared
}

// left returns the least and the most that may be left after event i, if a fresh allowance began with event base.
func (h *History) left(r *Result, base, i int) (least, most int64) {
	e := &h.Events[i]
	surely, perhaps := int64(1), int64(1)
	for k := base; k < len(h.Events) && h.Events[k].Sent < e.Answered; k++ {
		switch x := &h.Events[k]; {
		case k == i || x.Outcome == Refused:
		case x.Outcome == Accepted && x.Answered <= e.Sent:
			surely, perhaps = surely+1, perhaps+1
		default:
			perhaps++
		}
	}
	if len(r.Explaining) > 0 && r.Explaining[0] == Counter { // its estimate is a fraction, and may be rounded
		perhaps++
	}
	most = max(0, int64(h.Limit)-surely)
	if gain := r.Gained(e.Answered - h.Events[base].Sent); gain > rounding {
		most += int64(gain) + 1
	}
	return max(0, int64(h.Limit)-perhaps), most
}
