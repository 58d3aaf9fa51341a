package limiter

import "fmt"

const (
	// leastWrong is the part of a burst's responses that must have a wrong Remaining: 1/4. Fewer are told apart from a
	// response that another server gave, or that was delayed.
	leastWrong = 4
	// MostExact is the largest limit whose Remaining has to be exact: 3,000 requests a window. A larger limit may be
	// counted on several servers and be rounded, to thousands for example. The largest plan except Enterprise has 1,000.
	MostExact = 3000
)

// remaining compares X-RateLimit-Remaining with what a limiter has left. From a fresh allowance, every kind has the limit
// minus the accepted requests left, or what a bucket has gained more. compared counts the exact comparisons: no other
// request was in flight.
func (h *History) remaining(r *Result) (found []Contradiction, compared int) {
	if h.Limit > MostExact {
		return nil, 0
	}
	for first, end := range h.bursts() {
		more, exact := h.compare(r, first, end)
		found, compared = append(found, more...), compared+exact
	}
	return found, compared
}

// compare compares the events of the burst from event first until before event end, up to its first 429.
func (h *History) compare(r *Result, first, end int) (found []Contradiction, exact int) {
	add := func(what What, at int, want, got string) {
		found = append(found, Contradiction{What: what, At: at, About: "X-RateLimit-Remaining", Want: want, Got: got})
	}
	base, before, turned := first, int64(Absent), false // the first event of the present window, and the last Remaining
	wrong, want, right := map[What][]int{}, map[What]string{}, 0
	for i := first; i < end; i++ {
		e := &h.Events[i]
		left, known := e.Says.Remaining, before != Absent
		if e.Outcome == Unknown || !h.ofLimit(i) {
			continue
		}
		if e.Outcome == Refused {
			if left > 0 && !e.Excused {
				add(RemainingHigh, i, "0 in a 429", fmt.Sprint(left))
			}
			break
		}
		if e.Answered-h.Events[first].Sent > h.Window/2 { // a window in parts may forget the first requests by then
			continue
		}
		least, most := h.left(r, base, i)
		if left > most && known && left > before+1 && !turned && left >= int64(h.Limit)-1-(most-least) {
			base, turned = i, true // the next window of a clock
			least, most = h.left(r, base, i)
		}
		lone := h.alone(i)
		if lone {
			exact++
		}
		before = left
		what := RemainingHigh
		switch {
		case left < least:
			what = RemainingLow
		case left <= most:
			if lone {
				right++
			}
			continue
		}
		if wrong[what] = append(wrong[what], i); want[what] == "" {
			want[what] = wanted(least, most) + ", the limit minus the accepted requests"
		}
	}
	n := right + len(wrong[RemainingHigh]) + len(wrong[RemainingLow])
	for _, what := range []What{RemainingHigh, RemainingLow} {
		if all := wrong[what]; len(all)*leastWrong > n {
			got := fmt.Sprintf("%d; wrong in %d of %d responses", h.Events[all[0]].Says.Remaining, len(all), n)
			add(what, all[0], want[what], got)
		}
	}
	return found, exact
}

// left returns the least and the most that may be left after event i, if a fresh allowance began with event base.
func (h *History) left(r *Result, base, i int) (least, most int64) {
	e := &h.Events[i]
	surely, perhaps := int64(1), int64(1)
	for k := base; k < len(h.Events) && h.Events[k].Burst == e.Burst && h.Events[k].Sent < e.Answered; k++ {
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

func wanted(least, most int64) string {
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("from %d to %d", least, most)
}
