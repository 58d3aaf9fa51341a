package load

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// A wrong key, the plan's or the other one, is not a fault of the target.
func TestAWrongKeyIsNoFinding(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"the plan's": func(c *Config) { c.Plans[0].Key = exchange.NewSecret("mistyped-0123456789") },
		"the other":  func(c *Config) { c.OtherKey = exchange.NewSecret("mistyped-0123456789") },
	} {
		res, _ := scene{change: change}.play(t)
		if res.Verdict != verdict.NoVerdict {
			t.Errorf("%s key is mistyped; want no verdict; got %s, %v", name, res.Verdict, failures(res))
		}
		if name == "the plan's" && passed(res, "RATE-15") {
			t.Error("RATE-15 passed, and no accepted request had headers")
		}
	}
}

func passed(res *verdict.Results, id spec.ID) bool {
	return slices.ContainsFunc(res.Requirements, func(q verdict.Requirement) bool { return q.ID == id && q.Verdict == verdict.Passed })
}

// A Retry-After that is longer than MaxWait ends the key's run.
func TestTheLongestWait(t *testing.T) {
	asks := func(next http.Handler, w http.ResponseWriter, r *http.Request) { next.ServeHTTP(patient{w}, r) }
	for _, c := range []struct {
		longest time.Duration
		waits   bool
	}{{4 * time.Minute, false}, {0, true}} {
		res, _ := scene{serve: asks, change: func(cfg *Config) { cfg.MaxWait = c.longest }}.play(t)
		gaveUp := strings.Contains(res.Reasons.String(), "Retry-After asks to wait 5m0s, and the run waits at most 4m0s")
		if gaveUp == c.waits {
			t.Errorf("a longest wait of %s and a Retry-After of 5 minutes: %q", c.longest, res.Reasons)
		}
	}
}

// patient is a service whose 429s ask to wait five minutes, in Retry-After and in Reset.
type patient struct{ http.ResponseWriter }

func (w patient) WriteHeader(status int) {
	if status == http.StatusTooManyRequests {
		w.Header().Set(spec.HeaderRetryAfter, "300")
		w.Header().Set(spec.HeaderReset, strconv.FormatInt(time.Now().Unix()+300, 10))
	}
	w.ResponseWriter.WriteHeader(status)
}

// A target that stops responding in the middle of a run is given up after mostSilent requests.
func TestATargetThatGoesAway(t *testing.T) {
	n := atomic.Int64{}
	s := scene{serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if n.Add(1) > 200 {
			time.Sleep(time.Hour)
		}
		next.ServeHTTP(w, r)
	}, change: func(c *Config) { c.Timeout = time.Second }}
	res, _ := s.play(t)
	if res.Verdict != verdict.NoVerdict || res.Requests > 200+mostSilent+32 {
		t.Errorf("want no verdict after a few more requests; got %s after %d: %q", res.Verdict, res.Requests, failures(res))
	}
}

// A panic in the goroutine of a key ends the run in order: its recording says why.
func TestAPanicOfAKey(t *testing.T) {
	var file bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		cfg := scene{plans: []spec.Plan{spec.Free, spec.Pro}, change: func(c *Config) {
			c.Recording = &file
			c.Progress = func(e Event) {
				if e.Label == "Pro" && strings.HasPrefix(e.Doing, "waiting") {
					panic("planted")
				}
			}
		}}.config(t)
		_, err := Run(t.Context(), cfg)
		if f := (sender.Fault{}); !errors.As(err, &f) || f.Value != "planted" {
			t.Errorf("want a fault; got %v", err)
		}
	})
	if rec, err := record.Read(&file); err != nil || rec.End == nil || !strings.Contains(rec.End.Stopped, "a fault of its own: planted") {
		t.Errorf("want a recording that says so (%v)", err)
	}
}

// closing is a target that closes every fifth connection without a response: only kept ones, or any, and then the new one too on
// which the request is sent again.
type closing struct {
	next http.RoundTripper
	any  bool
	sent *atomic.Int64
	lost *atomic.Int64
}

func (c closing) RoundTrip(r *http.Request) (*http.Response, error) {
	n := c.sent.Add(1)
	reused := n > 1 && !r.Close
	httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{Reused: reused})
	if n%5 == 0 && reused || n%5 < 2 && c.any && n > 1 {
		c.lost.Add(1)
		return nil, io.EOF
	}
	return c.next.RoundTrip(r)
}

// TestConnectionsAreKept has a server that closes each connection without a response to its 20th request, as many close idle ones.
// A run sends such a request again on a new connection, and keeps the connections after it.
func TestConnectionsAreKept(t *testing.T) {
	var opened, lost atomic.Int64
	service, err := reference.New(reference.Config{Minute: time.Second, Day: 1440 * time.Second,
		Keys: []reference.Key{{Name: "Free", Secret: keyOf("Free"), Plan: spec.Free}}})
	if err != nil {
		t.Fatal(err)
	}
	served := sync.Map{} // connection: requests
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := served.LoadOrStore(r.RemoteAddr, new(atomic.Int64))
		if n.(*atomic.Int64).Add(1) == 20 {
			lost.Add(1)
			panic(http.ErrAbortHandler)
		}
		service.ServeHTTP(w, r)
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	base, _ := url.Parse(server.URL + "/v1")
	rec, err := Run(t.Context(), Config{Base: base, Minute: time.Second, LockDir: t.TempDir(), Meta: exchange.Meta{Run: "kept"},
		Plans: []PlanKey{{Plan: spec.Free, Key: keyOf("Free")}}, Phases: []record.Phase{record.Fill, record.Overload}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d requests over %d connections; %d lost", len(rec.Records), opened.Load(), lost.Load())
	if lost.Load() < 3 || int(opened.Load()) > len(rec.Records)/4 {
		t.Errorf("%d requests over %d connections, of which %d were lost; want kept connections", len(rec.Records), opened.Load(), lost.Load())
	}
}

// TestKeptConnectionsThatClose checks that a target may close kept connections in use, and that one which closes new connections too is
// found.
func TestKeptConnectionsThatClose(t *testing.T) {
	for _, anyOne := range []bool{false, true} {
		var sent, lost atomic.Int64
		res, _ := scene{change: func(c *Config) {
			connect := c.Connect
			c.Connect = func() http.RoundTripper { return closing{connect(), anyOne, &sent, &lost} }
		}}.play(t)
		failed := failures(res)
		if !anyOne && (res.Verdict != verdict.Conforms || lost.Load() < 2) {
			wrong(t, res, "kept connections close: %s, failed %v, %d lost; want a target that conforms although it lost some", res.Verdict, failed, lost.Load())
		}
		if anyOne && (!slices.Contains(failed, spec.ID("RATE-14")) || !slices.Contains(failed, spec.ID("SERVICE-3"))) {
			wrong(t, res, "new connections close too: %s, failed %v; want RATE-14 and SERVICE-3", res.Verdict, failed)
		}
	}
}
