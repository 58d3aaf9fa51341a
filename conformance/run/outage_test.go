package run_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

// outage makes a transport answer some requests itself: those for which down says so, which gets the number of the request, counted
// from 1 as they are sent, the number among those of its operation, and the time since the first of the outage, 0 before it.
type outage struct {
	next   http.RoundTripper
	down   func(n, own int, op spec.Operation, since time.Duration) bool
	answer func(*http.Request) (*http.Response, error)
	// late lets the service work on the request first, so that only its response is lost.
	late bool
	// deep makes the run a full one.
	deep bool
	// delays, if there are any, hold each request and each response up for 0 to 4 ms.
	delays *rand.Rand

	mu    sync.Mutex
	n     int
	own   map[spec.Operation]int
	began time.Time
	hits  int
}

func (o *outage) RoundTrip(r *http.Request) (*http.Response, error) {
	o.delay()
	defer o.delay()
	if !o.isDown(spec.OperationOf(r.Method, strings.TrimPrefix(r.URL.RequestURI(), "/v1"))) {
		return o.next.RoundTrip(r)
	}
	if o.late {
		if resp, err := o.next.RoundTrip(r); err == nil {
			_ = resp.Body.Close()
		}
	}
	time.Sleep(time.Millisecond)
	return o.answer(r)
}

func (o *outage) delay() {
	if o.delays == nil {
		return
	}
	o.mu.Lock()
	d := time.Duration(o.delays.IntN(5)) * time.Millisecond
	o.mu.Unlock()
	time.Sleep(d)
}

func (o *outage) isDown(op spec.Operation) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n++
	if o.own == nil {
		o.own = map[spec.Operation]int{}
	}
	o.own[op]++
	since := time.Duration(0)
	if !o.began.IsZero() {
		since = time.Since(o.began)
	}
	down := o.down(o.n, o.own[op], op, since)
	if down {
		o.hits++
		if o.began.IsZero() {
			o.began = time.Now()
		}
	}
	return down
}

func gateway(status int, mediaType, body string, headers ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{"Content-Type": {mediaType}, "Date": {time.Now().UTC().Format(http.TimeFormat)}}
		for i := 0; i+1 < len(headers); i += 2 {
			h.Set(headers[i], headers[i+1])
		}
		return &http.Response{StatusCode: status, Proto: "HTTP/1.1", Header: h, Body: io.NopCloser(bytes.NewBufferString(body)), Request: r}, nil
	}
}

var gateways = map[string]func(*http.Request) (*http.Response, error){
	"503 with an Error and Retry-After": gateway(503, "application/json", `{"code":"busy","message":"Busy.","status":503}`, "Retry-After", "1"),
	"502 as a web page":                 gateway(502, "text/html", "<h1>Bad Gateway</h1>"),
	"504 without a body":                gateway(504, "text/plain", ""),
	"refused":                           func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNREFUSED },
	"closed":                            func(*http.Request) (*http.Response, error) { return nil, io.EOF },
}

func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// mostCreates leaves room for the createPets that are sent again: each counts, since it may have created an animal.
const mostCreates = 400

// duringOutage judges a run against the reference with an outage, on simulated time: of everything, or of the checks only.
func duringOutage(t *testing.T, deviations []string, o *outage, only ...string) (r verdict.Results, took time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		key := exchange.NewSecret("pet-Key-0123456789-abcdef")
		service, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "own", Secret: key, Plan: spec.Business}}, Deviations: deviations})
		if err != nil {
			t.Fatal(err)
		}
		o.next = inprocess.Transport{Handler: service}
		begun := time.Now()
		rec, err := run.Send(context.Background(), run.Config{
			Base: &url.URL{Scheme: "http", Host: "reference.example", Path: "/v1"}, Key: key, CategoryID: 1, MaxCreates: mostCreates, Concurrency: 8,
			AsOf: time.Now().UTC(), Seed: 7, Run: "outage", Patience: 10 * time.Second, Tool: "petconform/test",
			Transport: o, Deep: o.deep}, only...)
		if rec == nil {
			t.Fatal(err)
		}
		took = time.Since(begun)
		r = judge.Recording(rec)
	})
	return r, took
}

