package load

import (
	"petconform/load/judge"
	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

var banPhase = Phase{
	Phase: judge.Phase{ID: record.Ban, Title: "A temporary ban of the key ends", Proves: []spec.ID{"RATE-16"},
		Shows: (*judge.View).Ban, BanKey: true,
		Breaks: map[limiter.What][]spec.ID{limiter.RefusedAfterWait: {}, limiter.RefusedAtReset: {}}},
	Needs: func(c *Config) bool { return c.ProvokeBan }, Without: "it needs --provoke-ban",
	Options: func(*judge.Report) []string { return []string{"--provoke-ban"} },
	Cost: Cost{Requests: amount{215, 1, 0}, Usual: amount{5, 0, 0},
		Longest: amount{1 + banMinutes, 0, 0}},
	Steps: banSteps,
}

const (
	// banRequests is the largest number of requests that are repeated after a 429 to provoke a ban: 200.
	banRequests = 200
	// banProbes is the largest number of requests to find the end of a ban: 12.
	banProbes = 12
	// banMinutes is how long the run waits for the end of a ban: 15 of the target's minutes.
	banMinutes = 15
)

// banSteps repeats requests after a 429 until the target bans the key, and sends a request at the end of each
// Retry-After, or after pauses that double if the last response is no 429, until one is accepted or banMinutes have
// passed. It waits even if no response shows a ban: a banned key may be answered an ordinary 429 after Retry-After.
func banSteps(l *lane, _ int) []Step {
	limit, minute := l.limit(), l.run.cfg.Minute
	steps := []Step{{Wait: Fresh, Doing: "repeating requests after a 429"},
		{Role: record.Spend, Budget: 2*limit + 2, AtFirst429: true},
		{If: func(l *lane) bool { return !l.runner.gate.Shut() }, GiveUp: "there was no 429 to ignore"},
		{Role: record.Press, Budget: banRequests, Ends: func(r *record.Record) bool { return r.Bans(minute) }}}
	pause := minute / 2
	for k := range banProbes {
		probe := Step{Wait: BanEnd, Role: record.Probe, Budget: 1, Pause: pause}
		probe.If = func(l *lane) bool {
			due, _ := l.dueOf(&Step{Wait: BanEnd, Pause: probe.Pause})
			return (k == 0 || !l.newest.Accepted()) && !due.After(l.runner.ended.Add(banMinutes*minute))
		}
		steps, pause = append(steps, probe), min(2*pause, 5*minute)
	}
	return steps
}
