package load

import (
	"context"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

func underPhase() phase {
	return phase{
		Phase: judge.Phase{ID: record.Under, Title: "At just under the plan's rate no request is refused",
			Proves: []spec.ID{"RATE-7"}, Judge: judge.Under},
		planned: always,
		cost: func(c cost) PhaseSchedule {
			return PhaseSchedule{Requests: fewLooks + (underWindows+steadyWindows)*c.limit,
				Most:    2*(mostLooks+underWindows*c.limit) + steadyRounds*steadyWindows*c.limit,
				Fastest: underWindows * c.Minute, Longest: (underWindows + steadyWindows + 3) * c.Minute}
		},
		send:  (*lane).under,
		after: record.Backoff, // which leaves the almost empty allowance that steady begins with
	}
}

// underWindows is how many windows a round lasts: 2. A limit that is slightly too low shows in the second.
const underWindows = 2

const (
	// jitterTimes is the jitter in multiples of the longest response time: 4.
	jitterTimes = 4
	// The jitter is at least 1/leastJitter of a window, since the first responses may be faster than the later ones,
	// and at most 1/mostJitter, so that the rate is at least 4/5 of the plan's.
	leastJitter, mostJitter = 50, 8
	// mostLag is how much longer than planned a round may take: 1/4. A slower sender stays so far below the plan's rate
	// that it proves little.
	mostLag = 4
)

// pace returns the interval between requests at just under the plan's rate: the plan's requests take a window and twice
// the jitter, since the time between two requests may be shorter at the limiter than at the sender.
func (l *lane) pace() time.Duration {
	w := l.run.cfg.Minute
	jitter := min(max(jitterTimes*l.slowest(), w/leastJitter), w/mostJitter)
	return (w + 2*jitter) / time.Duration(l.key.Plan.PerMinute)
}

// under runs steady, and then sends at just under the plan's rate for underWindows. There is a second round after a
// 429, since a finding needs two cases, and if the sender took mostLag longer than planned.
func (l *lane) under(ctx context.Context) error {
	if err := l.steady(ctx); err != nil {
		return err
	}
	for round := 1; round <= 2; round++ {
		l.began(record.Under, round, "just under the limit")
		if err := l.fresh(ctx, record.Under, round); err != nil {
			return err
		}
		interval := l.pace()
		budget := int(underWindows * l.run.cfg.Minute / interval)
		gate := &sender.Gate{}
		if err := l.wait(ctx, l.quiet.Add(interval), "for the pace"); err != nil {
			return err
		}
		begun := time.Now()
		_, err := l.send(ctx, sender.Attack{Phase: record.Under, Round: round, Next: lists(record.Spend), Budget: budget,
			Interval: interval, Workers: concurrency, Gate: gate})
		l.ended(record.Under, round)
		planned := interval * time.Duration(budget)
		lagged := time.Since(begun) > planned+planned/mostLag
		if err != nil || !gate.Shut() && !lagged {
			return err
		}
		if !gate.Shut() {
			continue
		}
		if err := l.recover(ctx, 10+round); err != nil {
			return err
		}
	}
	return nil
}

const (
	// steadyWindows is how many windows a round of steady lasts: 3. A bucket that refills at 9/10 of the plan's rate
	// loses 3.7 of 60 tokens in a window, and a tenth of the limit, which is 6, is left at first.
	steadyWindows = 3
	// steadyRounds is the largest number of rounds of steady: 4. Remaining is low from the beginning, so three 429s are
	// needed to exclude someone else who uses the key, and a fill less than a minute before may explain the first 429.
	steadyRounds = 4
)

// steadyPace returns the interval between the requests of steady. It has the least jitter, since a tenth of the limit
// is left at first.
func (l *lane) steadyPace() time.Duration {
	w := l.run.cfg.Minute
	return (w + 2*w/leastJitter) / time.Duration(l.key.Plan.PerMinute)
}

// steady sends at just under the plan's rate from an almost empty allowance. From there, a bucket that refills at 9/10
// of the plan's rate refuses a request within 3 minutes; from a full bucket it would take many. There is another round
// after each 429.
func (l *lane) steady(ctx context.Context) error {
	limit, w := int(l.key.Plan.PerMinute), l.run.cfg.Minute
	if l.usual()*time.Duration(limit) > 2*w {
		return nil
	}
	for round := record.SteadyRound; round < record.SteadyRound+steadyRounds; round++ {
		if r := &l.newest; !r.Accepted() || !l.ofMinute(r) || int(r.Remaining) > limit/2 {
			return nil
		}
		l.began(record.Under, round, "just under the limit, from an almost empty allowance")
		a := sender.Attack{Phase: record.Under, Round: round, Next: lists(record.Spend), Gate: &sender.Gate{}}
		if err := l.almostEmpty(ctx, a); err != nil {
			return err
		}
		a.Interval, a.Workers = l.steadyPace(), concurrency
		a.Budget = steadyWindows * int(w/a.Interval)
		if _, err := l.send(ctx, a); err != nil {
			return err
		}
		l.ended(record.Under, round)
		if !a.Gate.Shut() {
			return nil
		}
		if err := l.recover(ctx, 10+round); err != nil {
			return err
		}
	}
	return nil
}

// almostEmpty leaves a tenth of the limit: it sends requests if more remain, or waits until a bucket has gained the
// missing ones. A bucket that a timer refills 10 times a minute may lawfully refuse a client with less than a tenth.
func (l *lane) almostEmpty(ctx context.Context, a sender.Attack) error {
	missing := int(l.key.Plan.PerMinute)/10 - int(l.newest.Remaining)
	if missing < 0 {
		a.Budget = -missing
		if _, err := l.send(ctx, a); err != nil {
			return err
		}
		missing = 0
	}
	return l.wait(ctx, l.quiet.Add(time.Duration(missing+1)*l.steadyPace()), "for a tenth of the limit")
}