// TestAnOutageAccusesNoOperation: a request without an answer, or with one of a gateway, or four in a row, or all for 3 or 40 s, at
// any moment of a run and for any operation, leaves a lawful service lawful, and a deviation is found all the same.
func TestAnOutageAccusesNoOperation(t *testing.T) {
	type length struct {
		name string
		down func(from int) func(n, own int, op spec.Operation, since time.Duration) bool
	}
	one := func(from, length int) func(n, _ int, _ spec.Operation, _ time.Duration) bool {
		return func(n, _ int, _ spec.Operation, _ time.Duration) bool { return n >= from && n < from+length }
	}
	lasting := func(from int, d time.Duration) func(n, _ int, _ spec.Operation, _ time.Duration) bool {
		return func(n, _ int, _ spec.Operation, since time.Duration) bool { return n >= from && since < d }
	}
	lengths := []length{
		{"one", func(from int) func(int, int, spec.Operation, time.Duration) bool { return one(from, 1) }},
		{"four in a row", func(from int) func(int, int, spec.Operation, time.Duration) bool { return one(from, 4) }},
		{"3 s", func(from int) func(int, int, spec.Operation, time.Duration) bool { return lasting(from, 3*time.Second) }},
		{"40 s", func(from int) func(int, int, spec.Operation, time.Duration) bool {
			return lasting(from, 40*time.Second)
		}},
	}
	step := 54 / long.Times(t, 2, 6)
	for name, answer := range gateways {
		for _, l := range lengths {
			for from := 2; from <= 110; from += step {
				t.Run(fmt.Sprintf("%s, %s from request %d", name, l.name, from), func(t *testing.T) {
					t.Parallel()
					conformsDuring(t, &outage{answer: answer, down: l.down(from)})
				})
			}
		}
		for _, op := range []spec.Operation{spec.ListPets, spec.CreatePet, spec.GetPet} {
			for from := 1; from <= 16; from += 5 {
				t.Run(fmt.Sprintf("%s, %s from its request %d", name, op, from), func(t *testing.T) {
					t.Parallel()
					conformsDuring(t, &outage{answer: answer, down: func(n, own int, of spec.Operation, _ time.Duration) bool {
						return n > 1 && of == op && own >= from && own < from+2
					}})
				})
			}
		}
	}
	for name, answer := range gateways {
		for from := 1; from <= 22 && name != "refused"; from += 3 {
			t.Run(fmt.Sprintf("%s, after the animal of createPet %d was created", name, from), func(t *testing.T) {
				t.Parallel()
				conformsDuring(t, &outage{answer: answer, late: true, down: func(_, own int, of spec.Operation, _ time.Duration) bool {
					return of == spec.CreatePet && own == from
				}})
			})
		}
	}
	for _, from := range []int{2, 30, 80} {
		t.Run(fmt.Sprintf("a hang of request %d", from), func(t *testing.T) {
			t.Parallel()
			conformsDuring(t, &outage{answer: hang, down: one(from, 1)})
		})
	}
}

func conformsDuring(t *testing.T, o *outage) {
	t.Helper()
	r, _ := duringOutage(t, nil, o)
	if r.Verdict != verdict.Conforms {
		t.Errorf("a lawful service gets %q: %v", r.Verdict, r.Reasons)
	}
	if o.hits == 0 {
		t.Error("there was no outage")
	}
}

// TestAnOutageHidesNoDeviation: what deviates is found all the same, and nothing else is.
func TestAnOutageHidesNoDeviation(t *testing.T) {
	for name, answer := range gateways {
		for _, from := range []int{2, 30, 80} {
			t.Run(fmt.Sprintf("%s from request %d", name, from), func(t *testing.T) {
				t.Parallel()
				r, _ := duringOutage(t, []string{"limit-defaults-to-10"}, &outage{answer: answer,
					down: func(n, _ int, _ spec.Operation, since time.Duration) bool { return n >= from && since < 3*time.Second }})
				if r.Verdict != verdict.Deviates || len(r.Reasons) != 1 || r.Reasons[0].Requirement != "LIST-5" {
					t.Errorf("%s, %v; LIST-5 alone is wanted", r.Verdict, r.Reasons)
				}
			})
		}
	}
}

