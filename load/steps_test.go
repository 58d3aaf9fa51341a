package load

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// TestRequestsAtResetWaitForIt has a limit for each operation, so that after the 429 a request of another operation is accepted, whose
// response does not say when the refusal ends.
func TestRequestsAtResetWaitForIt(t *testing.T) {
	_, rec := scene{deviations: []string{"scope-operation"}}.play(t)
	var refusal record.Record
	for _, r := range rec.Records {
		if in := refusal.ResetIn; r.Role == record.AtReset && (in == limiter.Absent || r.Sent < refusal.Received()+in) {
			t.Errorf("request %d (%s) was sent at %s, %s after a 429 whose Reset is in %s",
				r.N, r.Phase, r.Sent, r.Sent-refusal.Received(), in)
		}
		if r.Limited() {
			refusal = *r
		}
	}
}

// TestASenderThatIsTooSlow: a run that sends far below the plan's rate does not show that nothing is refused just under it.
func TestASenderThatIsTooSlow(t *testing.T) {
	const sentence = "only 39 requests a minute were sent and served, instead of just under 60"
	for each, want := range map[time.Duration]verdict.Verdict{time.Second: verdict.Passed, 25 * time.Second: verdict.Inconclusive} {
		var under atomic.Bool
		res, _ := scene{change: func(c *Config) {
			c.Phases = []record.Phase{"under"}
			c.Progress = func(e Event) { under.Store(e.Phase == "under") }
		}, serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			if under.Load() {
				time.Sleep(each) // concurrency requests are in flight
			}
			next.ServeHTTP(w, r)
		}}.play(t)
		i := slices.IndexFunc(res.Requirements, func(q verdict.Requirement) bool { return q.ID == "RATE-7" })
		if q := res.Requirements[i]; q.Verdict != want || strings.Contains(q.Reason, sentence) != (want == verdict.Inconclusive) {
			t.Errorf("each response in %s: RATE-7 %s: %q; want %s", each, q.Verdict, q.Reason, want)
		}
	}
}

// TestARefusalOutlastsRequestsInFlight: a request that was sent before the 429 came, and is accepted, does not end the wait.
func TestARefusalOutlastsRequestsInFlight(t *testing.T) {
	l := &lane{petID: "1", run: &run{rec: &record.Recording{}, cfg: Config{Minute: time.Minute}}}
	for _, r := range []struct {
		status     int
		sent, done time.Duration
		blocked    bool
	}{{429, 1, 10, true}, {200, 2, 20, true}, {200, 15, 30, false}} {
		x := record.Record{Status: r.status, Sent: r.sent, FirstByte: r.done - r.sent, Done: r.done - r.sent}
		l.learn(&Step{}, &x)
		if blocked := !l.blocked().IsZero(); blocked != r.blocked {
			t.Errorf("after a %d for a request that was sent at %d: blocked %t; want %t", r.status, r.sent, blocked, r.blocked)
		}
	}
}

// TestATailHidesNoRace: an overload that accepts three too many at once is followed by another one, although a bucket would have gained as
// many until the end of its tail.
func TestATailHidesNoRace(t *testing.T) {
	for atOnce, planned := range map[int]bool{59: true, 62: false, 40: false} { // and the request that showed the fresh allowance
		rec := &record.Recording{Settings: record.Settings{Minute: time.Minute}, Lanes: []record.Lane{{PerMinute: 60}}}
		l := &lane{petID: "1", run: &run{rec: rec, cfg: Config{Minute: time.Minute, planned: []Phase{overloadPhase}}}, key: PlanKey{Plan: spec.Free},
			round: round{phase: record.Overload, n: 1}}
		sent := time.Duration(0)
		send := func(role record.Role, status int) {
			sent += time.Millisecond
			l.learn(&Step{}, &record.Record{Place: record.Place{Phase: record.Overload, Round: 1, Role: role}, Status: status, Sent: sent})
		}
		send(record.Look, http.StatusOK)
		for range atOnce {
			send(record.Spend, http.StatusOK)
		}
		send(record.Spend, http.StatusTooManyRequests)
		for range 10 {
			sent += 3 * time.Second
			send(record.Press, http.StatusOK)
		}
		send(record.Probe, http.StatusOK)
		if l.unclear() == planned {
			t.Errorf("%d accepted at once: unclear %t; want %t", atOnce, planned, !planned)
		}
	}
}

// TestFewInFlightWhereTheLimitMayBe: all requests in flight may be refused when the limit is reached, and five refusals may earn a ban. A
// window that ends during a burst lets up to twice the plan's requests through.
func TestFewInFlightWhereTheLimitMayBe(t *testing.T) {
	for _, p := range []spec.Plan{spec.Free, spec.Pro, spec.Business} {
		for _, latency := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
			l := &lane{run: &run{cfg: Config{Minute: time.Minute}}, key: PlanKey{Plan: p}, times: []time.Duration{latency}}
			until := 1 // the request that showed the fresh allowance
			for i, step := range l.burst(1, list) {
				until += step.Budget
				if i > 0 && step.Workers > mostPast {
					t.Errorf("%s, responses in %s: %d in flight until request %d; want at most %d", p.Name, latency, step.Workers, until, mostPast)
				}
			}
			if until != mostOfBurst(int(p.PerMinute)) {
				t.Errorf("%s: the burst ends at %d", p.Name, until)
			}
		}
	}
}
