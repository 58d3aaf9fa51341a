package load

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"petconform/load/judge"
	"petconform/spec"
)

// TestAFrozenService has a service that freezes for 2 s in a paced phase of a Pro plan. With 16 requests in flight it holds up
// 16; those that were due meanwhile were put off, and are as late. A target that takes 40 ms is not late.
func TestAFrozenService(t *testing.T) {
	const minute, freeze = 4 * time.Second, 2 * time.Second
	for _, row := range []struct {
		frozen  bool
		latency time.Duration
	}{{false, 300 * time.Microsecond}, {false, 40 * time.Millisecond}, {true, 300 * time.Microsecond}} {
		frozen := row.frozen
		var until atomic.Pointer[time.Time]
		s := scene{plans: []spec.Plan{spec.Pro}, latency: row.latency, minute: minute,
			serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) {
				if end := until.Load(); end != nil {
					time.Sleep(time.Until(*end))
				}
				next.ServeHTTP(w, r)
			},
			change: func(c *Config) {
				c.Progress = func(e Event) {
					if frozen && e.Phase == underPhase.ID && until.Load() == nil {
						time.AfterFunc(minute/2, func() {
							end := time.Now().Add(freeze)
							until.Store(&end)
						})
						until.Store(&time.Time{})
					}
				}
			}}
		res, _ := s.play(t)
		report, err := judge.ParseReport(res.Load)
		if err != nil {
			t.Fatal(err)
		}
		p := report.Plans[0]
		t.Logf("frozen %t: from the sending %+v; from due %+v; lag %+v", frozen, p.AcceptedMS, p.DueMS, p.LagMS)
		if slow := p.DueMS.P99 > 500; slow != frozen || p.AcceptedMS.P99 > 500 || p.LagMS.P99 > 50 || !frozen && p.DueMS.P99 > p.AcceptedMS.P99+1 {
			wrong(t, res, "frozen %t: p99 from the sending %v ms, from due %v ms, lag %v ms", frozen, p.AcceptedMS.P99, p.DueMS.P99, p.LagMS.P99)
		}
	}
}
