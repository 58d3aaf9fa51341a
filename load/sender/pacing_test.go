package sender

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// paced is a pacer of ours or of vegeta's, one of several that run side by side.
type paced struct {
	name string
	// late gives how much later than planned each of n requests would have been sent.
	late func(interval time.Duration, n int) []time.Duration
}

var pacers = []paced{
	{"ours", func(interval time.Duration, n int) []time.Duration {
		p := &Pacer{Interval: interval, Stop: context.Background(), At: time.Now().Add(interval)}
		late := make([]time.Duration, n)
		for i := range late {
			p.Pace(0, uint64(i))
			due, _ := p.Planned(uint64(i))
			late[i] = time.Since(due)
		}
		return late
	}},
	{"vegeta's", func(interval time.Duration, n int) []time.Duration {
		p := vegeta.ConstantPacer{Freq: 1, Per: interval}
		begun := time.Now()
		late := make([]time.Duration, n)
		for i := range late { // its first request is due after an interval, as ours is here
			wait, _ := p.Pace(time.Since(begun), uint64(i))
			time.Sleep(wait)
			late[i] = time.Since(begun.Add(time.Duration(i+1) * interval))
		}
		return late
	}},
}

// TestPacingAgainstVegeta tells how late requests are at 1,000 a second and at 60 a minute, with both pacers by turns in the
// same seconds. Like TestAgainstVegeta it asserts nothing of a machine's clock; TestNoBurstAfterAStall does on simulated time.
func TestPacingAgainstVegeta(t *testing.T) {
	if *rounds == 0 {
		t.Skip("half a minute; run with -v -args -rounds 5")
	}
	fast := map[string][]time.Duration{}
	for range *rounds {
		for _, p := range pacers {
			fast[p.name] = append(fast[p.name], p.late(time.Millisecond, 1000)...)
		}
	}
	tellLate(t, "1,000 a second", fast)

	// A minute's worth of each in a few seconds: many side by side, begun at different times of the second.
	slow := map[string][]time.Duration{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 20 {
		for k, p := range pacers {
			wg.Go(func() {
				time.Sleep(time.Duration(2*i+k) * 25 * time.Millisecond)
				late := p.late(time.Second, *rounds+1)[1:]
				mu.Lock()
				defer mu.Unlock()
				slow[p.name] = append(slow[p.name], late...)
			})
		}
	}
	wg.Wait()
	tellLate(t, "60 a minute", slow)
}

func tellLate(t *testing.T, rate string, late map[string][]time.Duration) {
	t.Helper()
	for _, p := range pacers {
		all := slices.Sorted(slices.Values(late[p.name]))
		t.Logf("%-15s %-9s late by %6s (median), %6s (99 of 100), %6s (most of %d)", rate, p.name,
			all[len(all)/2].Round(time.Microsecond), all[len(all)*99/100].Round(time.Microsecond), all[len(all)-1].Round(time.Microsecond), len(all))
	}
}
