package limiter

import (
	"testing"
	"time"
)

const day = 24 * time.Hour

func allowance(o Options) *Allowance {
	o.Minute, o.Day = window, day
	return NewAllowance(5, 12, o)
}

// takeAll takes n requests at the same time and returns the last decision.
func takeAll(a *Allowance, now time.Time, n int) (d Decision) {
	for range n {
		d = a.Take(now)
	}
	return d
}

func TestBothFiguresAreEnforced(t *testing.T) {
	for _, kind := range Kinds() {
		a := allowance(Options{Kind: kind})
		now, accepted := start, 0
		var last Decision
		for range 200 {
			if last = a.Take(now); last.Allowed {
				accepted++
			} else if last.Limit == 5 {
				now = now.Add(last.RetryAfter)
			}
		}
		if last.Allowed || last.Limit != 12 || last.Remaining != 0 {
			t.Errorf("%s: want a refusal by the day's figure, got %+v", kind, last)
		}
		if accepted != 12 {
			t.Errorf("%s: want 12 requests of the day, got %d", kind, accepted)
		}
		if !a.Take(now.Add(last.RetryAfter)).Allowed {
			t.Errorf("%s: after the day's Retry-After (%s) a request was refused", kind, last.RetryAfter)
		}
	}
}

func TestWhatTheHeadersSpeakOf(t *testing.T) {
	for _, r := range []struct {
		name             string
		report           Report
		spent            int
		limit, remaining int64
	}{
		{"the minute first", Tightest, 1, 5, 4},
		{"the day when less is left of it", Tightest, 11, 12, 1},
		{"the minute always", OfMinute, 11, 5, 4},
		{"the day always", OfDay, 1, 12, 11},
		{"the day, also with the minute's last", OfDay, 5, 12, 7},
	} {
		t.Run(r.name, func(t *testing.T) {
			a := allowance(Options{Report: r.report})
			var d Decision
			for i := range r.spent {
				d = a.Take(start.Add(time.Duration(i/5) * window))
			}
			if !d.Allowed || d.Limit != r.limit || d.Remaining != r.remaining || d.RetryAfter != 0 {
				t.Errorf("want %d of %d, got %+v", r.remaining, r.limit, d)
			}
		})
	}
}

func TestRefusedRequestsCount(t *testing.T) {
	for _, kind := range Kinds() {
		counted, not := allowance(Options{Kind: kind, CountRefused: true}), allowance(Options{Kind: kind})
		takeAll(counted, start, 5)
		takeAll(not, start, 5)
		later := start.Add(time.Second)
		for range 3 {
			d := counted.Take(later)
			if d.Allowed || d.RetryAfter < not.Take(later).RetryAfter {
				t.Errorf("%s: want a wait at least as long as without counting, got %+v", kind, d)
			}
			if !counted.Look(later.Add(d.RetryAfter)).Allowed {
				t.Errorf("%s: after Retry-After (%s) a request was refused", kind, d.RetryAfter)
			}
		}
	}
}

func TestABanEnds(t *testing.T) {
	a := allowance(Options{BanAfter: 3, BanFor: 10 * time.Minute})
	takeAll(a, start, 5)
	if d := takeAll(a, start, 2); d.RetryAfter != window {
		t.Errorf("want a wait of %s before the ban, got %+v", window, d)
	}
	d := a.Take(start)
	if d.RetryAfter != 10*time.Minute || !d.Reset.Equal(start.Add(10*time.Minute)) || d.Remaining != 0 {
		t.Errorf("want a ban of ten minutes with the third refusal, got %+v", d)
	}
	if d = takeAll(a, start.Add(9*time.Minute), 20); d.Allowed || d.RetryAfter != time.Minute {
		t.Errorf("want a ban that grows no longer, got %+v", d)
	}
	if !a.Take(start.Add(10 * time.Minute)).Allowed {
		t.Error("after the ban a request was refused")
	}
}
