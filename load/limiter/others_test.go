package limiter_test

import (
	"testing"
	"time"

	"petconform/load/limiter"
)

// TestACounterMayCountEarlierRequests: a sliding counter counts a part of the request a minute before a fill, which is not somebody else's.
func TestACounterMayCountEarlierRequests(t *testing.T) {
	for _, counter := range []bool{true, false} {
		seconds := []float64{}
		for range 60 {
			seconds = append(seconds, float64(len(seconds))/1000)
		}
		seconds = append(seconds, -0.1)
		if counter {
			seconds = append(seconds, 60.1)
		}
		for k := range 59 {
			seconds = append(seconds, 120.8+float64(k)/1000)
		}
		h := at(60, append(seconds, -121)...)
		h.Bursts = make([][]int, 2)
		for i, left := 0, int64(59); i < len(h.Events); i++ {
			fill := min(1, h.Events[i].Sent/time.Minute)
			h.Bursts[fill] = append(h.Bursts[fill], i)
			if h.Events[i].Sent > 2*time.Minute && h.Events[i-1].Sent < 2*time.Minute {
				left = 58
			}
			h.Events[i].Says = limiter.Headers{Limit: 60, Remaining: max(0, left), ResetIn: limiter.Absent, RetryAfter: limiter.Absent}
			left--
		}
		if got := limiter.Judge(&h).Others.At; (got < 0) != counter {
			t.Errorf("with a request before the fill %t: somebody else at %d", counter, got)
		}
	}
}

// TestABurstThatBeginsSideBySide: the first response of a burst may count requests that were sent after it, which are not somebody else's.
func TestABurstThatBeginsSideBySide(t *testing.T) {
	for _, beside := range []bool{true, false} {
		var seconds []float64
		for k := range 60 {
			seconds = append(seconds, float64(k)/100)
		}
		h := at(60, append(seconds, -1)...)
		h.Bursts = [][]int{nil}
		for i := range h.Events {
			h.Bursts[0] = append(h.Bursts[0], i)
			left := min(57, 59-int64(i)) // at the first, three were counted
			h.Events[i].Says = limiter.Headers{Limit: 60, Remaining: max(0, left), ResetIn: limiter.Absent, RetryAfter: limiter.Absent}
		}
		if beside {
			h.Events[0].Answered = h.Events[2].Answered + time.Millisecond
		}
		if got := limiter.Judge(&h).Others.At; (got < 0) != beside {
			t.Errorf("side by side %t: somebody else at %d", beside, got)
		}
	}
}

// TestSomebodyElseBesideRequestsThatOverlap: in a burst Remaining falls by more than was sent, unless nobody else sends. That it
// does not is no proof: a bucket gains meanwhile.
func TestSomebodyElseBesideRequestsThatOverlap(t *testing.T) {
	for _, others := range []int64{0, 1} {
		h := &limiter.History{Limit: 60, Window: time.Minute, Bursts: [][]int{nil}, Figures: []int64{60}}
		left := int64(60)
		for i := 0; left > others; i++ {
			if left--; i%3 == 2 {
				left -= others
			}
			h.Bursts[0] = append(h.Bursts[0], i)
			h.Events = append(h.Events, limiter.Event{Sent: time.Duration(i) * 10 * time.Millisecond, Answered: time.Duration(i)*10*time.Millisecond + 15*time.Millisecond,
				Says: limiter.Headers{Limit: 60, Remaining: left, ResetIn: limiter.Absent, RetryAfter: limiter.Absent}})
		}
		if got := limiter.Judge(h).Others; got.None() || (got.At < 0) != (others == 0) {
			t.Errorf("with %d beside every third request: %+v", others, got)
		}
	}
}
