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
	"petconform/spec/exchange"
)

// runner is the state of the round that a lane is in.
type runner struct {
	phase record.Phase
	round int
	// gate is shut by the first 429 of a step that stops at it.
	gate *sender.Gate
	// spent counts what the round has spent, and probes the requests after its 429.
	spent  filled
	probes int
}

// giveUp is the reason why a lane can't run the rest of its phases. The other lanes go on.
type giveUp struct{ why string }

func (g giveUp) Error() string { return g.why }

// phases takes a lane through its phases. A phase that can't run is noted with the reason.
func (l *lane) phases(ctx context.Context) error {
	all := slices.DeleteFunc(l.run.cfg.of(l.ban), func(p Phase) bool { return p.Within != "" })
	for i, p := range all {
		l.expect(p.ID)
		err := l.runPhase(ctx, &p)
		var why giveUp
		switch {
		case err == nil:
			continue
		case errors.As(err, &why):
		case ctx.Err() != nil:
			why.why = "the run was aborted"
		default:
			return err
		}
		for _, rest := range all[i:] {
			l.skip(rest.ID, why.why)
		}
		return nil
	}
	return nil
}

// runPhase runs the rounds of a phase.
func (l *lane) runPhase(ctx context.Context, p *Phase) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var err error
	round := 0
	p.Rounds(l, func(steps ...Step) bool {
		round++
		l.rounds++
		l.runner = runner{phase: p.ID, round: round, gate: &sender.Gate{}}
		err = l.take(ctx, steps)
		return err == nil
	})
	return err
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
		if s.If != nil && !s.If(l) {
			continue
		}
		if s.GiveUp != "" {
			return giveUp{s.GiveUp}
		}
		if s.Phase = cmp.Or(s.Phase, l.runner.phase); s.Doing != "" {
			l.now.Phase, l.now.Round, l.now.Doing = s.Phase, l.roundOf(s.Phase), s.Doing
			l.show()
		}
		if err := l.await(ctx, &s); err != nil {
			return err
		}
		if err := l.send(ctx, &s); err != nil {
			return err
		}
	}
	return nil
}

// roundOf returns the number of the present round, for a phase. That of a phase within another is one of all rounds of
// the lane, so that no two are the same.
func (l *lane) roundOf(p record.Phase) int {
	if p == l.runner.phase {
		return l.runner.round
	}
	return l.rounds
}

// send sends the requests of a step, which has begun.
func (l *lane) send(ctx context.Context, s *Step) error {
	switch {
	case s.Burst:
		return l.burst(ctx, s)
	case s.Budget == 0, s.AtFirst429 && l.runner.gate.Shut():
		return nil
	case s.While == nil:
		return l.attack(ctx, s)
	}
	var beside errgroup.Group
	beside.Go(func() (err error) {
		defer sender.Caught(&err)
		return l.attack(ctx, s.While)
	})
	return errors.Join(l.attack(ctx, s), beside.Wait())
}

// attack sends the requests of a step on one schedule, and learns from the responses.
func (l *lane) attack(ctx context.Context, s *Step) error {
	// A slow fill and an overload are to have few workers, and are not the pace at which latency counts from due.
	a := sender.Attack{Phase: s.Phase, Round: l.roundOf(s.Phase), Next: s.Call, Budget: s.Budget, Interval: s.Every,
		Spread: s.Burst || s.Role == record.Press, Workers: s.Workers}
	if s.Call == nil {
		a.Next = func(int) sender.Call { return list(s.Role) }
	}
	if s.AtFirst429 {
		a.Gate = l.runner.gate
	}
	if s.Other { // from which the lane learns nothing
		return cmp.Or(l.side.Run(ctx, a), ctx.Err())
	}
	gone := ""
	a.Each = func(r *record.Record) bool {
		l.learn(s, r)
		gone = cmp.Or(gone, l.gone(r))
		return gone == "" && (s.Ends == nil || !s.Ends(r))
	}
	err := l.own.Run(ctx, a)
	if l.quiet = time.Now(); s.Role == record.Spend || s.Role == record.Press {
		l.runner.spent.began, l.runner.spent.took = l.looked, l.quiet.Sub(l.looked)
	}
	if err = cmp.Or(err, ctx.Err()); err == nil && gone != "" {
		err = giveUp{gone}
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
