package limiter_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"petconform/load/limiter"
	reference "petconform/spec/reference/limiter"
)

// kindOf is the kind that explains what the reference's limiter of a kind does.
var kindOf = map[reference.Kind]*limiter.Kind{
	reference.FixedFirst: limiter.FirstWindow, reference.FixedClock: limiter.ClockWindow, reference.SlidingLog: limiter.Log,
	reference.SlidingCounter: limiter.Counter, reference.TokenBucket: limiter.Bucket,
	reference.SteppedBucket: limiter.SteppedBucket, reference.SlidingParts: limiter.Parts,
}

var start = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// play asks the reference's limiter. It sees each request at a random instant between sending and response, and all requests in the
// order of these instants.
func play(kind reference.Kind, limit int, window time.Duration, requests []limiter.Event, countRefused bool, dice *rand.Rand) limiter.History {
	type seen struct {
		at time.Duration
		i  int
	}
	var order []seen
	for i, r := range requests {
		order = append(order, seen{r.Sent + time.Duration(dice.Int64N(int64(r.Answered-r.Sent)+1)), i})
	}
	slices.SortFunc(order, func(a, b seen) int { return int(a.at - b.at) })
	l := reference.New(kind, int64(limit), window)
	offset := time.Duration(dice.Int64N(int64(window)))
	for _, o := range order {
		now := start.Add(offset + o.at)
		d := l.Look(now)
		if d.Allowed || countRefused {
			l.Spend(now)
		}
		if !d.Allowed {
			requests[o.i].Outcome, requests[o.i].Says.RetryAfter = limiter.Refused, d.RetryAfter
		}
	}
	slices.SortStableFunc(requests, func(a, b limiter.Event) int { return int(a.Sent - b.Sent) })
	return limiter.History{Limit: limit, Window: window, Events: requests}
}

// arrivals draws random requests: bursts, an even pace, and pauses. Each is in flight for up to longest.
func arrivals(dice *rand.Rand, limit int, window, longest time.Duration) []limiter.Event {
	var all []limiter.Event
	now := time.Duration(0)
	for range 4 + dice.IntN(8) {
		gap := []time.Duration{window / time.Duration(50*limit), window / time.Duration(2*limit), window * 21 / 20 / time.Duration(limit)}[dice.IntN(3)]
		for range 1 + dice.IntN(limit*3/2) {
			all = append(all, limiter.Event{Sent: now, Answered: now + time.Duration(dice.Int64N(int64(longest)+1))})
			now += gap
		}
		now += time.Duration(dice.Int64N(int64(2 * window)))
	}
	return all
}

// TestEveryKindExplainsItself checks that every kind explains what the reference's limiter of that kind does, at any phase of its clock,
// with responses that take any time, and with refused requests counted or not.
func TestEveryKindExplainsItself(t *testing.T) {
	for _, k := range limiter.Kinds() {
		if !slices.Contains(slices.Collect(maps.Values(kindOf)), k) {
			t.Errorf("kindOf has no limiter of the reference for %T", k)
		}
	}
	for kind, own := range kindOf {
		for seed := range uint64(seeds(kind)) {
			dice := rand.New(rand.NewPCG(seed, 7))
			limit := []int{20, 60, 300}[dice.IntN(3)]
			longest := []time.Duration{0, time.Millisecond, 50 * time.Millisecond, 3 * time.Second}[dice.IntN(4)]
			h := play(kind, limit, time.Minute, arrivals(dice, limit, time.Minute, longest), dice.IntN(2) == 0, dice)
			if !explained(own, h) {
				t.Errorf("%s does not explain %d requests, %d a minute, responses in up to %s, seed %d", kind, len(h.Events), limit, longest, seed)
			}
		}
	}
}

// seeds is the number of random histories. It is smaller for the kinds that search for a phase.
func seeds(kind reference.Kind) int {
	if kind == reference.SlidingCounter || kind == reference.SteppedBucket || kind == reference.SlidingParts {
		return 4
	}
	return 80
}

// at makes a history of requests that take a millisecond, sent at the given seconds. A negative number is a refused request.
func at(limit int, seconds ...float64) limiter.History {
	h := limiter.History{Limit: limit, Window: time.Minute}
	for _, s := range seconds {
		r := limiter.Event{}
		if s < 0 {
			s, r.Outcome = -s, limiter.Refused
		}
		r.Sent = time.Duration(s * float64(time.Second))
		r.Answered = r.Sent + time.Millisecond
		h.Events = append(h.Events, r)
	}
	return h
}

