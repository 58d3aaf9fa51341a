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
	// gate is shut by the first 429 of a step that stops at it.
	gate *sender.Gate
	// sent counts what the round has spent: first its first step, and all every one.
	first, all filled
	// probes is the number of requests after the 429, and back says that one of them was not refused.
	probes int
	back   bool
	// lagged says that a paced step took mostLag longer than planned.
	lagged bool
	// ended is when the last step ended that spends.
	ended time.Time
	// apart are the independent connections.
	apart []http.RoundTripper
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
		if err == nil {
			continue
		}
		var why giveUp
		if !errors.As(err, &why) {
			if ctx.Err() == nil {
				return err
			}
			why.why = "the run was aborted"
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
	if p.Skip != nil {
		if why := p.Skip(l); why != "" {
			l.skip(p.ID, why)
			return nil
		}
	}
	for round := 1; ; round++ {
		if err := l.take(ctx, p.ID, p.Steps(l, round)); err != nil || p.Again == nil || !p.Again(l, round) {
			return err
		}
	}
}

// take takes the steps of one round.
func (l *lane) take(ctx context.Context, p record.Phase, steps []Step) error {
	l.runner = runner{gate: &sender.Gate{}}
	defer l.leave()
	rounds := map[record.Phase]int{p: l.number(p)} // and those of the phases within it
	for _, s := range steps {
		if s.If != nil && !s.If(l) {
			continue
		}
		if s.GiveUp != "" {
			return giveUp{s.GiveUp}
		}
		if s.Phase = cmp.Or(s.Phase, p); rounds[s.Phase] == 0 {
			rounds[s.Phase] = l.number(s.Phase)
		}
		s.Round = cmp.Or(s.Round, rounds[s.Phase])
		if err := l.enter(ctx, &s); err != nil {
			return err
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

// number returns the number of the next round of a phase.
func (l *lane) number(p record.Phase) int {
	l.numbered[p]++
	return l.numbered[p]
}

// enter shows that a round begins, when a step is the first of its phase and round. An exclusive one waits for the lock.
func (l *lane) enter(ctx context.Context, s *Step) (err error) {
	if !s.Other && (l.now.Phase != s.Phase || l.now.Round != s.Round) {
		l.now.Phase, l.now.Round, l.now.Doing = s.Phase, s.Round, s.Doing
		l.show()
	}
	if !s.Exclusive {
		return l.alone.Unlock()
	}
	_, err = l.alone.TryLockContext(ctx, l.run.cfg.Minute/backoffBase)
	return err
}

// leave ends a round.
func (l *lane) leave() {
	_ = l.alone.Unlock() // else its file is closed when the process ends
	for _, t := range l.runner.apart {
		(&http.Client{Transport: t}).CloseIdleConnections()
	}
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
	beside.Go(func() error {
		w := *s.While
		w.Round = s.Round
		if err := sleepUntil(ctx, time.Now().Add(w.Pause)); err != nil {
			return err
		}
		return l.attack(ctx, &w)
	})
	return errors.Join(l.attack(ctx, s), beside.Wait())
}

// mostLag is how much longer than planned a paced step may take: 1/4. A slower sender stays so far below the plan's
// rate that it proves little.
const mostLag = 4

// attack sends the requests of a step on one schedule, and learns from the responses.
func (l *lane) attack(ctx context.Context, s *Step) error {
	// A slow fill and an overload are to have few workers, and are not the pace at which latency counts from due.
	a := sender.Attack{Phase: s.Phase, Round: s.Round, Next: s.Call, Budget: s.Budget, Interval: s.Every,
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
	r := &l.runner
	for len(r.apart) < s.Conns {
		r.apart = append(r.apart, l.run.cfg.Connect())
	}
	gone := ""
	a.Connections, a.Each = r.apart, l.learning(s, &gone)
	begun := time.Now()
	err := l.own.Run(ctx, a)
	l.quiet = time.Now()
	planned := s.Every * time.Duration(s.Budget)
	r.lagged = r.lagged || s.Every > 0 && l.quiet.Sub(begun) > planned+planned/mostLag
	switch s.Role {
	case record.Probe, record.AtReset:
		r.back = !l.newest.Limited()
	case record.Spend, record.Press:
		r.all.began, r.ended, r.all.took = l.looked, l.quiet, l.quiet.Sub(l.looked)
		if r.first.sent == 0 {
			r.first = r.all
		}
	case record.Look:
		if s.Phase == record.Headers && l.newest.N > 0 {
			gone = cmp.Or(gone, unusable(&l.newest))
		}
	}
	if err = cmp.Or(err, ctx.Err()); err == nil && gone != "" {
		err = giveUp{gone}
	}
	return err
}

// mostSilent is how many requests in a row may fail to connect or time out before the lane ends: 20.
const mostSilent = 20

// learning returns a function for Attack.Each that notes a response in the lane, and ends the attack when the target is
// gone; the reason is then in gone.
func (l *lane) learning(s *Step, gone *string) func(*record.Record) bool {
	silent := 0
	return func(r *record.Record) bool {
		l.learn(s, r)
		switch f := r.Like.Failure; {
		case r.Status != 0:
			silent = 0
		case f != nil && (f.Kind == exchange.Unreachable || f.Kind == exchange.Timeout || f.Kind == exchange.Stopped):
			if silent++; silent >= mostSilent {
				*gone = fmt.Sprintf("%d requests in a row got no response; the last: %s", mostSilent, f.Detail)
			}
		}
		if s.See != nil {
			s.See(r)
		}
		return *gone == "" && (s.Ends == nil || !s.Ends(r))
	}
}
