package sender

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

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
			ours := hits(&Pacer{Interval: 10 * time.Millisecond, Stop: context.Background()}, stall)
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
		at := hits(&Pacer{Interval: time.Millisecond, Budget: 2001}, 0)
		if got := at[len(at)-1] - at[0]; got < 2*time.Second || got > 2*time.Second+10*time.Millisecond {
			t.Errorf("2,001 requests a millisecond apart take 2 s, not %s", got)
		}
	})
}

func TestPacerHearsAStopWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		p := &Pacer{Interval: time.Hour, Stop: ctx}
		p.Pace(0, 0)
		time.AfterFunc(time.Second, cancel)
		begun := time.Now()
		if _, stop := p.Pace(0, 1); !stop || time.Since(begun) > 2*time.Second {
			t.Errorf("want a stop after a second; got after %s (%t)", time.Since(begun), stop)
		}
	})
}

func TestPacerStops(t *testing.T) {
	gate := &Gate{}
	p := &Pacer{Budget: 2, Shut: gate.Shut}
	if _, stop := p.Pace(0, 1); stop {
		t.Error("the second of two requests is in the budget")
	}
	if _, stop := p.Pace(0, 2); !stop {
		t.Error("the third of two requests is not")
	}
	gate.Close()
	if _, stop := p.Pace(0, 0); !stop {
		t.Error("nothing goes through a shut gate")
	}
}