// TestWorkedExamples has the worked examples in the comments of the kinds, and the same with one response changed.
func TestWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		name string
		kind *limiter.Kind
		h    limiter.History
		want bool
	}{
		{"three and no more", limiter.Log, at(3, 0, 10, 50, -59, 60.5, -65), true},
		{"a fourth in a minute", limiter.Log, at(3, 0, 10, 50, 59, -60.5), false},
		{"refused with two", limiter.Log, at(3, 0, 10, -59), false},
		{"six around an edge", limiter.ClockWindow, at(3, 58, 59, 59.5, -59.9, 60.5, 61, 61.5, -61.9), true},
		{"around an edge twice, half a minute apart", limiter.ClockWindow, at(3, 58, 59, 59.5, 60.5, 61, 61.5, 208, 209, 209.5, 210.5, 211, 211.5), false},
		{"seven within 7 ms", limiter.ClockWindow, at(3, 58, 58.001, 58.002, 58.003, 58.004, 58.005, 58.006), false},
		{"refused right after the edge", limiter.ClockWindow, at(3, 58, 59, 59.5, -59.9, 120.5, -121), false},
		{"a window from 10 s on", limiter.FirstWindow, at(3, 10, 20, 69, -69.5, 71, 72, 73, -74, 132), true},
		{"the window ends too soon", limiter.FirstWindow, at(3, 10, 20, 30, 41, 42, 43, 72, 73, 74, 103, 104, 105), false},
		{"refused with two in the window", limiter.FirstWindow, at(3, 10, 20, -69), false},
		{"a bucket that gains three in a minute", limiter.Bucket, at(3, 0, 1, 2, -10, 21, -30, 41), true},
		{"a token that is not there yet", limiter.Bucket, at(3, 0, 1, 2, 10), false},
		{"refused with a token", limiter.Bucket, at(3, 0, 1, 2, -21), false},
		{"a counter refuses early", limiter.Counter, at(4, 50, 51, 52, 53, -54, 75, -76, 90, -91, 105), true},
		{"a counter has no room for so many", limiter.Counter, at(4, 50, 51, 52, 53, 75, 76, 77, 78), false},
		{"two at a time, each 30 s", limiter.SteppedBucket, at(4, 1, 2, 3, 4, -5, 31, 32, -33, 61, 62, -63), true},
		{"a part of 6 s leaves", limiter.Parts, at(3, 2, 3, 5, -59, 60.5, 61, 62, -63, -119, 120.5), true},
		{"in the first 2 s of a minute again", limiter.Parts, at(3, 2, 3, 5, 31, 32, 33), false},
		{"refused after a whole minute", limiter.Parts, at(3, 2, 3, 5, -66), false},
		{"four at a time", limiter.SteppedBucket, at(4, 1, 2, 3, 4, -5, 31, 32, 33, 34), false},
		{"one at a time, each 15 s", limiter.SteppedBucket, at(4, 12, 13, 14, 15.5, 16, -17, 30.5, -31, 45.5, -46), true},
		{"two at a time, each 15 s", limiter.SteppedBucket, at(4, 12, 13, 14, 15.5, 16, -17, 30.5, 31, -32, 45.5, -46), false},
	} {
		if explained(c.kind, c.h) != c.want {
			t.Errorf("%s: want explained %t", c.name, c.want)
		}
	}
}

func explained(k *limiter.Kind, h limiter.History) bool {
	return len(limiter.Explaining(&h, []*limiter.Kind{k})) == 1
}

// TestASlowBucketRefusesTooEarly checks that a bucket which refills at 17/20 of the plan's rate has refusals that are too early, and that
// nothing is called accepted too many.
func TestASlowBucketRefusesTooEarly(t *testing.T) {
	for seed := range uint64(40) {
		dice := rand.New(rand.NewPCG(seed, 11))
		var sent []limiter.Event
		send := func(n int, at, gap time.Duration) {
			for i := range n {
				from := at + time.Duration(i)*gap
				sent = append(sent, limiter.Event{Sent: from, Answered: from + 20*time.Millisecond})
			}
		}
		gap := 50*time.Millisecond + time.Duration(dice.Int64N(int64(50*time.Millisecond)))
		send(70, 0, gap)
		send(70, 2*time.Minute, gap)
		send(150, 2*time.Minute+70*gap+7*time.Second, 1040*time.Millisecond) // at 25/26 of the plan's rate, from an almost empty bucket
		h := play(reference.TokenBucket, 60, time.Minute*20/17, sent, false, dice)
		h.Window = time.Minute
		excuseAllButOneIn(&h, 10*time.Second)
		var found []limiter.What
		for _, c := range limiter.Judge(&h).Found {
			found = append(found, c.What)
		}
		if slices.Contains(found, limiter.Over) || !slices.Contains(found, limiter.Early) {
			t.Errorf("seed %d: %q; want refusals that are too early", seed, found)
		}
	}
}

