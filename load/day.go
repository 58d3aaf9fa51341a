package load

import (
	"fmt"
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
	// At the minute's rate or a little less, and after a 429 of the minute's limit in three rounds.
	Cost:   Cost{Requests: amount{3, 0, 1}, Usual: amount{0, 0, 1.05}, Longest: amount{1, 0, 1.125}},
	Rounds: days,
}

// dayRounds is the largest number of rounds of the phase: 3.
const dayRounds = 3

// days adds a round if one ended at a 429 of the minute's limit, or at its last request, when a bucket gained more for a
// late sender.
func days(l *lane, take func(...Step) bool) {
	if l.key.Plan.PerDay == 0 {
		l.skip(record.Day, "the plan has no requests per day")
		return
	}
	for range dayRounds {
		if !take(daySteps(l)...) {
			return
		}
		ofMinute := !l.newest.WaitsLong(l.run.cfg.Minute) && l.accepted() < l.key.Plan.PerDay
		if l.runner.gate.Shut() && !ofMinute {
			return
		}
	}
}

// daySteps sends the remaining requests of the day and one more, at just under the minute's rate. The requests of the
// phases before it are of the day too. A bucket gains requests meanwhile, and more while these are sent: at most as many
// again, where it gains up to one in two requests, and at most the day's, so 2D+1 exceed every kind of limiter.
func daySteps(l *lane) []Step {
	day, interval := l.key.Plan.PerDay, l.pace(jitterTimes*l.usual())
	left := max(0, day-l.accepted())
	begin := Step{Wait: RetryAfter, Doing: fmt.Sprintf("%d requests until the day's limit", left+1)}
	if left > 0 {
		begin.Wait = Fresh
	}
	took := time.Since(l.begun) + time.Duration(left)*interval
	gained := int64(float64(day) * float64(took) / float64(l.run.cfg.day()))
	return []Step{begin, {Role: record.Spend, Every: interval, Workers: concurrency, AtFirst429: true,
		Budget: int(left + min(2*gained+2, day+1))}}
}

// accepted returns the number of the key's requests that were or may have been accepted.
func (l *lane) accepted() int64 { return int64(l.now.Sent - l.now.Refused) }
