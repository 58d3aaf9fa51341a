package load

import (
	"slices"
	"time"

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
	Cost: func(p spec.Plan, minute time.Duration) Schedule {
		return Schedule{Requests: int(16 + banRequests + p.PerMinute), Usual: 5 * minute, Longest: 15 * minute}
	},
	Steps: provokeBan,
}

// banRequests is the largest number of requests that are repeated after a 429 to provoke a ban: 200.
const banRequests = 200

// provokeBan repeats requests after a 429 until the target bans the key, and sends a request at the end of each
// Retry-After, and at least after pauses, for 14 of the target's minutes. The first is sent even if no response shows a
// ban. A pause is a minute at most, so that each request shows whether Retry-After was kept.
func provokeBan(l *lane) []Step {
	w := l.run.cfg.Minute
	after := probes(record.Ban, append([]time.Duration{w / 2}, slices.Repeat([]time.Duration{w}, 13)...)...)
	after[0].If = nil
	return slices.Concat(l.fresh("repeating requests after a 429", 0), []Step{
		{Role: record.Spend, Budget: mostOfBurst(l.limit()), AtFirst429: true},
		{Role: record.Press, Budget: banRequests, If: (*lane).refused},
	}, after)
}