// TestABucketOfHalfTheRate checks that fast and slow fills, as of a quick run, show that a bucket which refills at half the rate refuses too
// early, and that a limit which is one too high accepts too many.
func TestABucketOfHalfTheRate(t *testing.T) {
	for _, c := range []struct {
		limit       int
		window      time.Duration
		kind        reference.Kind
		want, never limiter.What
	}{
		{60, 2 * time.Minute, reference.TokenBucket, limiter.Early, limiter.Over},
		{61, time.Minute, reference.FixedFirst, limiter.Over, limiter.Early},
		{61, time.Minute, reference.SlidingLog, limiter.Over, limiter.Early},
	} {
		var sent []limiter.Event
		for fill := range 4 {
			for i := range 75 {
				from := time.Duration(fill)*317430*time.Millisecond + time.Duration(i)*[]time.Duration{time.Millisecond, 90 * time.Millisecond}[fill%2]
				sent = append(sent, limiter.Event{Sent: from, Answered: from + time.Millisecond})
			}
		}
		h := play(c.kind, c.limit, c.window, sent, false, rand.New(rand.NewPCG(1, 11)))
		h.Limit, h.Window, h.Figures = 60, time.Minute, []int64{60}
		excuseAllButOneIn(&h, time.Minute)
		for i := range h.Events { // which show that nobody else used the key
			says := &h.Events[i].Says
			says.Limit, says.Remaining, says.ResetIn = 60, max(0, int64(59-i%75)), limiter.Absent
			if i%75 == 0 {
				h.Bursts = append(h.Bursts, nil)
			}
			h.Bursts[i/75] = append(h.Bursts[i/75], i)
		}
		found := map[limiter.What]int{}
		for _, one := range limiter.Judge(&h).Found {
			found[one.What]++
		}
		if found[c.want] < 2 || found[c.never] > 0 {
			t.Errorf("%d in %s of a %s: %v; want twice %q", c.limit, c.window, c.kind, found, c.want)
		}
	}
}

// TestAfterNamesTheFirstEventToo: the 429 whose Retry-After was not kept is the history's first event.
func TestAfterNamesTheFirstEventToo(t *testing.T) {
	says := limiter.Headers{Limit: limiter.Absent, Remaining: limiter.Absent, ResetIn: limiter.Absent, RetryAfter: time.Second}
	h := &limiter.History{Limit: 60, Window: time.Minute, Events: []limiter.Event{{Outcome: limiter.Refused, Says: says},
		{Sent: 2 * time.Second, Answered: 2 * time.Second, Outcome: limiter.Refused, Says: says}}}
	found := slices.DeleteFunc(limiter.Judge(h).Found, func(c limiter.Contradiction) bool { return c.What != limiter.RefusedAfterWait })
	if len(found) != 1 || found[0].At != 1 || found[0].After != 1 {
		t.Errorf("%+v", found)
	}
}

// excuseAllButOneIn excuses the refusals within a time of the last one that is not excused, as a run that waits after a 429 has no such.
func excuseAllButOneIn(h *limiter.History, within time.Duration) {
	last := -within
	for i := range h.Events {
		if r := &h.Events[i]; r.Outcome == limiter.Refused {
			if r.Excused = r.Sent-last < within; !r.Excused {
				last = r.Sent
			}
		}
	}
}

// TestAnEdgeWhileRequestsOverlap: the window of a clock turns while several requests are in flight, whose Remaining is not
// compared. Those after it, one at a time, are of the new window.
func TestAnEdgeWhileRequestsOverlap(t *testing.T) {
	const limit, overlapping, edge, all = 300, 200, 60, 240
	h := &limiter.History{Limit: limit, Window: time.Minute, Figures: []int64{limit}}
	left := int64(limit)
	h.Bursts = [][]int{nil}
	for i := range all {
		h.Bursts[0] = append(h.Bursts[0], i)
		if left--; i == edge {
			left = limit - 1
		}
		sent, took := time.Duration(i)*20*time.Millisecond, 15*time.Millisecond
		if i > 0 && i < overlapping {
			took = 70 * time.Millisecond
		} else if i >= overlapping {
			sent += 100 * time.Millisecond
		}
		h.Events = append(h.Events, limiter.Event{Sent: sent, Answered: sent + took,
			Says: limiter.Headers{Limit: limit, Remaining: left, ResetIn: time.Minute, RetryAfter: limiter.Absent}})
	}
	r := limiter.Judge(h)
	for _, c := range r.Found {
		t.Errorf("%s at %d: %s instead of %s", c.What, c.At, c.Got, c.Want)
	}
	if r.Compared < all-overlapping {
		t.Errorf("%d responses were compared; at least %d are wanted", r.Compared, all-overlapping)
	}
}
