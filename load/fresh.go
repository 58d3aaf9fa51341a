package load

import (
	"context"
	"time"

	"petconform/load/record"
)

// edge returns 1.01 windows: after that time, requests are outside the window even if clocks are rounded.
func (l *lane) edge() time.Duration { return l.run.cfg.Minute + l.run.cfg.Minute/100 }

// fresh waits for a fresh allowance, and sends a request that shows it unless the newest response does. One window
// without requests is enough for every kind of limiter except a sliding counter, which may count a burst for almost two
// windows. Remaining shows that if the headers are the minute's. If they are not, fresh waits two windows.
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
		// After two windows without requests Remaining is the same as after one, so a fresh allowance has no more.
		if shown = append(shown, r.Remaining); r.Accepted() && try > 0 && shown[try] == shown[try-1] {
			l.whole = r.Remaining
			return nil
		}
		silence = 2 * l.edge()
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
