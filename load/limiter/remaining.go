package limiter

import (
	"fmt"
	"time"
)

const (
	// leastWrong is the part of a burst's responses that must have a wrong Remaining: 1/4. Fewer are told apart from a
	// response that another server gave, or that was delayed.
	leastWrong = 4
	// MostExact is the largest limit whose Remaining has to be exact: 3,000 requests a window. A larger limit may be
	// counted on several servers and be rounded, to thousands for example. The largest plan except Enterprise has 1,000.
	MostExact = 3000
	// risesNeeded is how often Remaining must rise within a burst: 10 times. It rises at the end of a window, and with
	// each step of a timer.
	risesNeeded = 10
)

// remaining compares X-RateLimit-Remaining with what a limiter has left. From a fresh allowance, every kind has the limit
// minus the accepted requests left, or what a bucket has gained more. compared counts the exact comparisons: no other
// request was in flight.
func (h *History) remaining(r *Result) (found []Contradiction, compared int) {
	rounded := int64(0)
	if len(r.Explaining) > 0 && r.Explaining[0] == Counter {
		rounded = 1
	}
	if h.Limit > MostExact {
		return nil, 0
	}
	for first := 0; first < len(h.Events); {
		last := first
		for last < len(h.Events) && h.Events[last].Burst == h.Events[first].Burst {
			last++
		}
		if h.Events[first].Burst > 0 {
			b := burst{History: h, gained: r.Gained, rounded: rounded, first: first, last: last, base: first, before: Absent}
			b.compare()
			found, compared = append(found, b.found()...), compared+b.exact
		}
		first = last
	}
	return found, compared
}

// burst is the comparison of the events from first to last, without last.
type burst struct {
	*History
	gained func(time.Duration) float64
	// rounded is how much less a Remaining may be by rounding: 1 if only a sliding counter explains the history, whose
	// estimate is a fraction.
	rounded     int64
	first, last int
	// base is the first event of the window in which the burst is now, and before the last Remaining.
	base   int
	before int64
	turned bool
	// exact counts the exact comparisons, and right those that hold. high and low are the events whose Remaining is too
	// large or too small, and rises those whose Remaining rose. refused is the first 429 if its Remaining is not 0.
	exact, right     int
	high, low, rises []int
	refused          int
	wanted           map[int]string
}

func (b *burst) compare() {
	b.refused, b.wanted = -1, map[int]string{}
	limited := false
	for i := b.first; i < b.last; i++ {
		e := &b.Events[i]
		if e.Outcome == Unknown || !b.ofLimit(i) {
			continue
		}
		if e.Outcome == Refused {
			if !limited && e.Says.Remaining > 0 && !e.Excused {
				b.refused = i
			}
			limited = true
			continue
		}
		if limited || e.Answered-b.Events[b.first].Sent > b.Window/2 { // a window in parts may forget the first requests by then
			continue
		}
		b.accepted(i)
	}
}

// accepted compares the Remaining of an accepted request.
func (b *burst) accepted(i int) {
	e := &b.Events[i]
	least, most := b.left(i)
	left := e.Says.Remaining
	known := b.before != Absent
	if left > most && known && left > b.before+1 && !b.turned && left >= int64(b.Limit)-1-(most-least) {
		b.base, b.turned = i, true // the next window of a clock
		least, most = b.left(i)
	}
	lone := b.alone(i)
	if lone {
		b.exact++
	}
	if known && lone && float64(left-b.before) > b.perWindow(e.Answered-e.Sent) {
		b.rises = append(b.rises, i)
	}
	b.before = left
	switch {
	case left > most:
		b.high = append(b.high, i)
	case left < least:
		b.low = append(b.low, i)
	default:
		if lone {
			b.right++
		}
		return
	}
	if b.wanted[i] = fmt.Sprint(least); least != most {
		b.wanted[i] = fmt.Sprintf("from %d to %d", least, most)
	}
}

// left returns the least and the most that may be left after event i.
func (b *burst) left(i int) (least, most int64) {
	e := &b.Events[i]
	surely, perhaps := int64(1), int64(1)
	for k := b.base; k < b.last; k++ {
		switch x := &b.Events[k]; {
		case k == i || x.Outcome == Refused || x.Sent >= e.Answered:
		case x.Outcome == Accepted && x.Answered <= e.Sent:
			surely, perhaps = surely+1, perhaps+1
		default:
			perhaps++
		}
	}
	gain := b.gained(e.Answered - b.Events[b.base].Sent)
	most = max(0, int64(b.Limit)-surely)
	if gain > rounding {
		most += int64(gain) + 1
	}
	return max(0, int64(b.Limit)-perhaps-b.rounded), most
}

// found returns the contradictions of the burst.
func (b *burst) found() []Contradiction {
	var found []Contradiction
	add := func(what What, at int, want, got string) {
		found = append(found, Contradiction{What: what, At: at, Because: b.first, Stage: b.Events[at].Stage, About: "X-RateLimit-Remaining", Want: want, Got: got})
	}
	for what, wrong := range map[What][]int{RemainingHigh: b.high, RemainingLow: b.low} {
		if n := b.right + len(b.high) + len(b.low); len(wrong)*leastWrong > n {
			add(what, wrong[0], b.wanted[wrong[0]]+", the limit minus the accepted requests",
				fmt.Sprintf("%d; wrong in %d of %d responses", b.Events[wrong[0]].Says.Remaining, len(wrong), n))
		}
	}
	if b.refused >= 0 {
		add(RemainingHigh, b.refused, "0 in a 429", fmt.Sprint(b.Events[b.refused].Says.Remaining))
	}
	if len(b.rises) >= risesNeeded && len(b.rises)*leastWrong > b.exact {
		add(RemainingRises, b.rises[0], "one less with each accepted request", fmt.Sprintf("it rises %d times", len(b.rises)))
	}
	return found
}
