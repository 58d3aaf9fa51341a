package load

import (
	"time"

	"petconform/load/judge"
	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

var recoverPhase = Phase{
	Phase: judge.Phase{ID: record.Recover,
		Title:  "A client that backs off until Retry-After, or until X-RateLimit-Reset, is accepted",
		Proves: []spec.ID{"RATE-8", "RATE-9", "RATE-5"}, Shows: (*judge.View).Recover,
		Within: record.Fill, Breaks: map[limiter.What][]spec.ID{limiter.Early: {"RATE-8"}}},
	OfAll: true, // each phase recovers from its own 429s
	// The run recovers up to twice from the 429s of each phase that spends.
	Cost: func(_ spec.Plan, minute time.Duration) Schedule { return Schedule{Requests: 7, Longest: 3 * minute} },
}

const (
	// backoffBase is half the first pause of the backoff between probes: 1/60 of a minute, which is 1 s.
	backoffBase = 60
	// banGuess is how long the last probe waits for the end of a ban, in the target's minutes: 3. The interface says only
	// that a ban is temporary. No kind of limiter counts a request for as long.
	banGuess = 3
)

// recover returns the steps after a 429, which end when a request is accepted. The probes after the first are sent after
// pauses that double from 1/30 of a minute, since a Retry-After of 0 would otherwise cause a flood.
func (l *lane) recover() []Step {
	base := l.run.cfg.Minute / backoffBase
	return append(probes(record.Recover, 0, 2*base, 4*base, 8*base, banGuess*l.run.cfg.Minute),
		Step{If: (*lane).refused, GiveUp: "5 times in a row a request after Retry-After was refused"})
}

// probes are requests after a 429, until one is accepted: each when Retry-After has passed, and a pause after the last
// request.
func probes(phase record.Phase, pauses ...time.Duration) (steps []Step) {
	for _, pause := range pauses {
		steps = append(steps, Step{Phase: phase, Doing: "asking again after Retry-After", Pause: pause,
			Role: record.Probe, Budget: 1, If: (*lane).refused})
	}
	return steps
}

// atReset is a request at the time in X-RateLimit-Reset of the last 429, if that is known and tests says so: early is how
// long before the end of Retry-After it is.
func atReset(tests func(early time.Duration) bool) Step {
	return Step{Phase: record.Recover, Doing: "asking again at X-RateLimit-Reset", Role: record.AtReset, Budget: 1,
		If: func(l *lane) bool {
			due, known := l.resetDue()
			return known && tests(l.blocked().Sub(due))
		}}
}

// resetDue returns the time in X-RateLimit-Reset, by this machine's clock, and ResetRounding: received + Reset - Date. It
// is known if the last 429 has a Reset that is not before Date, and no more than three of the target's minutes after it,
// one more than a sliding counter needs, plus 2 s, since each of the two may be off by one. A later Reset is the day's.
func (l *lane) resetDue() (time.Time, bool) {
	in := l.refusal.ResetIn
	known := l.refused() && in >= 0 && in <= 3*l.run.cfg.Minute+2*time.Second
	return l.at(l.refusal.Received()).Add(in + limiter.ResetRounding), known
}
