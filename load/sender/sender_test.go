package sender

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
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
	rec := &record.Recording{Meta: exchange.Meta{Started: time.Now()}, Lanes: []record.Lane{{}}}
	secret := exchange.NewSecret(key)
	c := record.NewCollector(rec, nil)
	return &Sender{Base: server.URL + "/v1", Key: secret, Clean: exchange.NewRedactor(secret), Transport: client.NewTransport(64),
		Timeout: 5 * time.Second, UserAgent: "test", Started: rec.Meta.Started, Collector: c}, rec
}

// runOf sends an attack and returns its records, in the order in which the responses ended.
func runOf(s *Sender, ctx context.Context, a Attack) (all []record.Record, err error) {
	each := a.Each
	a.Each = func(r *record.Record) bool {
		all = append(all, *r)
		return each == nil || each(r)
	}
	return all, s.Run(ctx, a)
}

func lists(int) Call { return Call{Method: "GET", Path: "/pets", Role: record.Spend} }

func TestWhatGoesOverTheWire(t *testing.T) {
	var seen http.Header
	s, rec := senderTo(t, func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		_, _ = io.WriteString(w, `["`+key+`"]`)
	})
	if _, err := runOf(s, context.Background(), Attack{Next: lists, Budget: 1}); err != nil {
		t.Fatal(err)
	}
	if got := seen.Get("Authorization"); got != "Bearer "+key {
		t.Errorf("want the key as a bearer token; got %q", got)
	}
	for name := range seen {
		if strings.HasPrefix(name, "X-Vegeta") || strings.HasPrefix(name, "X-Petconform") {
			t.Errorf("%s is ours and was sent", name)
		}
	}
	if all := fmt.Sprintf("%+v", rec); strings.Contains(all, key) {
		t.Errorf("the key stands in the recording: %s", all)
	}
}

func TestNothingIsSentThroughAShutGate(t *testing.T) {
	var served atomic.Int64
	s, _ := senderTo(t, func(w http.ResponseWriter, _ *http.Request) {
		if served.Add(1) > 10 {
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	records, err := runOf(s, context.Background(), Attack{Next: lists, Budget: 100, Workers: 1, Gate: &Gate{}})
	if err != nil || len(records) != 11 || served.Load() != 11 {
		t.Errorf("want ten requests and one 429; got %d (%d served, %v)", len(records), served.Load(), err)
	}
}

func TestAPanicInTheTargeterEndsTheAttack(t *testing.T) {
	s, _ := senderTo(t, answer)
	var faults atomic.Int64
	s.Fault = func(any) { faults.Add(1) }
	next := func(i int) Call {
		if i == 5 {
			panic("planted in Next")
		}
		return lists(i)
	}
	records, err := runOf(s, context.Background(), Attack{Next: next, Budget: 100, Workers: 1})
	if err == nil || len(records) != 5 || faults.Load() < 1 { // Next may be asked again before the attack ends
		t.Errorf("want five requests, a fault and an error; got %d, %d and %v", len(records), faults.Load(), err)
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
	_, err := runOf(s, context.Background(), Attack{Next: func(i int) Call { return Call{Method: "GET", Path: paths[i]} }, Budget: 2})
	if err != nil {
		t.Fatal(err)
	}
	if rec.Records[0].Status != http.StatusFound {
		t.Errorf("want the 302 itself; got %d", rec.Records[0].Status)
	}
	r := rec.Records[1]
	if wait, _ := r.Wait(); r.Status != http.StatusTooManyRequests || wait != 7*time.Second || r.Like.Failure == nil {
		t.Errorf("a 429 whose body was cut off is a 429 with its Retry-After: %+v", r)
	}
}

func TestStopWaitsForWhatIsUnderWay(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s, rec := senderTo(t, func(http.ResponseWriter, *http.Request) {
		cancel()
		time.Sleep(50 * time.Millisecond)
	})
	_, err := runOf(s, ctx, Attack{Next: lists, Budget: 1000, Interval: 10 * time.Millisecond, Workers: 4})
	if err != nil || len(rec.Records) == 0 || len(rec.Records) > 5 {
		t.Errorf("want the requests under way, and no more: %d (%v)", len(rec.Records), err)
	}
	for _, r := range rec.Records {
		if r.Status != http.StatusOK {
			t.Errorf("a request that was under way got %d", r.Status)
		}
	}
}

func answer(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h["Content-Type"], h["X-Ratelimit-Limit"], h["X-Ratelimit-Remaining"], h["X-Ratelimit-Reset"] = []string{"application/json"}, []string{"60"}, []string{"59"}, []string{"1772600827"}
	_, _ = io.WriteString(w, "[]")
}

// With one worker the next request is chosen after the last response was processed.
func TestOneWorkerKnowsTheLastResponse(t *testing.T) {
	s, _ := senderTo(t, answer)
	known, early := 0, 0
	_, err := runOf(s, context.Background(), Attack{Budget: 200, Workers: 1, Next: func(i int) Call {
		if known < i {
			early++
		}
		return lists(i)
	}, Each: func(*record.Record) bool { known++; return true }})
	if err != nil || known != 200 || early > 0 {
		t.Errorf("%d of 200 responses were known, and %d requests were chosen before (%v)", known, early, err)
	}
}
