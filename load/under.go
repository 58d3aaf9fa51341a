package load

import (
	"slices"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec"
)

var underPhase = Phase{
	Phase: judge.Phase{ID: "under", Title: "At just under the plan's rate no request is refused",
		Proves: []spec.ID{"RATE-7"}, Spends: true, Shows: showUnder,
		After: record.Recover}, // which leaves a bucket's almost empty allowance
	Cost: func(p spec.Plan, minute time.Duration) Schedule {
		return Schedule{Requests: int(2 + 3*p.PerMinute), Usual: 3 * minute, Longest: 6 * minute}
	},
	Steps: under,
	// A finding needs two cases.
	Again: func(l *lane) bool { return l.round.n < underRounds && l.round.gate.Shut() },
}

const (
	// underWindows is how many windows a round from a fresh allowance lasts: 2. A limit that is slightly too low shows in
	// the second.
	underWindows = 2
	// steadyWindows is how many windows a round from an almost empty allowance lasts: 3. A bucket that refills at 9/10 of
	// the plan's rate loses 3.7 of 60 tokens in a window, and a tenth of the limit, which is 6, is left at first.
	steadyWindows = 3
	// underRounds is the largest number of rounds: 4. From an almost empty allowance three 429s are needed to exclude
	// someone else who uses the key, and a fill less than a minute before may explain the first 429.
	underRounds = 4
	// jitterTimes is the jitter in multiples of the usual response time: 4.
	jitterTimes = 4
	// The jitter is at least 1/leastJitter of a window, since the first responses may be faster than the later ones,
	// and at most 1/mostJitter, so that the rate is at least 4/5 of the plan's.
	leastJitter, mostJitter = 50, 8
)

// pace returns the interval between requests at just under the plan's rate: the plan's requests take a window and twice
// the jitter, since the time between two requests may be shorter at the limiter than at the sender.
func (l *lane) pace(jitter time.Duration) time.Duration {
	w := l.run.cfg.Minute
	jitter = min(max(jitter, w/leastJitter), w/mostJitter)
	return (w + 2*jitter) / time.Duration(l.limit())
}

// under sends at just under the plan's rate: from a fresh allowance, or from an almost empty one, where a bucket that
// refills at 9/10 of the plan's rate refuses a request within 3 minutes; from a full bucket it would take many.
func under(l *lane) []Step {
	interval := l.pace(jitterTimes * l.usual())
	steps := append(l.fresh("sending just under the limit", 0), Step{Pause: interval, Role: record.Spend, Every: interval,
		Budget: int(underWindows * l.run.cfg.Minute / interval), Workers: concurrency, AtFirst429: true})
	if r := &l.newest; r.Accepted() && l.ofMinute(r) && int(r.Remaining) <= l.limit()/2 &&
		l.usual()*time.Duration(l.limit()) <= 2*l.run.cfg.Minute {
		steps = l.steadySteps(int(r.Remaining))
	}
	return append(steps, l.recover()...)
}

// steadySteps begin with a tenth of the limit: they send requests if more remain, or wait until a bucket has gained the
// missing ones. A bucket that a timer refills 10 times a minute may lawfully refuse a client with less than a tenth.
func (l *lane) steadySteps(remaining int) []Step {
	interval, missing := l.pace(0), l.limit()/10-remaining
	spend := Step{Role: record.Steady, Budget: max(0, -missing), AtFirst429: true,
		Doing: "sending just under the limit, from an almost empty allowance"}
	return []Step{spend, {Pause: time.Duration(max(0, missing)+1) * interval, Role: record.Steady, Every: interval,
		Budget: steadyWindows * int(l.run.cfg.Minute/interval), Workers: concurrency, AtFirst429: true}}
}

// leastRate is the part of the plan's rate at which the sender must have sent just under it: 3/4.
const leastRate = 0.75

// showUnder shows that no request is refused at just under the plan's rate (RATE-7). It is inconclusive if the fastest
// round is below leastRate.
func showUnder(v *judge.View, o *judge.Outcome) {
	all := v.Of(o.ID, record.Spend, record.Steady)
	if len(all) == 0 {
		return
	}
	o.Cite(all[0], all[len(all)-1])
	limit, window := v.Plan()
	first, best := 0, 0.0
	for i, r := range all {
		if i+1 < len(all) && all[i+1].Round == r.Round {
			continue // only the last of a round has its rate
		}
		if span := r.Sent - all[first].Sent; span > 0 {
			best = max(best, float64(i-first)*float64(window)/float64(span))
		}
		first = i + 1
	}
	if best < leastRate*float64(limit) && !slices.ContainsFunc(all, (*record.Record).Limited) {
		o.Doubt("RATE-7", "the sender was too slow: it sent %s requests a minute instead of just under %s",
			spec.Number(int(best)), spec.Number(limit))
	}
	if o.Settle("RATE-7") {
		o.Show("%s at %s a minute without an early 429", spec.Count(len(all), "request"), spec.Number(int(best)))
	}
}
