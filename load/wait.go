package load

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

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
	if left <= 0 {
		return ctx.Err()
	}
	l.due = due
	l.show()
	l.waited += left
	return spec.Sleep(ctx, left)
}

// windows returns 1.01 n windows: after that time, requests are outside n windows even if clocks are rounded.
func (l *lane) windows(n int) time.Duration {
	return time.Duration(n) * (l.run.cfg.Minute + l.run.cfg.Minute/100)
}

// fresh returns the steps that wait for a fresh allowance, and send a request that shows it unless the newest response
// does and no pause is asked for. One window without requests is enough for every kind of limiter except a sliding
// counter, which may count a burst for almost two windows. Remaining shows that if the headers are the minute's. If it
// does not, or they are not, the pause is two windows.
func (l *lane) fresh(doing string, pause time.Duration) []Step {
	look := Step{Doing: doing, Role: record.Look, Budget: 1, Pause: max(pause, l.windows(1)),
		If: func(l *lane) bool { return pause > 0 || !l.untouched() }}
	if l.newest.N > 0 && !l.ofMinute(&l.newest) {
		look.Pause = max(pause, l.windows(2))
	}
	again := look
	again.Pause = l.windows(2)
	again.If = func(l *lane) bool { return look.Pause < again.Pause && l.ofMinute(&l.newest) && !l.untouched() }
	return []Step{{Doing: doing}, look, again}
}

// newFor says how old a response may be to show a fresh allowance: 1/20 of a minute, in which a bucket gains few
// requests.
const newFor = 20

// untouched reports whether the newest response shows that only its own request was counted, and is less than 1/newFor
// of a minute old.
func (l *lane) untouched() bool {
	r := &l.newest
	return r.Accepted() && l.ofMinute(r) && r.Remaining >= cmp.Or(l.whole, r.Limit-1) &&
		time.Since(l.quiet) < l.run.cfg.Minute/newFor
}
