package load

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

var (
	realTime = flag.Bool("real", false, "also run in real time, over the loopback interface, with minutes of a minute")
	matrix   = flag.Int("matrix", 0, "how many times each deviation and each freedom is run in real time with minutes of four seconds")
	kept     = flag.String("kept", "", "the folder for the recordings of the matrix's rows that did not come out as they should")
	scaled   = flag.Int("scaled", 0, "how many times each kind of limiter is run in real time with minutes of two seconds")
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

// TestScaledRealTime runs each kind of limiter in scaled real time. On a busy machine there may be no verdict, but never a finding. The
// kinds run at the same time whatever -parallel is, since they wait more than they compute.
func TestScaledRealTime(t *testing.T) {
	if *scaled == 0 {
		t.Skip("a minute on an idle machine; run with -args -scaled 1")
	}
	var untold atomic.Int64
	var all sync.WaitGroup
	for _, kind := range limiter.Kinds() {
		all.Go(func() {
			t.Run(string(kind), func(t *testing.T) {
				for range *scaled {
					res, _ := overLoopback(t, reference.Config{Limiter: kind}, 2*time.Second)
					if res.Verdict == verdict.Deviates {
						tellResults(t, res)
						t.Errorf("%s is lawful, and the verdict was %s", kind, res.Verdict)
					} else if res.Verdict == verdict.NoVerdict {
						untold.Add(1)
						t.Logf("%s: no verdict: %q", kind, res.Reasons)
					}
				}
			})
		})
	}
	all.Wait()
	if n, of := untold.Load(), int64(*scaled*len(limiter.Kinds())); 2*n > of { // a busy machine may keep a run from its limit
		t.Errorf("no verdict %d times of %d; want a half at most", n, of)
	}
}

// TestScaledRealTimeMatrix runs all deviations, freedoms and kinds in scaled real time, many side by side, so the machine is busy. No row
// may get a wrong verdict; the test logs how many got none. A minute lasts several seconds, since Retry-After and Reset are in whole
// seconds. A deviation may be found by any of its requirements: whole seconds hide some, and a busy machine opens connections.
func TestScaledRealTimeMatrix(t *testing.T) {
	if *matrix == 0 {
		t.Skip("a quarter of an hour; run with -parallel 300 -timeout 1h -args -matrix 20")
	}
	var told, untold atomic.Int64
	t.Run("rows", func(t *testing.T) {
		for _, d := range deviations.All() {
			if d.Needs == deviations.Load {
				scaledRow(t, "deviation/"+d.Name, reference.Config{Deviations: []string{d.Name}}, &d, &told, &untold)
			}
		}
		for _, f := range freedoms.All() {
			scaledRow(t, "freedom/"+f.Name, reference.Config{Freedoms: []string{f.Name}}, nil, &told, &untold)
		}
	})
	t.Logf("a verdict %d times, and none %d times", told.Load(), untold.Load())
	if untold.Load() > told.Load()/4 {
		t.Errorf("no verdict %d times of %d; want a fifth at most", untold.Load(), told.Load()+untold.Load())
	}
}

// scaledRow runs a deviation, or a freedom if d is nil.
func scaledRow(t *testing.T, name string, rc reference.Config, d *deviations.Deviation, told, untold *atomic.Int64) {
	for i := range *matrix {
		t.Run(fmt.Sprintf("%s/%d", name, i), func(t *testing.T) {
			t.Parallel()
			time.Sleep(rand.N(4 * time.Second)) // so that the fills of the rows do not coincide
			res, rec := overLoopback(t, rc, 4*time.Second, spec.Free)
			if res.Verdict != verdict.NoVerdict {
				told.Add(1)
			}
			switch {
			case res.Verdict == verdict.NoVerdict:
				untold.Add(1)
				t.Logf("no verdict: %q", res.Reasons)
				keep(t, rec)
			case d == nil && res.Verdict != verdict.Conforms, d != nil && !blamed(d, res):
				tellResults(t, res)
				t.Errorf("%s, failed: %v", res.Verdict, failures(res))
				keep(t, rec)
			}
		})
	}
}

// keep writes a row's recording, so that it can be judged again.
func keep(t *testing.T, rec *Recording) {
	t.Helper()
	if *kept == "" {
		return
	}
	f, err := os.Create(filepath.Join(*kept, strings.ReplaceAll(t.Name(), "/", "-")+".jsonl"))
	if err == nil {
		err = errors.Join(record.Write(f, rec), f.Close())
	}
	if err != nil {
		t.Error(err)
	}
}

// blamed reports whether at least one requirement failed that a deviation breaks, and none that it can't break.
func blamed(d *deviations.Deviation, res *verdict.Results) bool {
	own := slices.Concat(d.Breaks, d.May)
	return res.Verdict == verdict.Deviates && !slices.ContainsFunc(failures(res), func(id spec.ID) bool { return !slices.Contains(own, id) })
}