// TestAnOutageThatDoesNotEnd makes no verdict, accuses nothing, and ends with Config.MaxWait.
func TestAnOutageThatDoesNotEnd(t *testing.T) {
	for name, answer := range gateways {
		for _, from := range []int{2, 16, 60} {
			t.Run(fmt.Sprintf("%s from request %d", name, from), func(t *testing.T) {
				t.Parallel()
				r, took := duringOutage(t, nil, &outage{answer: answer, down: func(n, _ int, _ spec.Operation, _ time.Duration) bool { return n >= from }})
				if r.Verdict != verdict.NoVerdict || !strings.Contains(r.Reasons.String(), "the target has an outage") {
					t.Errorf("%s, %v; no verdict for an outage is wanted", r.Verdict, r.Reasons)
				}
				for _, q := range r.Requirements {
					if q.Verdict == verdict.Failed {
						t.Errorf("%s is accused", q.ID)
					}
				}
				if took > 6*time.Minute {
					t.Errorf("the run took %s; --max-wait is 5 min", took)
				}
			})
		}
	}
}

// TestAnOperationThatIsDown is no outage of the target: its requirements are named, soon.
func TestAnOperationThatIsDown(t *testing.T) {
	for name, answer := range gateways {
		for _, op := range []spec.Operation{spec.ListPets, spec.CreatePet, spec.GetPet} {
			if name == "refused" {
				continue // no operation of a service that accepts connections refuses one
			}
			t.Run(fmt.Sprintf("%s: %s", op, name), func(t *testing.T) {
				t.Parallel()
				r, took := duringOutage(t, nil, &outage{answer: answer, down: func(_, own int, of spec.Operation, _ time.Duration) bool {
					return of == op && (op != spec.ListPets || own > 2) // without any listing there is no service
				}})
				outage := slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "outage") })
				if r.Verdict != verdict.Deviates || outage {
					t.Errorf("%s, %v, %v; an operation that is never answered deviates, and is no outage", r.Verdict, r.Reasons, r.Warnings)
				}
				if took > 30*time.Second {
					t.Errorf("the run took %s", took)
				}
			})
		}
	}
}

// TestOutagesThatComeBack are a fault of the service, and of no operation, unless each says with Retry-After when it ends.
func TestOutagesThatComeBack(t *testing.T) {
	for name, answer := range gateways {
		r, _ := duringOutage(t, nil, &outage{answer: answer, down: func(n, _ int, _ spec.Operation, _ time.Duration) bool { return n%25 == 0 }})
		if name == "closed" && r.Verdict == verdict.Conforms {
			continue // GET is sent again at once when its connection closes, so it depends on what was under way
		}
		if name == "503 with an Error and Retry-After" {
			if r.Verdict != verdict.Conforms {
				t.Errorf("%s: %s, %v; a service that sheds load and says when to come back conforms", name, r.Verdict, r.Reasons)
			}
			continue
		}
		if r.Verdict != verdict.Deviates || len(r.Reasons) != 1 || r.Reasons[0].Requirement != "SERVICE-3" {
			t.Errorf("%s: %s, %v; SERVICE-3 alone is wanted", name, r.Verdict, r.Reasons)
		}
	}
}

// TestBrokenHTTP: a service whose responses are not HTTP from some request on deviates for that alone, whatever is in flight when the
// run gives up. It has no outage.
func TestBrokenHTTP(t *testing.T) {
	for _, from := range []int{4, 10, 30, 80} {
		t.Run(fmt.Sprintf("from request %d", from), func(t *testing.T) {
			t.Parallel()
			var n atomic.Int64
			r, _ := duringOutage(t, nil, &outage{down: func(n, _ int, _ spec.Operation, _ time.Duration) bool { return n >= from },
				answer: func(r *http.Request) (*http.Response, error) {
					select {
					case <-time.After(time.Duration(n.Add(1)%5) * 20 * time.Millisecond):
						return nil, errors.New("malformed HTTP response")
					case <-r.Context().Done():
						return nil, r.Context().Err()
					}
				}})
			var failed []spec.ID
			for _, q := range r.Requirements {
				if q.Verdict == verdict.Failed {
					failed = append(failed, q.ID)
				}
			}
			if r.Verdict != verdict.Deviates || !slices.Equal(failed, []spec.ID{"SERVICE-3"}) || len(r.Warnings) > 0 {
				t.Errorf("%s, %v, %v; SERVICE-3 alone and no outage are wanted", r.Verdict, failed, r.Warnings)
			}
		})
	}
}
