package sender

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

const key = "pet-secret-key-0123456789"

func senderTo(t testing.TB, h http.HandlerFunc) (*Sender, *record.Recording) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return senderOver(server.URL+"/v1", client.NewTransport(64), nil)
}

// senderOver returns a sender to a target over a transport, which writes to w unless that is nil.
func senderOver(target string, over http.RoundTripper, w io.Writer) (*Sender, *record.Recording) {
	own, other := exchange.NewSecret(key), exchange.NewSecret("other-"+key)
	rec := &record.Recording{Meta: exchange.Meta{Started: time.Now(), Target: target}, Lanes: []record.Lane{{Plan: "Free"}}}
	return &Sender{Key: own, Clean: exchange.NewRedactor(own, other), Transport: over,
		Timeout: 5 * time.Second, UserAgent: "test", Collector: record.NewCollector(rec, w)}, rec
}

// send sends an attack and returns its records, in the order in which the responses ended.
func send(t *testing.T, s *Sender, a Attack) (all []record.Record) {
	t.Helper()
	each := a.Each
	a.Each = func(r *record.Record) bool {
		all = append(all, *r)
		return each == nil || each(r)
	}
	if err := s.Run(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	return all
}

func lists(int) Call { return Call{Method: "GET", Path: "/pets"} }

func TestNothingIsSentThroughAShutGate(t *testing.T) {
	var served atomic.Int64
	s, _ := senderTo(t, func(w http.ResponseWriter, _ *http.Request) {
		if served.Add(1) > 10 {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	records := send(t, s, Attack{Next: lists, Budget: 100, Workers: 1, Gate: &Gate{}})
	if len(records) != 11 || served.Load() != 11 {
		t.Errorf("want ten requests and one 429; got %d (%d served)", len(records), served.Load())
	}
}

func TestAPanicEndsTheAttack(t *testing.T) {
	s, rec := senderTo(t, answer)
	err := s.Run(t.Context(), Attack{Budget: 100, Next: func(i int) Call {
		if i == 5 {
			panic("planted in Next")
		}
		return lists(i)
	}})
	if f := (Fault{}); !errors.As(err, &f) || f.Value != "planted in Next" || len(rec.Records) != 5 {
		t.Errorf("want five requests and a fault; got %d and %v", len(rec.Records), err)
	}
}

func TestRedirectsAreNotFollowedAndLimitsReadBeforeBodies(t *testing.T) {
	s, rec := senderTo(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/pets" {
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
			return
		}
		w.Header().Set("Retry-After", "7")
		w.Header().Set("Content-Length", "100")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, "cut")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	paths := []string{"/pets", "/cut"}
	send(t, s, Attack{Next: func(i int) Call { return Call{Method: "GET", Path: paths[i]} }, Budget: 2})
	if rec.Records[0].Status != http.StatusFound {
		t.Errorf("want the 302 itself; got %d", rec.Records[0].Status)
	}
	r := rec.Records[1]
	if r.Status != http.StatusTooManyRequests || r.RetryAfter != 7*time.Second || r.Like.Failure == nil {
		t.Errorf("a 429 whose body was cut off is a 429 with its Retry-After: %+v", r)
	}
}

func answer(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h["Content-Type"], h["X-Ratelimit-Limit"], h["X-Ratelimit-Remaining"], h["X-Ratelimit-Reset"] = []string{"application/json"}, []string{"60"}, []string{"59"}, []string{"1772600827"}
	_, _ = io.WriteString(w, "[]")
}
