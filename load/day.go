package load

import (
	"context"
	"fmt"
	"math"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

func dayPhase() phase {
	return phase{
		Phase: judge.Phase{ID: record.Day, Title: "The day's requests are accepted, and the next one is answered 429",
			Proves: []spec.ID{"RATE-13", "RATE-7"}, Judge: judge.Day},
		planned: func(c *Config) bool { return c.Day > 0 },
		cost: func(c cost) PhaseSchedule {
			least := time.Duration(c.day/c.limit) * c.Minute
			return PhaseSchedule{Requests: fewLooks + c.day + 1, Most: dayRounds*mostLooks + 2*c.day, Fastest: least,
				Longest: least + least/8 + c.Minute}
		},
		send: (*lane).dayQuota,
	}
}

// dayRounds is the largest number of rounds of the phase: 3. A 429 of the minute's limit ends a round.
const dayRounds = 3

// dayQuota sends the remaining requests of the day and one more, at just under the minute's rate. The requests of the
// phases before it are of the day too.
func (l *lane) dayQuota(ctx context.Context) error {
	day := l.key.Plan.PerDay
	if day <= 0 {
		l.skip(record.Day, "the plan has no requests per day")
		return nil
	}
	interval := l.pace()
	for round := 1; round <= dayRounds; round++ {
		if err := l.obey(ctx); err != nil {
			return err
		}
		left := day - l.spent()
		l.began(record.Day, round, fmt.Sprintf("%d requests until the day's limit", max(0, left)+1))
		if left > 0 {
			if err := l.fresh(ctx, record.Day, round); err != nil {
				return err
			}
		}
		gate := &sender.Gate{}
		_, err := l.send(ctx, sender.Attack{Phase: record.Day, Round: round, Next: lists(record.Spend), Forget: true,
			Budget:   l.beyond(left, interval),
			Interval: interval, Workers: concurrency, Gate: gate})
		l.ended(record.Day, round)
		if err != nil || !gate.Shut() || l.newest.WaitsLong(l.run.cfg.Minute) || l.spent() >= day {
			return err
		}
		// The 429 was due to the minute's limit.
	}
	return nil
}

// spent returns the number of the key's requests that were or may have been accepted.
func (l *lane) spent() int64 { return int64(l.now.Sent - l.now.Refused) }

// beyond returns how many requests exceed the day's limit of D, even if a bucket gains requests during the phase. A
// bucket gains at most D in a day, so 2D+1 within one day exceed every kind of limiter.
func (l *lane) beyond(left int64, interval time.Duration) int {
	day := l.key.Plan.PerDay
	left = max(left, 0)
	rate := float64(day) / float64(l.run.cfg.day())
	gained := rate * float64(time.Since(l.begun))
	rest := 1 - rate*float64(interval) // what a request takes from a bucket, minus the refill until the next request
	most := left + day + 1
	if rest <= 0.5 {
		return int(most)
	}
	return int(min(most, int64(math.Ceil((float64(left)+gained)/rest))+2))
}
