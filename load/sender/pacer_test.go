package sender

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
)

// paced sends 2,000 requests, one each 14 ms with 16 in flight, to a target that answers in a millisecond, and returns the
// 99th percentiles of the time from the sending, of that from when a request was due, and of the lag.
func paced(t *testing.T, target roundTrip, stall time.Duration) (sent, due, lag time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, _ := senderBy(target)
		n := 0
		records := send(t, s, Attack{Next: lists, Budget: 2000, Workers: 16, Interval: 14 * time.Millisecond,
			Result: func(*vegeta.Result) {
				switch n++; {
				case n == 1000:
					time.Sleep(stall)
				case n == 750: // a moment of the sender's own, soon after the target's
					time.Sleep(300 * time.Millisecond)
				}
			}})
		if len(records) != 2000 {
			t.Fatalf("%d requests", len(records))
		}
		p99 := func(of func(*record.Record) time.Duration) time.Duration {
			var all []time.Duration
			for i := range records {
				all = append(all, of(&records[i]))
			}
			slices.Sort(all)
			return all[len(all)*99/100]
		}
		sent = p99(func(r *record.Record) time.Duration { return r.Done })
		due, lag = p99((*record.Record).FromDue), p99((*record.Record).Lag)
	})
	return sent, due, lag
}

// TestAStallPutsOffWhatWasDueInIt stalls the target, or the sender, for 2 s. With 16 requests in flight the target's stall is
// seen by 16 of 2,000 only, if times are counted from the sending. The others that were due meanwhile have waited for a worker.
func TestAStallPutsOffWhatWasDueInIt(t *testing.T) {
	const freeze, millisecond = 2 * time.Second, time.Millisecond
	frozen := func(*http.Request) (*http.Response, error) {
		time.Sleep(millisecond)
		if in := time.Since(time.Now().Truncate(time.Hour)) - 10*time.Second; in > 0 && in < freeze { // 10 s into a bubble
			time.Sleep(freeze - in)
		}
		return answered(200, "[]")
	}
	punctual := func(*http.Request) (*http.Response, error) {
		time.Sleep(millisecond)
		return answered(200, "[]")
	}
	for name, c := range map[string]struct {
		target   roundTrip
		stall    time.Duration
		due, lag bool // is late
	}{"the target froze": {frozen, 0, true, false}, "the sender stalled": {punctual, freeze, true, true}, "nothing stalled": {punctual, 0, false, false}} {
		sent, due, lag := paced(t, c.target, c.stall)
		late := func(d time.Duration) bool { return d > 1500*millisecond }
		if sent > 10*millisecond || late(due) != c.due || late(lag) != c.lag || !c.due && due > 10*millisecond || !c.lag && lag > 10*millisecond {
			t.Errorf("%s: p99 from the sending %s, from due %s, lag %s", name, sent, due, lag)
		}
	}
}

// TestAClosedLoopIsNeverLate: a request of a closed loop is due when a worker is free for it, and so is one that an interval
// only spreads.
func TestAClosedLoopIsNeverLate(t *testing.T) {
	for _, a := range []Attack{{Workers: 3}, {Workers: 1, Interval: 100 * time.Millisecond, Spread: true}} {
		synctest.Test(t, func(t *testing.T) {
			s, _ := senderBy(func(*http.Request) (*http.Response, error) {
				time.Sleep(time.Second)
				return answered(200, "[]")
			})
			a.Next, a.Budget = lists, 20
			for _, r := range send(t, s, a) {
				if r.FromDue() != time.Second {
					t.Errorf("request %d: %s from due, of which %s put off", r.N, r.FromDue(), r.PutOff)
				}
			}
		})
	}
}

// hits runs a pacer for a second with a stall of the sender in its middle, and gives the times of the hits.
func hits(p vegeta.Pacer, stall time.Duration) []time.Duration {
	begun := time.Now()
	var at []time.Duration
	for n := uint64(0); ; n++ {
		wait, stop := p.Pace(time.Since(begun), n)
		if stop || time.Since(begun) > 3*time.Second {
			return at
		}
		time.Sleep(wait)
		at = append(at, time.Since(begun))
		if len(at) == 50 {
			time.Sleep(stall)
		}
	}
}

// most is the largest number of hits within d.
func most(at []time.Duration, d time.Duration) int {
	best, from := 0, 0
	for to := range at {
		for at[to]-at[from] >= d {
			from++
		}
		best = max(best, to-from+1)
	}
	return best
}

func TestNoBurstAfterAStall(t *testing.T) {
	for _, stall := range []time.Duration{0, 100 * time.Millisecond, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			ours := hits(&Pacer{Attack: Attack{Interval: 10 * time.Millisecond}, Stop: t.Context()}, stall)
			if n := most(ours, 100*time.Millisecond); n > 11 {
				t.Errorf("after a stall of %s at 100/s: want at most 11 requests in 100 ms; got %d", stall, n)
			}
			if n := most(ours, time.Second); n > 101 {
				t.Errorf("after a stall of %s at 100/s: want at most 101 requests in a second; got %d", stall, n)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		theirs := hits(vegeta.ConstantPacer{Freq: 100, Per: time.Second}, time.Second)
		if n := most(theirs, 100*time.Millisecond); n < 100 {
			t.Errorf("vegeta's pacer is expected to catch up in a burst of 100, not of %d; is ours still needed?", n)
		}
		t.Logf("vegeta's pacer at 100/s sends %d in 100 ms after a stall of a second, and %d in a second",
			most(theirs, 100*time.Millisecond), most(theirs, time.Second))
	})
}

func TestPacerKeepsTheMeanRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := hits(&Pacer{Attack: Attack{Interval: time.Millisecond, Budget: 2001}, Stop: t.Context()}, 0)
		if got := at[len(at)-1] - at[0]; got < 2*time.Second || got > 2*time.Second+10*time.Millisecond {
			t.Errorf("2,001 requests a millisecond apart take 2 s, not %s", got)
		}
	})
}
