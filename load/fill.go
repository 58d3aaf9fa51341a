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
	Cost: Cost{Requests: amount{27, 3, 0},
		Usual: amount{2, 0, 0}, Longest: amount{3.2, 0, 0}},
	Rounds: fills,
}

const (
	// fillRounds is how many fills a run has: 2. After an unclear result there are more, up to mostFills, since a
	// finding needs two cases.
	fillRounds, mostFills = 2, 5
	// quickFills is the largest number of fills of a quick run: 4.
	quickFills = 4
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

// fills adds a fill if the result of one is unclear, or if a quick run had the whole limit again within soonTenths.
// Without a 429 there is nothing to recover from.
func fills(l *lane, take func(...Step) bool) {
	quick, most := l.run.cfg.Quick, mostFills
	if quick {
		most = quickFills
	}
	doubt, last := false, time.Time{}
	for round := 1; round <= most && take(l.fill(round)...); round++ {
		out := &l.runner.spent
		recovered := l.newest.Accepted() && l.runner.probes <= 1
		doubt = doubt || !l.asPlanned(0) || !recovered
		soon := quick && out.began.Sub(last) < l.run.cfg.Minute*soonTenths/10
		if last = out.began; round >= fillRounds && !doubt && !soon || round == fillRounds && !out.limited {
			return
		}
	}
}

// fill spends a fresh allowance, every second time slowly, and recovers. Before a fill that is repeated because
// of a doubt, a whole run watches the key for a window, and begins the fill at another second of the minute, since all
// fills before may have crossed the end of a clock's window.
func (l *lane) fill(round int) (steps []Step) {
	w := l.run.cfg.Minute
	fresh := Step{Wait: Fresh, Doing: "sending the plan's requests and one more"}
	fill := Step{Burst: true, Role: record.Spend}
	switch {
	case round <= fillRounds:
	case l.run.cfg.Quick:
		fill.Pause = w / behindEdge
	default:
		steps = looks(watchLooks, w/watchLooks, "looking whether someone else uses the key")
		fresh.Pause = l.windows(2) + w*time.Duration(round-1)*29/100
	}
	if round%2 == 0 {
		fill.Slow = refills * w / time.Duration(2*l.limit())
	}
	return append(append(steps, fresh, fill), l.recover()...)
}
