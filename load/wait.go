package load

import (
	"context"
	"fmt"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

// await waits until a step is due: its Pause after the last request, and for what its Wait says.
func (l *lane) await(ctx context.Context, s *Step) error {
	if s.Wait == Fresh {
		return l.fresh(ctx, s)
	}
	due, why := l.quiet.Add(s.Pause), "until the next request"
	switch end := l.blocked(); {
	case s.Wait == Reset:
		due, _ = l.resetDue()
		why = "for X-RateLimit-Reset"
	case s.Wait == RetryAfter && end.After(due):
		due, why = end, "for Retry-After"
	}
	if left := time.Until(due); left > l.run.cfg.MaxWait {
		return giveUp{fmt.Sprintf("Retry-After asks to wait %s, and the run waits at most %s; "+
			"the day's allowance may be spent, or the key banned", left.Round(time.Second), l.run.cfg.MaxWait)}
	}
	return l.wait(ctx, due, why)
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
	return spec.Sleep(ctx, d)
}

// windows returns 1.01 n windows: after that time, requests are outside n windows even if clocks are rounded.
func (l *lane) windows(n int) time.Duration {
	return time.Duration(n) * (l.run.cfg.Minute + l.run.cfg.Minute/100)
}

// fresh waits for a fresh allowance, and sends a request that shows it unless the newest response does and the step asks
// for no Pause. One window without requests is enough for every kind of limiter except a sliding counter, which may count
// a burst for almost two windows. Remaining shows that if the headers are the minute's. If it does not, or they are not,
// fresh waits two windows.
func (l *lane) fresh(ctx context.Context, s *Step) error {
	defer func() { l.looked = l.at(l.newest.Sent) }() // a full bucket gains nothing before that
	obey := &Step{Wait: RetryAfter}
	if err := l.await(ctx, obey); err != nil || s.Pause == 0 && l.untouched() {
		return err
	}
	silence := max(s.Pause, l.windows(1))
	if l.newest.N > 0 && !l.ofMinute(&l.newest) {
		silence = max(silence, l.windows(2))
	}
	for last := int64(limiter.Absent); ; silence = l.windows(2) {
		if err := l.wait(ctx, l.quiet.Add(silence), "for a fresh window"); err != nil {
			return err
		}
		if err := l.attack(ctx, &Step{Phase: s.Phase, Role: record.Look, Budget: 1}); err != nil {
			return err
		}
		r := l.newest
		if err := l.await(ctx, obey); err != nil || l.untouched() || !l.ofMinute(&r) {
			return err
		}
		if silence >= l.windows(2) {
			// After two windows without requests Remaining is the same as after one, so a fresh allowance has no more.
			if r.Accepted() && r.Remaining == last {
				l.whole = last
			}
			return nil
		}
		last = r.Remaining
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
