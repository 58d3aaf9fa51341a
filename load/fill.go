package load

import (
	"time"

	"petconform/load/judge"
	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

var fillPhase = Phase{
	Phase: judge.Phase{ID: record.Fill, Title: "The plan's requests are accepted, and the next one is answered 429",
		Proves: []spec.ID{"RATE-6", "RATE-7"}, Spends: true, Shows: (*judge.View).Fill,
		Breaks: map[limiter.What][]spec.ID{judge.InPlaceOf429: {"RATE-6"}}},
	// With up to 5 fills, the fresh allowance before each, 12 looks in three windows between them, and a bucket's gain.
	Cost: func(p spec.Plan, minute time.Duration) Schedule {
		return Schedule{Requests: int(27 + 3*p.PerMinute), Usual: 2 * minute, Longest: 16 * minute / 5}
	},
	Steps: fill,
	Again: fillAgain,
}

const (
	// fillRounds is how many fills a run has: 2. After an unclear result there are more, up to mostFills, since a
	// finding needs two cases.
	fillRounds, mostFills = 2, 5
	// soonTenths is how soon after a fill another one needs a further one in a quick run, in tenths of a minute: 9. If the
	// whole limit is available again that soon once, a clock's window may have ended; if twice, no limiter explains it. The
	// other phases of a whole run show it too. Such a fill begins 1/behindEdge, 1/40, of a minute after the allowance
	// is whole, since at the edge of a clock it may belong to either window.
	soonTenths, behindEdge = 9, 40
	// watchLooks is how often the headers are read in the window between two unclear fills: 12 times. If Remaining falls by
	// more than one between two requests, someone else uses the key.
	watchLooks = 12
	// refills is the gain of a bucket during a slow fill, in half tokens: 11, which is 5.5 tokens. A fast and a slow
	// fill distinguish a bucket from a limit that is 5 too high: only a bucket accepts more requests if the fill takes
	// longer. The number is odd, so that the fill does not end when the bucket gains a whole token.
	refills = 11
)

// fillAgain adds a fill if the result of one is unclear, or if a quick run had the whole limit again within soonTenths.
// Without a 429 there is nothing to recover from.
func fillAgain(l *lane) bool {
	n := l.round.n
	soon := l.run.cfg.Quick && l.round.began-l.before.began < l.run.cfg.Minute*soonTenths/10
	return n < fillRounds || n < mostFills && (n > fillRounds || l.round.gate.Shut()) && (soon || l.unclear())
}

// fill spends a fresh allowance, every second time slowly, and recovers. Before a fill that is repeated because
// of a doubt, a whole run watches the key for a window, and begins the fill at another second of the minute, since all
// fills before may have crossed the end of a clock's window.
func fill(l *lane) (steps []Step) {
	n, w := l.round.n, l.run.cfg.Minute
	var late, behind, slow time.Duration
	switch {
	case n <= fillRounds:
	case l.run.cfg.Quick:
		behind = w / behindEdge
	default:
		steps = looks(watchLooks, w/watchLooks, "looking whether someone else uses the key")
		late = l.windows(2) + w*time.Duration(n-1)*29/100
	}
	if n%2 == 0 {
		slow = refills * w / time.Duration(2*l.limit())
	}
	burst := l.burst(1, list)
	burst[0].Pause, burst[0].Every = behind, slow/time.Duration(burst[0].Budget)
	steps = append(steps, l.fresh("sending the plan's requests and one more", late)...)
	steps = append(steps, burst...)
	if n%2 == 1 {
		// A Reset well before the end of Retry-After is tested by no other request. Well before is 2 s, since each may be off
		// by one through rounding, or 1/8 of a scaled minute of less than 16 s. The even fills test Retry-After.
		steps = append(steps, atReset(func(early time.Duration) bool { return early > min(2*time.Second, w/8) }))
	}
	return append(steps, l.recover()...)
}
