package run_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"petconform/conformance/proof"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/verdict"
)

// request is what an outage knows of a request: its number, counted from 1 as they are sent, the one among those of its
// operation, and the time since the first of the outage, 0 before it.
type request struct {
	n, own int
	op     spec.Operation
	since  time.Duration
}

// from is an outage of everything from a request on.
func from(n int) func(request) bool { return func(r request) bool { return r.n >= n } }

// lasting is an outage of everything from a request on, for a time.
func lasting(n int, d time.Duration) func(request) bool {
	return func(r request) bool { return r.n >= n && r.since < d }
}

// of is an outage of a few requests of an operation.
func of(op spec.Operation, own, length int) func(request) bool {
	return func(r request) bool { return r.n > 1 && r.op == op && r.own >= own && r.own < own+length }
}

// outage makes a transport answer some requests itself: those that are down.
type outage struct {
	down   func(request) bool
	answer func(*http.Request) (*http.Response, error)
	// late lets the service work on the request first, so that only its response is lost.
	late bool
	// delays, if there are any, hold each request and each response up for 0 to 4 ms.
	delays *rand.Rand
	next   http.RoundTripper

	mu      sync.Mutex
	n, hits int
	own     map[spec.Operation]int
	began   time.Time
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
	if o.delays != nil {
		o.mu.Lock()
		d := time.Duration(o.delays.IntN(5)) * time.Millisecond
		o.mu.Unlock()
		time.Sleep(d)
	}
}

func (o *outage) isDown(op spec.Operation) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.own == nil {
		o.own = map[spec.Operation]int{}
	}
	o.n++
	o.own[op]++
	r := request{n: o.n, own: o.own[op], op: op}
	if o.hits > 0 {
		r.since = time.Since(o.began)
	}
	down := o.down(r)
	if down {
		if o.hits++; o.hits == 1 {
			o.began = time.Now()
		}
	}
	return down
}

// say answers every request alike. headers are names and values.
func say(status int, mediaType, body string, headers ...string) everything {
	return func(r *http.Request) (*http.Response, error) {
		time.Sleep(time.Millisecond)
		h := http.Header{"Content-Type": {mediaType}, "Date": {time.Now().UTC().Format(http.TimeFormat)}}
		for i := 0; i+1 < len(headers); i += 2 {
			h.Set(headers[i], headers[i+1])
		}
		return &http.Response{StatusCode: status, Proto: "HTTP/1.1", Header: h, Body: io.NopCloser(bytes.NewBufferString(body)), Request: r}, nil
	}
}

// shedding is a gateway that says when to come back.
const shedding = "503 with an Error and Retry-After"

// gateways are what comes during an outage.
var gateways = map[string]everything{
	shedding:             say(503, "application/json", `{"code":"busy","message":"Busy.","status":503}`, "Retry-After", "1"),
	"502 as a web page":  say(502, "text/html", "<h1>Bad Gateway</h1>"),
	"504 without a body": say(504, "text/plain", ""),
	"refused":            func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNREFUSED },
	"closed":             func(*http.Request) (*http.Response, error) { return nil, io.EOF },
}

// inEachOutage runs f for each of the gateways and each number, side by side.
func inEachOutage(t *testing.T, numbers []int, f func(t *testing.T, name string, answer everything, n int)) {
	for name, answer := range gateways {
		for _, n := range numbers {
			t.Run(fmt.Sprintf("%s from request %d", name, n), func(t *testing.T) {
				t.Parallel()
				f(t, name, answer, n)
			})
		}
	}
}

// duringOutage judges a run against the reference with an outage, on simulated time: of everything, or of the checks
// only. Each createPet that is sent again counts, since it may have created an animal.
func duringOutage(t *testing.T, s proof.Service, o *outage) (r verdict.Results, took time.Duration) {
	t.Helper()
	s.Through = func(next http.RoundTripper) http.RoundTripper { o.next = next; return o }
	s.Change = func(cfg *run.Config) { cfg.MaxCreates, cfg.Concurrency = 400, 8 }
	r, rec := against(t, s)
	return r, rec.End.Ended.Sub(rec.Meta.Started)
}

