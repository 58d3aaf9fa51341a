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
	// underWindows is how many windows a round lasts: 3. A bucket that refills at 9/10 of the plan's rate loses 3.7 of 60
	// tokens in a window, and a tenth of the limit, which is 6, is left at first.
	underWindows = 3
	// underRounds is the largest number of rounds: 4. From an almost empty allowance three 429s are needed to exclude
	// someone else who uses the key, and a fill less than a minute before may explain the first 429.
	underRounds = 4
	// The bounds of the jitter.
	leastJitter, mostJitter = 50, 8
)

// under sends at just under the plan's rate, from what the recovery left of the allowance. A bucket that refills at 9/10 of
// the plan's rate refuses a request within 3 minutes from an almost empty one; from a full one it would take many. So if no
// more than half is left, all but a tenth of the limit is spent first.
func under(l *lane) []Step {
	spend := Step{Doing: "sending just under the limit", Role: record.Look, AtFirst429: true}
	if left := l.left(); left <= l.limit()/2 {
		spend.Budget = max(0, left-l.limit()/10)
		spend.Workers = l.inFlight(spend.Budget, l.run.cfg.Minute/farTime)
	}
	steady := l.paced(record.Steady, 0)
	steady.Budget = int(underWindows * l.run.cfg.Minute / steady.Every)
	return append([]Step{spend, steady}, l.recover()...)
}

// left returns how many requests of the minute the newest response says are left, or 0 if it does not say.
func (l *lane) left() int {
	if r := &l.newest; r.Accepted() && l.ofMinute(r) {
		return int(r.Remaining)
	}
	return 0
}

// paced returns a step at just under the plan's rate: the plan's requests take a window and twice the jitter, since the
// time between two requests may be shorter at the limiter than at the sender. The jitter is at least 1/leastJitter of a
// window, since the first responses may be faster than the later ones, and at most 1/mostJitter, so that the rate is at
// least 4/5 of the plan's. The step begins when a bucket has gained what is
// missing of a tenth of the limit: one that a timer refills 10 times a minute may lawfully refuse a client with less.
func (l *lane) paced(role record.Role, jitter time.Duration) Step {
	w := l.run.cfg.Minute
	interval := (w + 2*min(max(jitter, w/leastJitter), w/mostJitter)) / time.Duration(l.limit())
	missing := max(0, l.limit()/10-l.left())
	return Step{Role: role, Pause: time.Duration(missing+1) * interval, Every: interval, Workers: concurrency,
		AtFirst429: true}
}

// leastRate is the part of the plan's rate at which requests must have been served just under it: 3/4.
const leastRate = 0.75

// showUnder shows that no request is refused at just under the plan's rate (RATE-7). It is inconclusive if in the last
// round, which alone may be without a 429, requests were served at less than leastRate: the sender was too slow, or the
// target answered otherwise.
func showUnder(v *judge.View, o *judge.Outcome) {
	all := v.Of(o.ID, record.Steady)
	if len(all) == 0 {
		return
	}
	first, last := all[0], all[len(all)-1]
	o.Cite(first, last)
	limit, window := v.Plan()
	all = slices.DeleteFunc(all, func(r *record.Record) bool { return r.Round != last.Round })
	span := max(1, last.Sent-all[0].Sent)
	all = slices.DeleteFunc(all, (*record.Record).Unsure)
	rate := float64(len(all)-1) * float64(window) / float64(span)
	if rate < leastRate*float64(limit) && !slices.ContainsFunc(all, (*record.Record).Limited) {
		o.Doubt("RATE-7", "only %s requests a minute were sent and served, instead of just under %s",
			spec.Number(int(max(0, rate))), spec.Number(limit))
	}
	if o.Settle("RATE-7") {
		o.Show("%s at %s a minute without an early 429", spec.Count(len(all), "request"), spec.Number(int(rate)))
	}
}
