package altered

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// inProcess carries requests to a handler without a socket, and gives the answer the form that it has over one.
type inProcess struct{ handler http.Handler }

func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := &writer{ResponseRecorder: httptest.NewRecorder()}
	t.handler.ServeHTTP(w, r)
	resp := w.Result()
	header := http.Header{}
	for name, values := range resp.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	resp.Header = header
	if !w.dated && resp.Header.Get("Date") == "" {
		resp.Header.Set("Date", time.Now().UTC().Format(http.TimeFormat)) // the judge measures Reset by it
	}
	resp.Request = r
	return resp, nil
}

// writer leaves out what comes before the answer itself (103), as net/http's client does.
type writer struct {
	*httptest.ResponseRecorder
	dated bool
}

func (w *writer) WriteHeader(status int) {
	if status/100 == 1 {
		return
	}
	_, w.dated = w.Header()["Date"] // a nil value keeps net/http from adding one
	w.ResponseRecorder.WriteHeader(status)
}

// record runs the standard checks against the reference service with some freedoms.
func record(tb testing.TB, freedoms ...string) *exchange.Recording {
	tb.Helper()
	key := exchange.NewSecret("pet-Altered0123456789abc")
	plan := spec.Plan{Name: spec.Enterprise.Name, PerMinute: 90_000, PerDay: 1_000_000}
	s, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "altered", Secret: key, Plan: plan}}, Freedoms: freedoms})
	if err != nil {
		tb.Fatal(err)
	}
	rec, err := run.Send(tb.Context(), run.Config{
		Base: &url.URL{Scheme: "http", Host: "pets.example", Path: "/v1"}, Key: key, CategoryID: 1,
		MaxCreates: run.DefaultMaxCreates, Concurrency: 1, AsOf: time.Now().UTC(),
		Seed: 7, Run: "altered", Transport: inProcess{s},
	})
	if err != nil {
		tb.Fatal(err)
	}
	if r := judge.Recording(rec); r.Verdict != "conforms" {
		tb.Fatalf("a recording that conforms is wanted to begin with; with %v it %s: %v", freedoms, r.Verdict, r.Reasons)
	}
	return rec
}
