package run_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/proof"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// everything is a transport that answers everything alike.
type everything func(r *http.Request) (*http.Response, error)

func (f everything) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// noError ends the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// against runs in a bubble of its own, where waiting takes no time.
func against(t *testing.T, s proof.Service) (r verdict.Results, rec *exchange.Recording) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		if r, rec, err = proof.Against(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	})
	return r, rec
}

// instead is a run whose requests something else answers than the service.
func instead(target http.RoundTripper) proof.Service {
	return proof.Service{Patience: time.Second, Concurrency: 8, Through: func(http.RoundTripper) http.RoundTripper { return target }}
}

// TestNoAccidentalVerdict: what is not the service gets no verdict, in bounded time, and never conforms. Without a response no
// must of a report passed.
func TestNoAccidentalVerdict(t *testing.T) {
	const unauthorized = `{"code":"unauthorized","message":"no","status":401}`
	for _, c := range []struct {
		name   string
		target everything
		want   verdict.Run
		reason string
		most   time.Duration
	}{
		{"401 to everything", say(401, "application/json", unauthorized), verdict.NoVerdict, "refuses the key", time.Second},
		{"403 to everything", say(403, "text/plain", "no"), verdict.NoVerdict, "refuses the key", time.Second},
		{"404 to everything", say(404, "application/json", `{"code":"c","message":"m","status":404}`), verdict.NoVerdict, "no /pets", time.Second},
		{"a web page", say(200, "text/html", "<!doctype html><title>Shop</title>"), verdict.NoVerdict, "web pages", time.Second},
		{"a redirect", say(301, "text/html", "", "Location", "https://elsewhere.example/"), verdict.NoVerdict, "redirects", time.Second},
		{"a redirect that reads no body", func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodPost {
				return nil, io.EOF
			}
			return say(301, "text/html", "", "Location", "https://elsewhere.example/")(r)
		}, verdict.NoVerdict, "redirects", 10 * time.Second},
		{"304 to everything", say(304, "", ""), verdict.Deviates, "", time.Minute},
		{"server errors", say(502, "text/html", "<h1>Bad Gateway"), verdict.NoVerdict, "server error", 10 * time.Second},
		{"429 for ever", say(429, "application/json", `{"code":"c","message":"m","status":429}`, "Retry-After", "1"), verdict.Deviates, "", time.Minute},
		{"429 for a day", say(429, "application/json", `{"code":"c","message":"m","status":429}`, "Retry-After", "86400"), verdict.Deviates, "", time.Second},
		{"connections that end", func(*http.Request) (*http.Response, error) { return nil, io.EOF }, verdict.NoVerdict, "no service", time.Second},
		{"no answer", func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }, verdict.NoVerdict, "no service", time.Minute},
		{"nobody listens", func(*http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		}, verdict.NoVerdict, "no service", time.Minute},
		{"JSON that is called a page", say(200, "text/html", "[]"), verdict.Deviates, "SERVICE-1", time.Minute},
		{"a notice before the JSON", say(200, "application/json", "<br><b>Notice</b>: undefined index[]"), verdict.Deviates, "SERVICE-2", time.Minute},
		{"200 and [] to everything", say(200, "application/json", "[]"), verdict.Deviates, "", time.Minute},
		{"200 and 2 MiB to everything", say(200, "application/json", "["+strings.Repeat(" ", 2<<20)+"]"), verdict.Deviates, "AUTH-2", time.Minute},
		{"200 and null to everything", say(200, "application/json", "null"), verdict.Deviates, "", time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, rec := against(t, instead(c.target))
			if r.Verdict != c.want || !strings.Contains(r.Reasons.String(), c.reason) {
				t.Errorf("%s: %v; want %s: …%s…", r.Verdict, r.Reasons, c.want, c.reason)
			}
			if took := rec.End.Ended.Sub(rec.Meta.Started); took > c.most {
				t.Errorf("it took %s, more than %s", took, c.most)
			}
			for _, q := range r.Requirements {
				if c.reason == "no service" && q.Level == spec.Must && q.Verdict == verdict.Passed {
					t.Errorf("without a response, %s passed, by %v", q.ID, q.Checks)
				}
			}
		})
	}
}

// TestAStoppedRunIsJudgedAsFarAsItGot: what was recorded is there, and nothing is claimed of the rest.
func TestAStoppedRunIsJudgedAsFarAsItGot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancelCause(context.Background())
		var n atomic.Int32
		r, rec, err := proof.Against(ctx, instead(everything(func(r *http.Request) (*http.Response, error) {
			if n.Add(1) == 20 {
				stop(errors.New("the test has seen enough"))
			}
			return say(200, "application/json", "[]", "X-RateLimit-Limit", "60", "X-RateLimit-Remaining", "50", "X-RateLimit-Reset", "946684860")(r)
		})))
		if err != nil || r.Verdict == verdict.Conforms || len(rec.Exchanges) < 19 || rec.End == nil || rec.End.Stopped == "" {
			t.Errorf("%v: %s after %d exchanges, end %+v", err, r.Verdict, len(rec.Exchanges), rec.End)
		}
	})
}

// unending is a file to which the last line of a recording does not fit.
type unending struct{}

func (unending) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte(`{"end":`)) {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// TestARecordingWithoutItsEnd: a run whose recording cannot be completed has no verdict.
func TestARecordingWithoutItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg, err := proof.Service{Patience: time.Second}.Config()
		noError(t, err)
		cfg.Recording = unending{}
		rec, err := run.Send(t.Context(), cfg)
		if rec == nil || !errors.Is(err, io.ErrShortWrite) {
			t.Fatalf("%v; the error of the file is wanted, and what was sent", err)
		}
		if r := judge.Recording(rec); r.Verdict != verdict.NoVerdict || !strings.Contains(r.Reasons.String(), "could not be written") {
			t.Errorf("%s: %v", r.Verdict, r.Reasons)
		}
	})
}
