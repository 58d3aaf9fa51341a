package load

import (
	"context"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

func banPhase() phase {
	return phase{
		Phase:   judge.Phase{ID: record.Ban, Title: "A temporary ban of the key ends", Proves: []spec.ID{"RATE-16"}, Judge: judge.Ban},
		planned: func(c *Config) bool { return c.ProvokeBan },
		cost: func(c cost) PhaseSchedule {
			n := fewLooks + c.limit + 1 + banRequests(c.limit) + banProbes
			return PhaseSchedule{Requests: n, Most: n + mostLooks + c.limit + 1, Longest: (1 + banMinutes) * c.Minute}
		},
		send:  (*lane).provokeBan,
		apart: true,
	}
}

// banRequests returns the largest number of requests that are repeated after a 429 to provoke a ban.
func banRequests(limit int) int { return min(3*limit, 500) }

// banProbes is the largest number of requests to find the end of a ban: 12.
const banProbes = 12

// provokeBan repeats requests after a 429 until the target bans the key, and waits for the ban to end. Only the ban key
// runs it.
func (l *lane) provokeBan(ctx context.Context) error {
	l.began(record.Ban, 1, "repeating requests after a 429")
	defer l.ended(record.Ban, 1)
	if err := l.fresh(ctx, record.Ban, 1); err != nil {
		return err
	}
	limit := int(l.key.Plan.PerMinute)
	gate := &sender.Gate{}
	a := sender.Attack{Phase: record.Ban, Round: 1, Next: lists(record.Spend), Budget: 2*limit + 2, Gate: gate}
	if _, err := l.send(ctx, a); err != nil {
		return err
	}
	if !gate.Shut() {
		return giveUp{"there was no 429 to ignore"}
	}
	a.Next, a.Budget, a.Gate = lists(record.Press), banRequests(limit), nil
	a.Each = func(r *record.Record) bool { return !r.Bans(l.run.cfg.Minute) }
	if _, err := l.send(ctx, a); err != nil {
		return err
	}
	return l.endOfBan(ctx) // even if no response shows a ban: a banned key may be answered an ordinary 429 after Retry-After
}

// banMinutes is how long the run waits for the end of a ban: 15 of the target's minutes.
const banMinutes = 15

// endOfBan sends a request at the end of each 429's Retry-After, or after pauses that double if the last response is no
// 429, until one is accepted or banMinutes have passed.
func (l *lane) endOfBan(ctx context.Context) error {
	minute := l.run.cfg.Minute
	last, pause := time.Now().Add(banMinutes*minute), minute/2
	for range banProbes {
		at := l.blocked
		if !l.newest.Limited() {
			at = time.Now().Add(pause)
		}
		if at.After(last) {
			return nil
		}
		if err := l.wait(ctx, at, "for the ban to end"); err != nil {
			return err
		}
		if r, err := l.one(ctx, record.Ban, 1, list(record.Probe)); err != nil || r.Accepted() {
			return err
		}
		pause = min(2*pause, 5*minute)
	}
	return nil
}
