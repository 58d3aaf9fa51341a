package load

import (
	"context"
	"fmt"
	"slices"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
)

// await waits for what a step waits for.
func (l *lane) await(ctx context.Context, s *Step) error {
	if s.Wait == Fresh {
		return l.fresh(ctx, s)
	}
	due, why := l.dueOf(s)
	switch left := time.Until(due); {
	case s.Wait == Silence:
		l.newest = record.Record{N: l.newest.N} // so that fresh does not rely on its headers
	case s.Wait == RetryAfter && left > l.run.cfg.MaxWait:
		return giveUp{fmt.Sprintf("Retry-After asks to wait %s, and the run waits at most %s; "+
			"the day's allowance may be spent, or the key banned", left.Round(time.Second), l.run.cfg.MaxWait)}
	}
	return l.wait(ctx, due, why)
}

// dueOf returns when a step is due, and what is waited for.
func (l *lane) dueOf(s *Step) (due time.Time, why string) {
	if s.Pause > 0 {
		due, why = l.quiet.Add(s.Pause), "until the next request"
	}
	switch s.Wait {
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
	l.now.Doing, l.due = fmt.Sprintf("waiting %s %s", d.Round(time.Millisecond), why), until
	l.show()
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
	silence := l.edge()
	if l.newest.N > 0 && !l.ofMinute(&l.newest) {
		silence *= 2
	}
	last := int64(limiter.Absent)
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
		if l.untouched() || !l.ofMinute(&r) || try == 2 {
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
	// Left is an estimate of the time that the key still needs.
	Left time.Duration
}

// estimate is what a key still needs: until the end of the present wait, or as long as its phase usually takes, and then
// the later phases.
type estimate struct {
	schedule       []PhaseSchedule
	due, phaseEnds time.Time
	later          time.Duration
}

// expect begins the estimate of a phase.
func (l *lane) expect(p record.Phase) {
	l.later = 0
	for _, s := range slices.Backward(l.schedule) {
		if s.Phase == p {
			l.phaseEnds = time.Now().Add(s.Usual)
			return
		}
		l.later += s.Usual
	}
}

// show passes the key's state to Config.Progress, with the estimate of the time that is left.
func (l *lane) show() {
	if l.run.cfg.Progress != nil {
		e := l.now
		e.Left = max(0, time.Until(l.due), time.Until(l.phaseEnds)) + l.later
		l.run.cfg.Progress(e)
	}
}
