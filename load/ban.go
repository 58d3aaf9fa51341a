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
		Phase:   judge.Phase{ID: record.Ban, Title: "A ban of the key ends", Proves: []spec.ID{"RATE-16"}, Judge: judge.Ban},
		planned: func(c *Config) bool { return c.ProvokeBan },
		cost: func(c cost) PhaseSchedule {
			n := fewLooks + c.limit + 1 + banRequests(c.limit) + banProbes
			return PhaseSchedule{Requests: n, Most: n + mostLooks + c.limit + 1, Longest: (1 + banMinutes) * c.Minute}
		},
		send:  (*lane).provokeBan,
		apart: true,
	}
}

// banRequests is the most requests that are repeated after a 429 to provoke a ban.
func banRequests(limit int) int { return min(3*limit, 500) }

// banProbes is the most requests to find the end of a ban.
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
	return l.endOfBan(ctx) // also where no response shows a ban: a banned key may get an ordinary 429 beyond Retry-After
}

// isBan says whether a response shows a ban: a 401, a 403, or a Retry-After that no limit of a minute needs.
func (l *lane) isBan(r *record.Record) bool {
	return r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden ||
		r.Limited() && l.waitOf(r) > 2*l.run.cfg.Minute+2*time.Second
}

// banMinutes is how many of the target's minutes a ban may last until the run no longer waits for its end.
const banMinutes = 15

// endOfBan tries again when the target says; where it says nothing, after pauses that double. It gives up after banMinutes.
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
