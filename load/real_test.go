package load

import (
	"context"
	"flag"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/deviations"
	"petconform/spec/verdict"
)

var realTime = flag.Bool("real", false, "also run in real time, over the loopback interface, with minutes of a minute")

// TestRealTimeSideBySide runs the three plans side by side in real time over the loopback interface, which takes ten minutes.
func TestRealTimeSideBySide(t *testing.T) {
	if !*realTime {
		t.Skip("ten minutes; run with -args -real")
	}
	// Without the monotonic reading, since windows on the clock are windows of the wall clock.
	rc := reference.Config{Seed: 5, Now: func() time.Time { return time.Now().Round(0) },
		Keys: []reference.Key{{Name: "other", Secret: keyOf("other"), Plan: spec.Pro}}}
	cfg := Config{LockDir: t.TempDir(), OtherKey: keyOf("other"), Meta: exchange.Meta{Run: "real"}}
	for _, p := range []spec.Plan{spec.Free, spec.Pro, spec.Business} {
		rc.Keys = append(rc.Keys, reference.Key{Name: p.Name, Secret: keyOf(p.Name), Plan: p})
		cfg.Plans = append(cfg.Plans, PlanKey{Plan: p, Key: keyOf(p.Name)})
	}
	service, err := reference.New(rc)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	defer server.Close()
	if cfg.Base, err = url.Parse(server.URL + "/v1"); err != nil {
		t.Fatal(err)
	}
	rec, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Judge(rec)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("wall time %s", rec.End.Ended.Sub(rec.Meta.Started).Round(time.Millisecond))
	tellResults(t, res)
	if res.Verdict != verdict.Conforms {
		t.Errorf("the reference conforms, and the verdict was %s", res.Verdict)
	}
}

// blamed reports whether at least one requirement failed that a deviation breaks, and none that it can't break.
func blamed(d *deviations.Deviation, res *verdict.Results) bool {
	own := slices.Concat(d.Breaks, d.May)
	return res.Verdict == verdict.Deviates && !slices.ContainsFunc(failures(res), func(id spec.ID) bool { return !slices.Contains(own, id) })
}