// TestAnOutageAccusesNoOperation: a request without an answer, or with one of a gateway, or four in a row, or all for 3 or 40 s, at
// any moment of a run and for any operation, leaves a lawful service lawful, and a deviation is found all the same.
func TestAnOutageAccusesNoOperation(t *testing.T) {
	conforms := func(name string, o *outage) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r, _ := duringOutage(t, proof.Service{}, o); r.Verdict != verdict.Conforms || o.hits == 0 {
				t.Errorf("a lawful service gets %q after an outage of %d requests: %v", r.Verdict, o.hits, r.Reasons)
			}
		})
	}
	step := 54 / long.Times(t, 2, 6)
	for name, answer := range gateways {
		for n := 2; n <= 110; n += step {
			conforms(fmt.Sprintf("%s, request %d", name, n), &outage{answer: answer, down: func(r request) bool { return r.n == n }})
			conforms(fmt.Sprintf("%s, four from request %d", name, n), &outage{answer: answer, down: func(r request) bool { return r.n >= n && r.n < n+4 }})
			conforms(fmt.Sprintf("%s for 3 s from request %d", name, n), &outage{answer: answer, down: lasting(n, 3*time.Second)})
			conforms(fmt.Sprintf("%s for 40 s from request %d", name, n), &outage{answer: answer, down: lasting(n, 40*time.Second)})
		}
		for _, op := range []spec.Operation{spec.ListPets, spec.CreatePet, spec.GetPet} {
			for own := 1; own <= 16; own += 5 {
				conforms(fmt.Sprintf("%s, %s from its request %d", name, op, own), &outage{answer: answer, down: of(op, own, 2)})
			}
		}
		for own := 1; own <= 22 && name != "refused"; own += 3 {
			conforms(fmt.Sprintf("%s, after the animal of createPet %d was created", name, own), &outage{answer: answer, late: true, down: of(spec.CreatePet, own, 1)})
		}
	}
	hang := func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }
	for _, n := range []int{2, 30, 80} {
		conforms(fmt.Sprintf("a hang of request %d", n), &outage{answer: hang, down: func(r request) bool { return r.n == n }})
	}
}

// TestAnOutageHidesNoDeviation: what deviates is found all the same, and nothing else is. The outage is told.
func TestAnOutageHidesNoDeviation(t *testing.T) {
	inEachOutage(t, []int{2, 30, 80}, func(t *testing.T, _ string, answer everything, n int) {
		r, _ := duringOutage(t, proof.Service{Deviations: []string{"limit-defaults-to-10"}}, &outage{answer: answer, down: lasting(n, 3*time.Second)})
		if failed := r.Failed(spec.Must, spec.Should); r.Verdict != verdict.Deviates || !slices.Equal(failed, []spec.ID{"LIST-5"}) {
			t.Errorf("%s, %v; LIST-5 alone is wanted", r.Verdict, r.Reasons)
		}
		if told := strings.Join(r.Warnings, "\n"); !strings.Contains(told, "the first is exchange ") || !strings.Contains(told, "the response to that was judged") {
			t.Errorf("the warnings are %q", told)
		}
	})
}

// TestAnOutageThatDoesNotEnd makes no verdict, whichever request it begins with and whatever was in flight. It ends with
// Config.MaxWait, and accuses nothing but what was seen to deviate before.
func TestAnOutageThatDoesNotEnd(t *testing.T) {
	var numbers []int
	for n := 1; n <= 60; n += 60 / long.Times(t, 5, 30) {
		numbers = append(numbers, n)
	}
	inEachOutage(t, numbers, func(t *testing.T, name string, answer everything, n int) {
		if name == shedding {
			answer = say(503, "text/plain", "maintenance", "Retry-After", "3600")
		}
		for _, deviates := range []bool{false, true} {
			s := proof.Service{Deep: n%4 == 0}
			if deviates {
				s.Deviations = []string{"rate-limit-word"}
			}
			r, took := duringOutage(t, s, &outage{answer: answer, down: from(n), delays: rand.New(rand.NewPCG(uint64(n), 1))})
			want, says, named := verdict.NoVerdict, "the target has an outage", []spec.ID(nil)
			if deviates {
				want, says, named = verdict.Deviates, "RATE-2", []spec.ID{"RATE-2"}
			}
			if n == 1 { // nothing was ever there
				want, says, named = verdict.NoVerdict, "there is no service to judge", nil
			}
			failed := r.Failed(spec.Must, spec.Should)
			if r.Verdict != want || !strings.Contains(r.Reasons.String(), says) || n > 1 && !slices.Equal(failed, named) || took > 6*time.Minute {
				t.Errorf("%s by %v after %s, %v; want %s by %v within --max-wait of 5 min, and %q", r.Verdict, failed, took, r.Reasons, want, named, says)
			}
		}
	})
}

