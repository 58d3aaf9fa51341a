package clients

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// watched returns a Watcher before a service, and the recording that it fills.
func watched(t *testing.T) (*Watcher, *exchange.Recording) {
	t.Helper()
	key := exchange.NewSecret(deskKey)
	service, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "key", Secret: key, Plan: spec.Business}}, MaxBody: MaxBody})
	if err != nil {
		t.Fatal(err)
	}
	rec := &exchange.Recording{Meta: exchange.Meta{Kind: Kind, Started: time.Now(), AsOf: time.Now()}}
	return &Watcher{Service: service, BasePath: "/v1", Keys: map[string]exchange.Secret{"key": key}, Record: func(x exchange.Exchange) error {
		rec.Exchanges = append(rec.Exchanges, x)
		return nil
	}}, rec
}

// creates is a createPet with a body.
func creates(body io.Reader) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/v1/pets", body)
	r.Header.Set("Authorization", "Bearer "+deskKey)
	r.Header.Set("Content-Type", "application/json")
	return r
}

// newPet is that of CLIENT-11 in the results.
func newPet(t *testing.T, w *Watcher, rec *exchange.Recording) verdict.Check {
	t.Helper()
	end := w.End()
	rec.End = &end
	r, err := Judge(rec)
	if err != nil {
		t.Fatal(err)
	}
	return r.Checks[slices.IndexFunc(r.Checks, func(c verdict.Check) bool { return c.Requirements[0] == "CLIENT-11" })]
}

// TestBodiesThatDidNotComeWholeAreNotJudged: whatever their first part looks like.
func TestBodiesThatDidNotComeWholeAreNotJudged(t *testing.T) {
	long := strings.Repeat(" ", 2<<20)
	lawful := func() io.Reader { return strings.NewReader(`{"name":"Rex","categoryId":1}`) }
	gone := iotest.ErrReader(io.ErrUnexpectedEOF)
	for name, c := range map[string]struct {
		body io.Reader
		want verdict.Verdict
		says string
	}{
		"whole":                                {lawful(), verdict.Passed, "held on 1 of 1"},
		"2 MB":                                 {strings.NewReader(`{"name":"Rex` + long + `","categoryId":1}`), verdict.NotRun, "1 request not judged: the body is too large"},
		"2 MB, no NewPet in its first part":    {strings.NewReader(`{"categoryId":1}` + long + `x`), verdict.NotRun, "1 request not judged: the body is too large"},
		"2 MB, not JSON in its first part":     {strings.NewReader("}" + long), verdict.NotRun, "1 request not judged: the body is too large"},
		"half":                                 {io.MultiReader(strings.NewReader(`{"name":`), gone), verdict.NotRun, "1 request not judged: the client has not sent the body to its end"},
		"the end is missing, what came parses": {io.MultiReader(strings.NewReader(`{"categoryId":1}`), gone), verdict.NotRun, "has not sent the body to its end"},
		"nothing came":                         {gone, verdict.NotRun, "has not sent the body to its end"},
	} {
		t.Run(name, func(t *testing.T) {
			w, rec := watched(t)
			w.ServeHTTP(httptest.NewRecorder(), creates(c.body))
			if got := newPet(t, w, rec); got.Verdict != c.want || !strings.Contains(got.Reason+got.Evidence, c.says) {
				t.Errorf("%s: %s %s", got.Verdict, got.Reason, got.Evidence)
			}
			w.ServeHTTP(httptest.NewRecorder(), creates(lawful()))
			if got := newPet(t, w, rec); got.Verdict != verdict.Passed || c.want == verdict.NotRun && !strings.Contains(got.Evidence, "held on 1 of 1; 1 request not judged") {
				t.Errorf("with a lawful one: %s %s %s", got.Verdict, got.Reason, got.Evidence)
			}
		})
	}
}

// TestTheHostThatAProxyNamesIsAnyText: it is bounded, and without keys.
func TestTheHostThatAProxyNamesIsAnyText(t *testing.T) {
	for from, want := range map[string]string{
		"192.0.2.7, 198.51.100.1":         "192.0.2.7",
		deskKey:                           exchange.Mask,
		"x" + strings.Repeat("-", 20_000): "x" + strings.Repeat("-", longestHost-1) + "…",
	} {
		w, rec := watched(t)
		r := creates(strings.NewReader("{}"))
		r.Header.Set("X-Forwarded-For", from)
		w.ServeHTTP(httptest.NewRecorder(), r)
		if got := rec.Exchanges[0].Caller.Host; got != want {
			t.Errorf("the host is %.80q; %.80q is wanted", got, want)
		}
	}
}

// TestCutOff: what is open at the end is recorded once, as cut off, and what comes of it later is not.
func TestCutOff(t *testing.T) {
	w, rec := watched(t)
	body, client := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.ServeHTTP(httptest.NewRecorder(), creates(body))
	}()
	if _, err := io.WriteString(client, `{"name":`); err != nil { // it returns when the Watcher has read it
		t.Fatal(err)
	}
	w.CutOff()
	_ = client.CloseWithError(errors.New("the connection was closed"))
	<-done
	w.CutOff()
	if n := len(rec.Exchanges); n != 1 || rec.Exchanges[0].Failure == nil || rec.Exchanges[0].Failure.Kind != exchange.Stopped {
		t.Fatalf("%d exchanges: %+v", n, rec.Exchanges)
	}
	if got := newPet(t, w, rec); got.Verdict != verdict.NotRun || got.Reason != "1 request not judged: the run ended before the client had sent the body (exchange 1)" {
		t.Errorf("%s: %q", got.Verdict, got.Reason)
	}
}

// TestBounds: the recording ends at a bound of requests or of bytes, and says so once. What the service is asked later is answered.
func TestBounds(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		most int
		says string
	}{
		"requests": {"", MaxExchanges, "the largest number of requests, 30,000, was reached"},
		"bytes":    {strings.Repeat("x", MaxBody), MaxBytes/MaxBody + 1, "the largest number of bytes, 24 MiB, was reached after 96 requests"},
	} {
		t.Run(name, func(t *testing.T) {
			w, rec := watched(t)
			w.Service = http.NotFoundHandler()
			var told []string
			w.Full = func(why string) { told = append(told, why) }
			for range c.most + 10 {
				out := httptest.NewRecorder()
				if w.ServeHTTP(out, creates(strings.NewReader(c.body))); out.Code != http.StatusNotFound {
					t.Fatalf("it was answered %d", out.Code)
				}
			}
			if len(told) != 1 || told[0] != c.says || len(rec.Exchanges) > c.most || w.End().Stopped != c.says {
				t.Errorf("%d exchanges; told %q, the end %q", len(rec.Exchanges), told, w.End().Stopped)
			}
			end := w.End()
			rec.End = &end
			r, err := Judge(rec)
			if err != nil || r.Verdict == verdict.Conforms || !slices.ContainsFunc(r.Reasons, func(why verdict.Reason) bool { return strings.Contains(why.Sentence, c.says) }) {
				t.Errorf("it %s: %q (%v)", r.Word, r.Reasons, err)
			}
		})
	}
}
