package limiter

import (
	"math/rand/v2"
	"testing"
	"time"
)

// start is in the middle of a clock's minute and not on a whole second.
var start = time.Date(2026, time.March, 1, 12, 0, 20, 300_000_000, time.UTC)

const window = time.Minute

// take decides about one request and counts it if it is allowed.
func take(l Limiter, now time.Time) Decision {
	d := l.Look(now)
	if d.Allowed {
		l.Spend(now)
	}
	return d
}

// burst takes n requests with a gap between them, and returns the number that were allowed.
func burst(l Limiter, from time.Time, n int, gap time.Duration) (allowed int, last Decision, end time.Time) {
	for i := range n {
		end = from.Add(time.Duration(i) * gap)
		if last = take(l, end); last.Allowed {
			allowed++
		}
	}
	return allowed, last, end
}

// A client that waits for Retry-After or until Reset is accepted. One that comes earlier than Retry-After is refused.
func TestWaitingHelps(t *testing.T) {
	for _, kind := range everyKind() {
		for _, gap := range []time.Duration{0, 13 * time.Millisecond, 700 * time.Millisecond} {
			at := func() (Limiter, Decision, time.Time) {
				l := New(kind, 60, window)
				_, d, now := burst(l, start, 60, gap)
				for d.Allowed {
					now = now.Add(gap)
					d = take(l, now)
				}
				return l, d, now
			}
			l, d, now := at()
			if early := l.Look(now.Add(d.RetryAfter - time.Millisecond)); early.Allowed {
				t.Errorf("%s: a millisecond before Retry-After (%s) a request was allowed", kind, d.RetryAfter)
			}
			if !l.Look(now.Add(d.RetryAfter)).Allowed {
				t.Errorf("%s: after Retry-After (%s) a request was refused", kind, d.RetryAfter)
			}
			if l, d, _ = at(); !l.Look(d.Reset).Allowed {
				t.Errorf("%s: at Reset (%s) a request was refused", kind, d.Reset)
			}
		}
	}
}

// No kind allows more than its bound in any window, for random arrivals with bursts and pauses.
func TestTheBoundsHold(t *testing.T) {
	most := map[Kind]int{FixedFirst: 2*40 - 1, FixedClock: 2 * 40, SlidingLog: 40, SlidingCounter: 2*40 - 1, TokenBucket: 2*40 - 1, SteppedBucket: 2 * 40, SlidingParts: 2 * 40}
	for _, kind := range everyKind() {
		random := rand.New(rand.NewPCG(7, 11))
		l := New(kind, 40, window)
		now, accepted := start, []time.Time(nil)
		for range 20_000 {
			if random.IntN(100) == 0 {
				now = now.Add(time.Duration(random.Int64N(int64(2 * window))))
			} else {
				now = now.Add(time.Duration(random.Int64N(int64(window / 25))))
			}
			inWindow := 0
			for i := len(accepted) - 1; i >= 0 && now.Sub(accepted[i]) < window; i-- {
				inWindow++
			}
			d := take(l, now)
			if d.Allowed {
				accepted = append(accepted, now)
				inWindow++
			}
			switch {
			case inWindow > most[kind]:
				t.Fatalf("%s: %d requests were allowed in a window; the limit is %d", kind, inWindow, most[kind])
			case !d.Allowed && inWindow < 40 && kind != SlidingCounter:
				t.Fatalf("%s: a request was refused with %d of 40 in the window", kind, inWindow)
			case d.Remaining < 0 || d.Remaining > d.Limit || d.Allowed != (d.RetryAfter == 0):
				t.Fatalf("%s: %+v contradicts itself", kind, d)
			case !l.Look(d.Reset).Allowed && !d.Allowed:
				t.Fatalf("%s: at Reset a request is refused: %+v", kind, d)
			}
		}
	}
}

func TestAClockSetBackGivesNothingAway(t *testing.T) {
	for _, kind := range Kinds() {
		l := New(kind, 10, window)
		burst(l, start, 10, 0)
		if allowed, _, _ := burst(l, start.Add(-30*time.Second), 10, time.Millisecond); allowed > 0 {
			t.Errorf("%s: %d requests were allowed before the time of the last one", kind, allowed)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, kind := range Kinds() {
		if got, err := ParseKind(string(kind)); got != kind || err != nil {
			t.Errorf("want %s, got %s: %v", kind, got, err)
		}
	}
	if got, err := ParseKind(""); got != FixedFirst || err != nil {
		t.Errorf("want %s for no name, got %s: %v", FixedFirst, got, err)
	}
	want := `unknown limiter "bucket"; use one of fixed-first, fixed-clock, sliding-log, sliding-counter, token-bucket`
	if _, err := ParseKind("bucket"); err == nil || err.Error() != want {
		t.Errorf("want %s\ngot  %v", want, err)
	}
}

// everyKind has the kinds that a user may choose, and the others.
func everyKind() []Kind { return append(Kinds(), SteppedBucket, SlidingParts) }
