package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
	"petconform/spec/exchange"
)

// round is the state of a round of a phase.
type round struct {
	phase record.Phase
	// n is its number in the phase, from 1.
	n int
	// gate is shut by the first 429 of a step that stops at it.
	gate *sender.Gate
	// began is when the request was sent that showed the fresh allowance.
	began time.Duration
}

// giveUp is the reason why a lane can't run the rest of its phases. The other lanes go on.
type giveUp string

func (g giveUp) Error() string { return string(g) }

// phases takes a lane through its phases. A phase that can't run is noted with the reason.
func (l *lane) phases(ctx context.Context) error {
	all := slices.DeleteFunc(l.run.cfg.of(&l.key), func(p Phase) bool { return p.Within != "" })
	for i, p := range all {
		l.later = 0
		for _, later := range all[i+1:] {
			l.later += later.Cost(l.key.Plan, l.run.cfg.Minute).Usual
		}
		l.ends = time.Now().Add(p.Cost(l.key.Plan, l.run.cfg.Minute).Usual + l.later)
		err := l.runPhase(ctx, &p)
		if err == nil {
			continue
		}
		why := giveUp("the run was aborted")
		if !errors.As(err, &why) && ctx.Err() == nil {
			return err
		}
		for _, rest := range all[i:] {
			l.skip(rest.ID, string(why))
		}
		return nil
	}
	return nil
}

// runPhase runs the rounds of a phase.
func (l *lane) runPhase(ctx context.Context, p *Phase) error {
	for n := 1; ; n++ {
		l.rounds++
		l.before, l.round = l.round, round{phase: p.ID, n: n, gate: &sender.Gate{}}
		if err := l.take(ctx, p.Steps(l)); err != nil {
			return err
		}
		if p.Again == nil || !p.Again(l) {
			return nil
		}
		if ends := time.Now().Add(l.run.cfg.Minute + l.later); ends.After(l.ends) { // a round more takes about a window
			l.ends = ends
		}
	}
}

// take takes the steps of one round.
func (l *lane) take(ctx context.Context, steps []Step) error {
	if slices.ContainsFunc(steps, func(s Step) bool { return s.Other }) {
		if _, err := l.other.TryLockContext(ctx, l.run.cfg.Minute/backoffBase); err != nil {
			return err
		}
		defer func() { _ = l.other.Unlock() }() // else its file is closed when the process ends
	}
	for _, s := range steps {
		if s.If != nil && !s.If(l) || s.AtFirst429 && l.round.gate.Shut() {
			continue
		}
		if s.GiveUp != "" {
			return giveUp(s.GiveUp)
		}
		if s.Phase = cmp.Or(s.Phase, l.round.phase); s.Doing != "" {
			l.now.Phase, l.now.Round, l.now.Doing = s.Phase, l.roundOf(s.Phase), s.Doing
		}
		if err := l.await(ctx, &s); err != nil {
			return err
		}
		if s.Budget == 0 {
			continue
		}
		if err := l.attack(ctx, &s); err != nil {
			return err
		}
	}
	return nil
}

// await waits until a step is due: its Pause after the last request, and for what its role waits for.
func (l *lane) await(ctx context.Context, s *Step) error {
	due := l.quiet.Add(s.Pause)
	switch blocked := l.blocked(); {
	case s.Role == record.AtReset:
		due, _ = l.resetDue()
	case s.Role != record.Press && blocked.After(due):
		due = blocked
	}
	left := time.Until(due)
	if left > l.run.cfg.MaxWait {
		return giveUp(fmt.Sprintf("Retry-After asks to wait %s, and the run waits at most %s; "+
			"the day's allowance may be spent, or the key banned", left.Round(time.Second), l.run.cfg.MaxWait))
	}
	l.due = due
	l.show()
	for l.waited += max(0, left); left > 0 && ctx.Err() == nil; left = time.Until(due) {
		_ = spec.Sleep(ctx, min(left, showAgain))
		l.show()
	}
	return ctx.Err()
}

// showAgain is how often a wait is shown: every 30 s.
const showAgain = 30 * time.Second

// roundOf returns the number of the present round, for a phase. That of a phase within another is one of all rounds of
// the lane, so that no two are the same.
func (l *lane) roundOf(p record.Phase) int {
	if p == l.round.phase {
		return l.round.n
	}
	return l.rounds
}

// attack sends the requests of a step on one schedule, with those of the step beside it, and learns from the responses.
func (l *lane) attack(ctx context.Context, s *Step) error {
	call := s.Call
	if call == nil {
		call = list
	}
	a := sender.Attack{Phase: s.Phase, Round: l.roundOf(s.Phase), Role: s.Role, Over: s.Over, Next: call, Budget: s.Budget,
		Interval: s.Every, Spread: s.Spread, Workers: s.Workers}
	if s.AtFirst429 {
		a.Gate = l.round.gate
	}
	if s.Other { // from which the lane learns nothing
		return cmp.Or(l.side.Run(ctx, a), ctx.Err())
	}
	var beside errgroup.Group
	if s.While != nil {
		beside.Go(func() (err error) {
			defer sender.Caught(&err)
			return l.attack(ctx, s.While)
		})
	}
	gone := ""
	a.Each = func(r *record.Record) bool {
		l.learn(s, r)
		gone = cmp.Or(gone, l.gone(r))
		banned := s.Role == record.Press && r.Bans(l.run.cfg.Minute)
		return gone == "" && !banned
	}
	err := cmp.Or(l.own.Run(ctx, a), beside.Wait(), ctx.Err())
	l.quiet = time.Now()
	if err == nil && gone != "" {
		err = giveUp(gone)
	}
	return err
}

// mostSilent is how many requests in a row may fail to connect or time out before the lane ends: 20.
const mostSilent = 20

// gone returns the reason why a lane ends with a response, or "": its key can't be loaded, by the response to its first
// request, or the target is gone.
func (l *lane) gone(r *record.Record) string {
	f := r.Like.Failure
	switch first := l.now.Sent == 1; {
	case r.Status == 0 && first && !r.Reused: // a kept connection may have closed
		return "the first request got no response; is the target running, and is the address right? " + f.Detail
	case first && (r.Status/100 == 3 || r.Status == http.StatusNotFound || r.Barred()):
		return fmt.Sprintf("the first request is answered %d; are the address and the key those of the target?", r.Status)
	case r.Status != 0:
		l.silent = 0
	case f.Kind == exchange.Unreachable || f.Kind == exchange.Timeout || f.Kind == exchange.Stopped:
		if l.silent++; l.silent >= mostSilent {
			return fmt.Sprintf("%d requests in a row got no response; the last: %s", mostSilent, f.Detail)
		}
	}
	return ""
}
