package load

import (
	"fmt"
	"math"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec"
)

var dayPhase = Phase{
	Phase: judge.Phase{ID: record.Day, Title: "The day's requests are accepted, and the next one is answered 429",
		Proves: []spec.ID{"RATE-13", "RATE-7"}, Adds: true, Shows: (*judge.View).Day},
	Needs: func(c *Config) bool { return c.Day > 0 }, Without: "it needs --day",
	Options: func(r *judge.Report) []string {
		return []string{"--day", time.Duration(r.DayS * float64(time.Second)).String()}
	},
	Skip: func(l *lane) string {
		if l.key.Plan.PerDay > 0 {
			return ""
		}
		return "the plan has no requests per day"
	},
	// At the minute's rate or a little less, and after a 429 of the minute's limit in three rounds.
	Cost: Cost{Requests: amount{3, 0, 1}, Usual: amount{0, 0, 1.05}, Longest: amount{1, 0, 1.125}},
	// A round ends at a 429 of the minute's limit, or at its last request, when a bucket gained more for a late sender.
	Steps: daySteps,
	Again: func(l *lane, round int) bool {
		ofMinute := !l.newest.WaitsLong(l.run.cfg.Minute) && l.spent() < l.key.Plan.PerDay
		return round < dayRounds && (!l.runner.gate.Shut() || ofMinute)
	},
}

// dayRounds is the largest number of rounds of the phase: 3.
const dayRounds = 3

// daySteps sends the remaining requests of the day and one more, at just under the minute's rate. The requests of the
// phases before it are of the day too.
func daySteps(l *lane, _ int) []Step {
	left, interval := max(0, l.key.Plan.PerDay-l.spent()), l.pace(jitterTimes*l.slowest())
	begin := Step{Wait: RetryAfter, Doing: fmt.Sprintf("%d requests until the day's limit", left+1)}
	if left > 0 {
		begin.Wait = Fresh
	}
	return []Step{begin, {Role: record.Spend, Every: interval, Workers: concurrency, AtFirst429: true,
		Budget: l.beyond(left, interval)}}
}

// spent returns the number of the key's requests that were or may have been accepted.
func (l *lane) spent() int64 { return int64(l.now.Sent - l.now.Refused) }

// beyond returns how many requests exceed the day's limit of D, even if a bucket gains requests during the phase. A
// bucket gains at most D in a day, so 2D+1 within one day exceed every kind of limiter.
func (l *lane) beyond(left int64, interval time.Duration) int {
	day := l.key.Plan.PerDay
	rate := float64(day) / float64(l.run.cfg.day())
	gained := rate * float64(time.Since(l.begun))
	rest := 1 - rate*float64(interval) // what a request takes from a bucket, minus the refill until the next request
	most := left + day + 1
	if rest <= 0.5 {
		return int(most)
	}
	return int(min(most, int64(math.Ceil((float64(left)+gained)/rest))+2))
}
