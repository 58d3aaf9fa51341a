package load

import (
	"context"
	"time"

	"petconform/load/record"
)

// edge is 1 % more than a window: a request that is sent after it is outside the window, also where clocks are rounded.
func (l *lane) edge() time.Duration { return l.run.cfg.Minute + l.run.cfg.Minute/100 }

// fresh waits for an untouched allowance and sends the request that shows it. One window without requests is enough for every kind of
// limiter but a sliding counter, which may count a burst for almost two. Remaining shows that, where the headers are the minute's.
// Where they are not, fresh waits two windows.
func (l *lane) fresh(ctx context.Context, p record.Phase, round int) error {
	if err := l.obey(ctx); err != nil {
		return err
	}
	if l.untouched() {
		return nil
	}
	silence, tries := l.edge(), 2
	if l.run.cfg.Quick {
		tries = 0
	}
	if l.newest.N > 0 && !l.ofMinute(&l.newest) {
		silence *= 2
	}
	var shown []record.Number
	for try := 0; ; try++ {
		if err := l.wait(ctx, l.quiet.Add(silence), "for a fresh window"); err != nil {
			return err
		}
		r, err := l.one(ctx, p, round, list(record.Look))
		if err != nil {
			return err
		}
		if r.Limited() {
			if err := l.obey(ctx); err != nil {
				return err
			}
		}
		if l.untouched() || !l.ofMinute(&r) || try == tries {
			return nil
		}
		// Remaining is the same after two windows without requests as after one: the target has no more.
		if shown = append(shown, r.Remaining); r.Accepted() && try > 0 && shown[try] == shown[try-1] {
			l.whole = r.Remaining
			return nil
		}
		silence = 2 * l.edge()
	}
}

// untouched says whether the newest response, less than 1/20 of a minute ago, shows that only its own request was spent.
func (l *lane) untouched() bool {
	r := &l.newest
	whole := r.Limit - 1
	if l.whole > 0 {
		whole = min(whole, l.whole)
	}
	return r.N > 0 && r.Accepted() && l.ofMinute(r) && r.Remaining >= whole && time.Since(l.quiet) < l.run.cfg.Minute/20
}
