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
	Cost: func(p spec.Plan, minute time.Duration) Schedule {
		whole := time.Duration(float64(minute) * float64(p.PerDay) / float64(p.PerMinute))
		return Schedule{Requests: int(3 + p.PerDay), Usual: whole * 21 / 20, Longest: minute + whole*9/8}
	},
	Steps: day,
	// A round may end at a 429 of the minute's limit, or at its last request, when a bucket gained more for a late sender.
	Again: func(l *lane) bool {
		ofDay := l.newest.WaitsLong(l.run.cfg.Minute) || l.accepted() >= l.key.Plan.PerDay
		return l.round.n < dayRounds && l.key.Plan.PerDay > 0 && !(l.round.gate.Shut() && ofDay)
	},
}

// dayRounds is the largest number of rounds of the phase: 3.
const dayRounds = 3

// jitterTimes is the jitter of a day's requests, in multiples of the usual response time: 4.
const jitterTimes = 4

// day sends the remaining requests of the day and more, at just under the minute's rate. The requests of the phases
// before it are of the day too. A bucket gains requests meanwhile, and more while these are sent: at most as many again,
// where it gains up to one in two requests.
func day(l *lane) []Step {
	day, paced := l.key.Plan.PerDay, l.paced(record.Spend, jitterTimes*l.usual())
	if day == 0 {
		l.skip(record.Day, "the plan has no requests per day")
		return nil
	}
	left := max(0, day-l.accepted())
	took := time.Since(l.run.rec.Meta.Started) + time.Duration(left)*paced.Every
	gained := int64(float64(day) * float64(took) / float64(l.run.cfg.day()))
	paced.Doing = fmt.Sprintf("sending %d requests until the day's limit", left+1)
	paced.Budget = int(left + min(2*gained+2, day+1)) // 2D+1 exceed every kind of limiter
	return []Step{paced}
}

// accepted returns the number of the key's requests that were or may have been accepted.
func (l *lane) accepted() int64 { return int64(l.now.Sent - l.now.Refused) }
