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
		After: record.Recover}, // which leaves the almost empty allowance that the steady rounds begin with
	Cost: Cost{Requests: amount{2, 5, 0}, Usual: amount{4, 0, 0}, Longest: amount{8, 0, 0}},
	Rounds: []Rounds{
		{Steps: steadySteps, Again: func(l *lane, _ int) bool { return l.runner.gate.Shut() }},
		// A finding needs two cases, and a sender that was too slow proves little.
		{Steps: underSteps, Again: func(l *lane, round int) bool {
			return round < 2 && (l.runner.gate.Shut() || l.runner.lagged)
		}},
	},
}

const (
	// underWindows is how many windows a round lasts: 2. A limit that is slightly too low shows in the second.
	underWindows = 2
	// steadyWindows is how many windows a steady round lasts: 3. A bucket that refills at 9/10 of the plan's rate loses
	// 3.7 of 60 tokens in a window, and a tenth of the limit, which is 6, is left at first.
	steadyWindows = 3
	// steadyRounds is the largest number of steady rounds: 4. Remaining is low from the beginning, so three 429s are
	// needed to exclude someone else who uses the key, and a fill less than a minute before may explain the first 429.
	steadyRounds = 4
	// jitterTimes is the jitter in multiples of the longest response time: 4.
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

// underSteps sends at just under the plan's rate for underWindows.
func underSteps(l *lane, _ int) []Step {
	interval := l.pace(jitterTimes * l.slowest())
	steps := []Step{{Wait: Fresh, Doing: "just under the limit"},
		{Pause: interval, Role: record.Spend, Every: interval, Budget: int(underWindows * l.run.cfg.Minute / interval),
			Workers: concurrency, AtFirst429: true}}
	return append(steps, l.recover()...)
}

// steadySteps sends at just under the plan's rate from an almost empty allowance. From there, a bucket that refills
// at 9/10 of the plan's rate refuses a request within 3 minutes; from a full bucket it would take many. It begins
// with a tenth of the limit: it sends requests if more remain, or waits until a bucket has gained the missing ones. A
// bucket that a timer refills 10 times a minute may lawfully refuse a client with less than a tenth.
func steadySteps(l *lane, round int) []Step {
	r, limit, w := &l.newest, l.limit(), l.run.cfg.Minute
	low := r.Accepted() && l.ofMinute(r) && int(r.Remaining) <= limit/2
	if !low || round > steadyRounds || l.usual()*time.Duration(limit) > 2*w {
		return nil
	}
	interval, missing := l.pace(0), limit/10-int(r.Remaining)
	paced := Step{Pause: time.Duration(max(0, missing)+1) * interval, Role: record.Steady, Every: interval,
		Budget: steadyWindows * int(w/interval), Workers: concurrency, AtFirst429: true}
	spend := Step{Role: record.Steady, Budget: max(0, -missing), AtFirst429: true,
		Doing: "just under the limit, from an almost empty allowance"}
	return append([]Step{spend, paced}, l.recover()...)
}

// leastRate is the part of the plan's rate at which the sender must have sent just under it: 3/4.
const leastRate = 0.75

// showUnder shows that no request is refused at just under the plan's rate (RATE-7). It is inconclusive if the fastest
// round from a fresh allowance is below leastRate.
func showUnder(v *judge.View, o *judge.Outcome) {
	all, fresh := v.Of(o.ID, record.Spend, record.Steady), v.Of(o.ID, record.Spend)
	if len(all) == 0 {
		return
	}
	o.Cite(all[0], all[len(all)-1])
	limit, window := v.Plan()
	first, best := 0, 0.0
	for i, r := range fresh {
		if i+1 < len(fresh) && fresh[i+1].Round == r.Round {
			continue // only the last of a round has its rate
		}
		if span := r.Sent - fresh[first].Sent; span > 0 {
			best = max(best, float64(i-first)*float64(window)/float64(span))
		}
		first = i + 1
	}
	if !o.Open("RATE-7") {
		if best < leastRate*float64(limit) && !slices.ContainsFunc(fresh, (*record.Record).Limited) {
			o.Doubt("RATE-7", "the sender was too slow: it sent %s requests a minute instead of just under %s",
				spec.Number(int(best)), spec.Number(limit))
		}
		o.Show("%s at %s a minute without an early 429", spec.Count(len(all), "request"), spec.Number(int(best)))
	}
	o.Settle("RATE-7")
}
