package load

import (
	"context"
	"net/http"
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

// provokeBan repeats requests after a 429 until the target bans the key, and waits for the ban to end. Only the ban key runs it.
func (l *lane) provokeBan(ctx context.Context) error {
	l.began(record.Ban, 1, "repeating requests after a 429")
	defer l.ended(record.Ban, 1)
	if err := l.fresh(ctx, record.Ban, 1); err != nil {
		return err
	}
	limit := int(l.key.Plan.PerMinute)
	gate := &sender.Gate{}
	_, err := l.send(ctx, sender.Attack{Phase: record.Ban, Round: 1, Next: lists(record.Spend), Budget: 2*limit + 2, Workers: 1, Gate: gate})
	if err != nil {
		return err
	}
	if !gate.Shut() {
		return giveUp{"there was no 429 to ignore"}
	}
	banned := false
	_, err = l.send(ctx, sender.Attack{Phase: record.Ban, Round: 1, Next: lists(record.Press), Budget: banRequests(limit), Workers: 1,
		Each: func(r *record.Record) bool {
			banned = banned || l.isBan(r)
			return !banned
		}})
	if err != nil {
		return err
	}
	return l.endOfBan(ctx) // even if no response shows a ban: a banned key may be answered an ordinary 429 after Retry-After
}

// isBan reports whether a response shows a ban: a 401, a 403, or a Retry-After that no limit of a minute needs.
func (l *lane) isBan(r *record.Record) bool {
	return r.Barred() || r.Limited() && l.waitOf(r) > record.LongestWait(l.run.cfg.Minute)
}

// banMinutes is how long the run waits for the end of a ban: 15 of the target's minutes.
const banMinutes = 15

// endOfBan sends a request when Retry-After has passed, or after pauses that double if there is no 429, until one is accepted. It returns
// after banMinutes.
func (l *lane) endOfBan(ctx context.Context) error {
	last := time.Now().Add(banMinutes * l.run.cfg.Minute)
	step := l.run.cfg.Minute / 2
	for range banProbes {
		at := time.Now().Add(step)
		if l.newest.Limited() {
			at = l.blocked
		}
		if at.After(last) {
			return nil
		}
		if err := l.wait(ctx, at, "for the ban to end"); err != nil {
			return err
		}
		r, err := l.one(ctx, record.Ban, 1, list(record.Probe))
		if err != nil || r.Accepted() && r.Status != http.StatusForbidden {
			return err
		}
		step = min(2*step, 5*l.run.cfg.Minute)
	}
	return nil
}
