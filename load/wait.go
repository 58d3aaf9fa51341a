package load

import (
	"context"
	"fmt"
	"slices"
	"time"

	"petconform/load/record"
)

// await waits for what a step waits for.
func (l *lane) await(ctx context.Context, s *Step) error {
	due, why := l.dueOf(s)
	switch left := time.Until(due); {
	case s.Wait == Fresh:
		return l.fresh(ctx, s)
	case s.Wait == Silence:
		l.newest = record.Record{N: l.newest.N} // so that fresh does not rely on its headers
	case s.Wait == RetryAfter && left > l.run.cfg.MaxWait:
		return giveUp{fmt.Sprintf("Retry-After asks to wait %s, and the run waits at most %s; "+
			"the day's allowance may be spent, or the key banned", left.Round(time.Second), l.run.cfg.MaxWait)}
	}
	return l.wait(ctx, due, why)
}

// dueOf returns when a step is due, as far as that is known before it, and what is waited for.
func (l *lane) dueOf(s *Step) (due time.Time, why string) {
	if s.Pause > 0 {
		due, why = l.quiet.Add(s.Pause), "until the next request"
	}
	switch s.Wait {
	case Fresh:
		if !l.untouched() {
			due = l.quiet.Add(l.edge())
		}
	case Silence:
		due, why = l.quiet.Add(2*l.edge()+s.Pause), "for a window without requests"
	case Reset:
		if reset, ok := l.resetDue(); ok {
			due, why = reset, "for X-RateLimit-Reset"
		}
	case RetryAfter:
		if end := l.blocked(); end.After(due) {
			due, why = end, "for Retry-After"
		}
	case BanEnd:
		if why = "for the ban to end"; l.newest.Limited() {
			due = l.blocked()
		}
	}
	return due, why
}

// wait sleeps until a time, and shows the reason as the state of the key.
func (l *lane) wait(ctx context.Context, until time.Time, why string) error {
	d := time.Until(until)
	if d <= 0 {
		return ctx.Err()
	}
	l.update(func() {
		l.now.Doing, l.now.Waiting = fmt.Sprintf("waiting %s %s", d.Round(time.Millisecond), why), d
		l.due = until
	})
	l.waited += d
	return sleepUntil(ctx, until)
}

// edge returns 1.01 windows: after that time, requests are outside the window even if clocks are rounded.
func (l *lane) edge() time.Duration { return l.run.cfg.Minute + l.run.cfg.Minute/100 }

// fresh waits for a fresh allowance, and sends a request that shows it unless the newest response does. One window
// without requests is enough for every kind of limiter except a sliding counter, which may count a burst for almost two
// windows. Remaining shows that if the headers are the minute's. If they are not, fresh waits two windows.
func (l *lane) fresh(ctx context.Context, s *Step) error {
	defer func() { l.looked = l.at(l.newest.Sent) }() // a full bucket gains nothing before that
	obey := &Step{Wait: RetryAfter}
	if err := l.await(ctx, obey); err != nil || l.untouched() {
		return err
	}
	silence, tries := l.edge(), 2
	if l.run.cfg.Quick {
		tries = 0
	}
	if l.newest.N > 0 && !l.ofMinute(&l.newest) {
		silence *= 2
	}
	last := record.Absent
	for try := 0; ; try++ {
		if err := l.wait(ctx, l.quiet.Add(silence), "for a fresh window"); err != nil {
			return err
		}
		if err := l.attack(ctx, &Step{Phase: s.Phase, Round: s.Round, Role: record.Look, Budget: 1}); err != nil {
			return err
		}
		r := l.newest
		if r.Limited() {
			if err := l.await(ctx, obey); err != nil {
				return err
			}
		}
		if l.untouched() || !l.ofMinute(&r) || try == tries {
			return nil
		}
		// After two windows without requests Remaining is the same as after one, so a fresh allowance has no more.
		if try > 0 && r.Accepted() && r.Remaining == last {
			l.whole = r.Remaining
			return nil
		}
		last, silence = r.Remaining, 2*l.edge()
	}
}

// newFor says how old a response may be to show a fresh allowance: 1/20 of a minute, in which a bucket gains few
// requests.
const newFor = 20

// untouched reports whether the newest response shows that only its own request was counted, and is less than 1/newFor
// of a minute old.
func (l *lane) untouched() bool {
	r := &l.newest
	whole := r.Limit - 1
	if l.whole > 0 {
		whole = min(whole, l.whole)
	}
	return r.N > 0 && r.Accepted() && l.ofMinute(r) && r.Remaining >= whole && time.Since(l.quiet) < l.run.cfg.Minute/newFor
}

// Event is the state of one key, for the display of progress.
type Event struct {
	// Label names the key. Phase and Round are its present phase and round.
	Label string
	Phase record.Phase
	Round int
	// Doing says what the key is doing: "sending the plan's requests and one more", "waiting 41s for Retry-After".
	Doing string
	// Sent, Accepted and Refused count the key's requests so far.
	Sent, Accepted, Refused int
	// Limit and Remaining are from the headers of the newest response; -1 if it has none.
	Limit, Remaining int64
	// Waiting is the time until the next request during a wait; else 0.
	Waiting time.Duration
	// Left is an estimate of the time that the key still needs.
	Left time.Duration
	// Done says that the key has no further phase.
	Done bool
}

// estimate is what a key still waits for: the present wait or paced step, which ends at due; the steps of the round
// after it; the rounds of the phase after this one; and the later phases.
//
// A fresh allowance takes a window on every kind of limiter: on a fixed window the Retry-After before it, and on a
// bucket, whose Retry-After is short, a window without requests. So a round that spends an allowance takes a window.
type estimate struct {
	schedule             []PhaseSchedule
	phase                PhaseSchedule
	due                  time.Time
	steps, rounds, later time.Duration
}

// expect begins the estimate of a phase.
func (l *lane) expect(p record.Phase) {
	l.later = 0
	for _, s := range slices.Backward(l.schedule) {
		if l.phase = s; s.Phase == p {
			return
		}
		l.later += s.Usual
	}
}

// stepsLeft sets the estimate of the present step of a round, from now, of the steps after it, and of later rounds.
func (l *lane) stepsLeft(round int, now *Step, after []Step) {
	rounds := max(1, l.phase.Rounds)
	l.rounds = l.phase.Usual * time.Duration(max(0, rounds-round)) / time.Duration(rounds)
	l.due, _ = l.dueOf(now)
	waits := l.due.After(time.Now())
	if !waits {
		l.due = time.Now()
	}
	l.due, l.steps = l.due.Add(l.sends(now)), 0
	for _, s := range after {
		if s.If == nil {
			l.steps += s.Pause + l.sends(&s)
		}
	}
	comeBack := func(s Step) bool { return s.Wait == RetryAfter && s.Role == record.Probe }
	if !waits && !comeBack(*now) && slices.ContainsFunc(after, comeBack) {
		l.steps += l.run.cfg.Minute
	}
}

// sends returns how long the requests of a step take. The budget of a day is more than a target needs that does limit it.
func (l *lane) sends(s *Step) time.Duration {
	return min(s.Slow+s.Every*time.Duration(max(0, s.Budget-1)), max(l.phase.Usual, l.run.cfg.Minute))
}

// update changes the key's state and shows it.
func (l *lane) update(change func()) {
	change()
	l.run.show(l.event())
}

// event returns the key's present state, with the estimate of the time that is left.
func (l *lane) event() Event {
	e := l.now
	e.Left = max(0, time.Until(l.due)) + l.steps + l.rounds + l.later
	return e
}
