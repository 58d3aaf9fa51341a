package load

import (
	"context"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

// scene is a run of the real sender against the reference service in simulated time. A minute takes milliseconds, and no verdict
// depends on how busy the machine is.
type scene struct {
	plans      []spec.Plan
	kind       limiter.Kind
	deviations []string
	freedoms   []string
	// minute is how long the target's minute lasts; 0 is a minute.
	minute time.Duration
	// latency is how long a response takes; 0 lets moments choose it.
	latency time.Duration
	// after is how long after a whole minute the run starts. Windows on the clock depend on it.
	after time.Duration
	// serve, when set, answers in place of the service, which is next.
	serve  func(next http.Handler, w http.ResponseWriter, r *http.Request)
	change func(*Config)
	refer  func(*reference.Config)
	// stop, when set, ends the run after that time.
	stop time.Duration
}

func keyOf(name string) exchange.Secret {
	return exchange.NewSecret("pet-key-of-" + name + "-0123456789")
}

// play runs the scene in a synctest bubble and judges it.
func (s scene) play(t *testing.T) (*verdict.Results, *record.Recording) {
	t.Helper()
	var results *verdict.Results
	var recording *record.Recording
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(s.after)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		if s.stop > 0 {
			time.AfterFunc(s.stop, stop)
		}
		rec, err := Run(ctx, s.config(t))
		if err != nil {
			t.Fatalf("the run: %v", err)
		}
		recording = rec
	})
	var err error
	if results, err = Judge(recording); err != nil {
		t.Fatalf("the judge: %v", err)
	}
	return results, recording
}

func (s scene) config(t *testing.T) Config {
	t.Helper()
	if s.plans == nil {
		s.plans = []spec.Plan{spec.Free}
	}
	rc := reference.Config{Limiter: s.kind, Deviations: s.deviations, Freedoms: s.freedoms, Seed: 5, Minute: s.minute, Day: 1440 * s.minute,
		Keys: []reference.Key{{Name: "other", Secret: keyOf("other"), Plan: spec.Pro}, {Name: "ban", Secret: keyOf("ban"), Plan: spec.Free}}}
	base, _ := url.Parse("http://pets.test/v1")
	cfg := Config{Base: base, LockDir: t.TempDir(), OtherKey: keyOf("other"), Minute: s.minute,
		Meta: exchange.Meta{Run: "run", Seed: 7, Tool: "petconform test"}}
	for _, p := range s.plans {
		rc.Keys = append(rc.Keys, reference.Key{Name: p.Name, Secret: keyOf(p.Name), Plan: p})
		cfg.Plans = append(cfg.Plans, PlanKey{Plan: p, Key: keyOf(p.Name)})
	}
	if s.refer != nil {
		s.refer(&rc)
	}
	service, err := reference.New(rc)
	if err != nil {
		t.Fatalf("the reference: %v", err)
	}
	var handler http.Handler = service
	if s.serve != nil {
		handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(service, w, r) })
	}
	var connections atomic.Int64
	cfg.Connect = func() http.RoundTripper {
		return inprocess.Transport{Handler: handler, Latency: s.latency, Connection: int(connections.Add(1))}
	}
	if s.change != nil {
		s.change(&cfg)
	}
	return cfg
}

func failures(res *verdict.Results) []spec.ID {
	var out []spec.ID
	for _, q := range res.Requirements {
		if q.Verdict == verdict.Failed {
			out = append(out, q.ID)
		}
	}
	slices.Sort(out)
	return out
}

// wrong fails the test, and says what the results have.
func wrong(t *testing.T, res *verdict.Results, format string, args ...any) {
	t.Helper()
	t.Errorf(format, args...)
	tellResults(t, res)
}

func tellResults(t *testing.T, res *verdict.Results) {
	t.Helper()
	t.Logf("%s, %d requests: %q", res.Verdict, res.Requests, res.Reasons)
	for _, c := range res.Checks {
		if c.Kind == verdict.Phase || c.Verdict == verdict.Failed {
			t.Logf("  %-28s %-13s %s | %s", c.ID, c.Verdict, c.Evidence, c.Reason)
		}
		for _, f := range c.Findings {
			t.Logf("      %s #%d %s: expected %s; actual %s", f.Requirement, f.Exchange, f.Message, f.Expected, f.Actual)
		}
	}
	for _, o := range res.Observations {
		if o.Requirement >= "RATE-16" && o.Requirement <= "RATE-20" {
			t.Logf("  %s %s: %s", o.Requirement, o.Key, o.Value)
		}
	}
}

// TestMain lets the heap grow to five times what is in use. These tests allocate much and keep little; this takes a third less CPU.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
