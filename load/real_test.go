package load

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

var (
	realTime = flag.Bool("real", false, "also run in real time, over the loopback interface, with minutes of a minute")
	scaled   = flag.Int("scaled", 0, "how many times each kind, deviation and freedom is run in real time with minutes of four seconds")
)

// serve starts the reference service on the loopback interface.
func serve(t testing.TB, rc reference.Config) *url.URL {
	t.Helper()
	service, err := reference.New(rc)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: service, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return &url.URL{Scheme: "http", Host: listener.Addr().String(), Path: "/v1"}
}

// overLoopback runs the plans side by side, all three when none is given.
func overLoopback(t *testing.T, rc reference.Config, minute time.Duration, plans ...spec.Plan) (*verdict.Results, *Recording) {
	t.Helper()
	// Without the monotonic reading, since windows on the clock are windows of the wall clock.
	rc.Now = func() time.Time { return time.Now().Round(0) }
	rc.Minute, rc.Day, rc.Seed = minute, 1440*minute, 5
	cfg := Config{Minute: minute, LockDir: t.TempDir(), OtherKey: keyOf("other"), Run: "real", Tool: "petconform test"}
	rc.Keys = []reference.Key{{Name: "other", Secret: keyOf("other"), Plan: spec.Pro}}
	if len(plans) == 0 {
		plans = []spec.Plan{spec.Free, spec.Pro, spec.Business}
	}
	for _, p := range plans {
		rc.Keys = append(rc.Keys, reference.Key{Name: p.Name, Secret: keyOf(p.Name), Plan: p})
		cfg.Plans = append(cfg.Plans, PlanKey{Plan: p, Key: keyOf(p.Name)})
	}
	cfg.Base = serve(t, rc)
	rec, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Judge(rec)
	if err != nil {
		t.Fatal(err)
	}
	return res, rec
}

// TestRealTimeSideBySide runs the three plans side by side in real time, which takes ten minutes. It logs the least time that the phases
// need beside the time that they took.
func TestRealTimeSideBySide(t *testing.T) {
	if !*realTime {
		t.Skip("ten minutes; run with -args -real")
	}
	res, rec := overLoopback(t, reference.Config{}, time.Minute)
	t.Logf("wall time %s", rec.End.Ended.Sub(rec.Meta.Started).Round(time.Millisecond))
	tellResults(t, res)
	if res.Verdict != verdict.Conforms {
		t.Errorf("the reference conforms, and the verdict was %s", res.Verdict)
	}
}

// TestScaledRealTime runs all kinds, deviations and freedoms in scaled real time, many side by side, so the machine is busy. No row
// may get a wrong verdict; the test logs how many got none. A minute lasts several seconds, since Retry-After and Reset are in whole
// seconds. A deviation may be found by any of its requirements: whole seconds hide some, and a busy machine opens connections.
func TestScaledRealTime(t *testing.T) {
	if *scaled == 0 {
		t.Skip("a minute for each time; run with -parallel 300 -timeout 1h -args -scaled 20")
	}
	var told, untold atomic.Int64
	row := func(name string, rc reference.Config, d *deviations.Deviation) {
		for i := range *scaled {
			t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) {
				t.Parallel()
				time.Sleep(rand.N(4 * time.Second)) // so that the fills of the rows do not coincide
				res, _ := overLoopback(t, rc, 4*time.Second, spec.Free)
				switch {
				case res.Verdict == verdict.NoVerdict:
					untold.Add(1)
					t.Logf("no verdict: %q", res.Reasons)
					return
				case d == nil && res.Verdict != verdict.Conforms, d != nil && !blamed(d, res):
					tellResults(t, res)
					t.Errorf("%s, failed: %v", res.Verdict, failures(res))
				}
				told.Add(1)
			})
		}
	}
	t.Cleanup(func() {
		t.Logf("a verdict %d times, and none %d times", told.Load(), untold.Load())
		if untold.Load() > told.Load()/4 {
			t.Errorf("no verdict %d times of %d; want a fifth at most", untold.Load(), told.Load()+untold.Load())
		}
	})
	for _, kind := range limiter.Kinds() {
		row("kind/"+string(kind), reference.Config{Limiter: kind}, nil)
	}
	for _, d := range deviations.All() {
		if d.Needs == deviations.Load {
			row("deviation/"+d.Name, reference.Config{Deviations: []string{d.Name}}, &d)
		}
	}
	for _, f := range freedoms.All() {
		row("freedom/"+f.Name, reference.Config{Freedoms: []string{f.Name}}, nil)
	}
}

// blamed reports whether at least one requirement failed that a deviation breaks, and none that it can't break.
func blamed(d *deviations.Deviation, res *verdict.Results) bool {
	own := slices.Concat(d.Breaks, d.May)
	return res.Verdict == verdict.Deviates && !slices.ContainsFunc(failures(res), func(id spec.ID) bool { return !slices.Contains(own, id) })
}
