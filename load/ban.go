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
	Cost:    Cost{Requests: amount{216, 1, 0}, Usual: amount{5, 0, 0}, Longest: amount{15, 0, 0}},
	Rounds:  func(l *lane, take func(...Step) bool) { take(banSteps(l)...) },
}

// banRequests is the largest number of requests that are repeated after a 429 to provoke a ban: 200.
const banRequests = 200

// banSteps repeats requests after a 429 until the target bans the key, and sends a request at the end of each
// Retry-After, and at least after pauses, for 14 of the target's minutes. The first is sent even if no response shows a
// ban. A pause is a minute at most, so that each request shows whether Retry-After was kept.
func banSteps(l *lane) []Step {
	limit, w := l.limit(), l.run.cfg.Minute
	after := probes(record.Ban, append([]time.Duration{w / 2}, slices.Repeat([]time.Duration{w}, 13)...)...)
	after[0].If = nil
	return append([]Step{{Wait: Fresh, Doing: "repeating requests after a 429"},
		{Role: record.Spend, Budget: 2*limit + 2, AtFirst429: true},
		{Role: record.Press, Budget: banRequests, Ends: l.bans, If: (*lane).refused}}, after...)
}

// bans reports whether a response to a repeated request shows a ban.
func (l *lane) bans(r *record.Record) bool { return r.Bans(l.run.cfg.Minute) }
