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
	Cost: Cost{Requests: amount{7, 0, 0}, Longest: amount{3, 0, 0}},
}

const (
	// most429 is how often in a row a request after Retry-After may be answered 429 until the next is the last: 4. More
	// requests would only risk a ban.
	most429 = 4
	// backoffBase is half the first pause of the backoff between probes: 1/60 of a minute, which is 1 s.
	backoffBase = 60
)

// recover sends a request as soon as Retry-After has passed, which finds a Retry-After that was rounded down.
func (l *lane) recover() []Step { return l.comeBack((*lane).early) }

// atReset sends a request at X-RateLimit-Reset, unless that is soon before the end of Retry-After.
func (l *lane) atReset() []Step {
	return l.comeBack(func(l *lane) bool {
		reset, known := l.resetDue() // not known if a request in flight with the 429 was accepted
		return l.early() || known && !reset.Before(l.blocked()) && time.Until(reset) <= l.run.cfg.MaxWait
	})
}

// comeBack returns the steps after a 429, which end when one is accepted: a request at Reset if atReset says so, and then
// probes when Retry-After has passed. The probes after the first are sent after pauses that double from 1/30 of a minute,
// since a Retry-After of 0 would otherwise cause a flood. The last one is sent after two windows without requests.
func (l *lane) comeBack(atReset func(*lane) bool) []Step {
	steps := []Step{{Phase: record.Recover, Doing: "waiting for X-RateLimit-Reset",
		Wait: Reset, Role: record.AtReset, Budget: 1,
		If: func(l *lane) bool { return l.refused() && atReset(l) }}}
	for k := range most429 + 1 {
		probe := Step{Phase: record.Recover, Doing: "waiting for Retry-After",
			Wait: RetryAfter, Role: record.Probe, Budget: 1, If: (*lane).refused}
		switch k {
		case 0:
		case most429:
			probe.Pause = 2 * l.edge()
		default:
			probe.Pause = l.run.cfg.Minute / backoffBase << k
		}
		steps = append(steps, probe)
	}
	return append(steps, Step{If: (*lane).refused, GiveUp: "5 times in a row a request after Retry-After was answered 429"})
}

// refused reports whether the round had a 429 and no request after it that was not refused.
func (l *lane) refused() bool {
	return !l.runner.back && (l.runner.gate.Shut() || l.newest.Limited())
}

// resetDue returns the time in X-RateLimit-Reset, by this machine's clock, and ResetRounding: received + Reset - Date. It
// is known if the newest response is a 429 with a Reset that is not before Date, and no more than three of the target's
// minutes after it, one more than a sliding counter needs, plus 2 s, since each of the two may be off by one. A later
// Reset is the day's.
func (l *lane) resetDue() (time.Time, bool) {
	in := l.newest.ResetIn
	if !l.newest.Limited() || in < 0 || in > 3*l.run.cfg.Minute+2*time.Second {
		return time.Time{}, false
	}
	return l.at(l.newest.Received()).Add(in + limiter.ResetRounding), true
}

// early returns whether a Reset is tested by itself: if it is well before the end of Retry-After, since no other
// request would test it. It is tested only after the 429 that ends a fill, since later the key may be banned beyond Reset,
// and only after odd fills, so that the even ones test Retry-After. Well before is 2 s, since each may be off by one
// through rounding, or 1/8 of a scaled minute of less than 16 s.
func (l *lane) early() bool {
	reset, ok := l.resetDue()
	r := &l.newest
	return ok && r.Role == record.Spend && r.Phase == record.Fill && r.Round%2 == 1 &&
		reset.Before(l.blocked().Add(-min(2*time.Second, l.run.cfg.Minute/8)))
}