// TestAnOperationThatIsDown is no outage of the target: its requirements are named, soon. A run that ends with it shows
// that others are answered.
func TestAnOperationThatIsDown(t *testing.T) {
	down := func(name string, op spec.Operation, only ...string) {
		t.Run(fmt.Sprintf("%s: %s %v", op, name, only), func(t *testing.T) {
			t.Parallel()
			r, took := duringOutage(t, proof.Service{Only: only}, &outage{answer: gateways[name], down: func(r request) bool {
				return r.op == op && (op != spec.ListPets || r.own > 2) // without any listing there is no service
			}})
			outage := slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "outage") })
			if failed := r.Failed(spec.Must, spec.Should); r.Verdict != verdict.Deviates || outage || len(only) > 0 && len(failed) != 1 || took > 30*time.Second {
				t.Errorf("%s, %v, %v after %s; an operation that is never answered deviates soon, and is no outage", r.Verdict, r.Reasons, r.Warnings, took)
			}
		})
	}
	for name := range gateways {
		for _, op := range []spec.Operation{spec.ListPets, spec.CreatePet, spec.GetPet} {
			if name != "refused" { // no operation of a service that accepts connections refuses one
				down(name, op)
			}
		}
	}
	for check, op := range map[string]spec.Operation{
		"auth-missing-create": spec.CreatePet, "create-name-missing": spec.CreatePet, "get-unknown": spec.GetPet, "get-existing": spec.GetPet,
	} {
		down("502 as a web page", op, check)
	}
}

// TestFaultsOfTheService: outages that come back are a fault of the service, and of no operation, unless each says with
// Retry-After when it ends. So are responses that are not HTTP from some request on, whatever is in flight then.
func TestFaultsOfTheService(t *testing.T) {
	for name, answer := range gateways {
		r, _ := duringOutage(t, proof.Service{}, &outage{answer: answer, down: func(r request) bool { return r.n%25 == 0 }})
		switch failed := r.Failed(spec.Must, spec.Should); {
		case name == "closed" && r.Verdict == verdict.Conforms: // GET is sent again at once when its connection closes, so it depends on what was under way
		case name == shedding && r.Verdict != verdict.Conforms:
			t.Errorf("%s: %s, %v; a service that sheds load and says when to come back conforms", name, r.Verdict, r.Reasons)
		case name != shedding && (r.Verdict != verdict.Deviates || !slices.Equal(failed, []spec.ID{"SERVICE-3"})):
			t.Errorf("%s: %s, %v; SERVICE-3 alone is wanted", name, r.Verdict, r.Reasons)
		}
	}
	for _, n := range []int{4, 10, 30, 80} {
		var answers atomic.Int64
		r, _ := duringOutage(t, proof.Service{}, &outage{down: from(n), answer: func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(time.Duration(answers.Add(1)%5) * 20 * time.Millisecond):
				return nil, errors.New("malformed HTTP response")
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}})
		if failed := r.Failed(spec.Must, spec.Should); r.Verdict != verdict.Deviates || !slices.Equal(failed, []spec.ID{"SERVICE-3"}) || len(r.Warnings) > 0 {
			t.Errorf("from request %d: %s, %v, %v; SERVICE-3 alone and no outage are wanted", n, r.Verdict, failed, r.Warnings)
		}
	}
}
