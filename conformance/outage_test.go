package conformance_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

// outage makes a transport answer some requests itself, counted from 1 as they are sent.
type outage struct {
	next   http.RoundTripper
	n      atomic.Int32
	hits   func(n int) bool
	answer func(*http.Request) (*http.Response, error)
}

func (o *outage) RoundTrip(r *http.Request) (*http.Response, error) {
	if o.hits(int(o.n.Add(1))) {
		time.Sleep(time.Millisecond)
		return o.answer(r)
	}
	return o.next.RoundTrip(r)
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
}

func duringOutage(t *testing.T, deviations []string, answer func(*http.Request) (*http.Response, error), hits func(n int) bool) (r verdict.Results) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		key := exchange.NewSecret("pet-Key-0123456789-abcdef")
		service, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "own", Secret: key, Plan: spec.Business}}, Deviations: deviations})
		if err != nil {
			t.Fatal(err)
		}
		defer service.Close()
		rec, err := conformance.Send(context.Background(), conformance.Config{
			Base: &url.URL{Scheme: "http", Host: "reference.example", Path: "/v1"}, Key: key, CategoryID: 1, MaxCreates: 30, Concurrency: 8,
			AsOf: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), Seed: 7, Run: "outage", Patience: 10 * time.Second, Tool: "petconform/test",
			Transport: &outage{next: inprocess.Transport{Handler: service}, hits: hits, answer: answer}})
		if rec == nil {
			t.Fatal(err)
		}
		r = conformance.JudgeRecording(rec)
	})
	return r
}

// TestAnOutageAccusesNoOperation: one response of a gateway, or four in a row, at any moment of a run leaves a lawful service
// lawful, and a deviation is found all the same.
func TestAnOutageAccusesNoOperation(t *testing.T) {
	for name, answer := range gateways {
		for at := 1; at <= 110; at += 7 {
			if name == "refused" && at == 1 {
				continue // nobody has responded yet: a wrong address
			}
			for _, length := range []int{1, 4} {
				t.Run(fmt.Sprintf("%s, %d from request %d", name, length, at), func(t *testing.T) {
					t.Parallel()
					hits := func(n int) bool { return n >= at && n < at+length }
					if r := duringOutage(t, nil, answer, hits); r.Verdict != verdict.Conforms {
						t.Errorf("a lawful service gets %q: %v", r.Verdict, r.Reasons)
					} else if name != "refused" && !strings.Contains(strings.Join(r.Warnings, " "), "the target had an outage") {
						t.Errorf("the outage is not told: %v", r.Warnings)
					}
				})
			}
		}
		r := duringOutage(t, []string{"limit-defaults-to-10"}, answer, func(n int) bool { return n >= 30 && n < 33 })
		if r.Verdict != verdict.Deviates || len(r.Reasons) != 1 || !strings.HasPrefix(r.Reasons[0], "LIST-5 ") {
			t.Errorf("%s: %s, %v; LIST-5 alone is wanted", name, r.Verdict, r.Reasons)
		}
	}
}

// TestOutagesThatComeBack are a fault of the service, and of no operation.
func TestOutagesThatComeBack(t *testing.T) {
	r := duringOutage(t, nil, gateways["502 as a web page"], func(n int) bool { return n%25 == 0 })
	if r.Verdict != verdict.Deviates || len(r.Reasons) != 1 || !strings.HasPrefix(r.Reasons[0], "SERVICE-3 ") {
		t.Errorf("%s, %v; SERVICE-3 alone is wanted", r.Verdict, r.Reasons)
	}
}
