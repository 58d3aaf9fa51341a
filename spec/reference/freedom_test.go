package reference

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference/freedoms"
	"petconform/spec/reference/internal/behaviour"
)

func TestFreedomsAreDeclared(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range freedoms.All() {
		if !kebab.MatchString(f.Name) || seen[f.Name] {
			t.Errorf("%s: the name is not in kebab-case, or stands twice", f.Name)
		}
		seen[f.Name] = true
		if !strings.HasSuffix(f.Says, ".") || len(f.Open) == 0 || f.Part == "" {
			t.Errorf("%s: want Says, Open and Part: %+v", f.Name, f)
		}
		for _, o := range f.Open {
			if r, known := spec.TheLedger().Find(spec.ID(o)); known && r.Level == spec.Must {
				t.Errorf("%s: %s is a must, which leaves nothing open", f.Name, o)
			}
		}
	}
	if len(seen) < 45 {
		t.Errorf("want at least 45 freedoms, got %d", len(seen))
	}
	t.Logf("%d freedoms, %d pairs", len(seen), len(freedoms.Pairs()))
}

func TestFreedomsOfOnePartExcludeEachOther(t *testing.T) {
	cfg := testConfig()
	cfg.Freedoms = []string{"newest-first", "random-order"}
	want := "the freedoms newest-first and random-order both change the order; use one of them"
	if _, err := New(cfg); err == nil || err.Error() != want {
		t.Errorf("want %s\ngot  %v", want, err)
	}
}

func TestFreedomsKeepTheInterface(t *testing.T) {
	for _, f := range freedoms.All() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			keepsTheInterface(t, f.Name)
		})
	}
}

func TestPairsOfFreedomsKeepTheInterface(t *testing.T) {
	for _, pair := range long.Pairs(t) {
		a, b := pair[0], pair[1]
		if a.Name == "slow" || b.Name == "slow" {
			continue
		}
		if !t.Run(a.Name+"/"+b.Name, func(t *testing.T) { keepsTheInterface(t, a.Name, b.Name) }) {
			return
		}
	}
}

// A freedom that no answer shows would prove nothing. The list unseen has those that show only over a network, in a later year or in
// requests that the session does not send.
func TestEveryFreedomShows(t *testing.T) {
	unseen := []string{"slow", "first-answer-late", "one-at-a-time", "connection-closed", "connection-closed-now-and-then", "early-hints", "chunked", "compressed", "head-answered", "slash-at-the-end",
		"removed-on-time", "media-type-required", "cross-origin", "byte-order-mark-accepted", "unknown-paths-without-key", "other-methods-404", "conditions-refused-in-front"}
	plainSession := strings.Join(freeSession(t), "\n")
	for _, f := range freedoms.All() {
		if slices.Contains(unseen, f.Name) {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			if strings.Join(freeSession(t, f.Name), "\n") == plainSession {
				t.Error("no answer of the session differs from the plain service's")
			}
		})
	}
}

func freeSession(t *testing.T, freedoms ...string) []string {
	cfg, moving := sessionConfig()
	cfg.Freedoms = freedoms
	s := &talk{service: newService(t, cfg), clock: moving, from: "192.0.2.1:1000"}
	s.atRest()
	s.say("POST", "/pets", `{"name":"x","more":[1,{"y":null}],"categoryId":7}`, key)
	s.say("POST", "/pets", `{"name":"`+strings.Repeat("x", 5000)+`","categoryId":7}`, key)
	s.say("POST", "/pets", `{"name":"","categoryId":7}`, key)
	s.say("GET", "/pets?x=y", "", key)
	s.say("GET", "/pets?limit=3&limit=5", "", key)
	s.say("GET", "/pets", "", "bearer "+testKey)
	s.spend()
	return s.lines
}

// keepsTheInterface sends requests to a lawful service and checks the answers.
func keepsTheInterface(t *testing.T, freedoms ...string) {
	t.Helper()
	cfg, moving := sessionConfig()
	cfg.Freedoms = freedoms
	s := &talk{service: newService(t, cfg), clock: moving, from: "192.0.2.1:1000"}
	sold := spec.NewPet{Name: "Zoë/犬", CategoryID: 7, Status: spec.Sold}
	made := lawful[spec.Pet](t, s, 201, "POST", "/pets", `{"name":"Zoë/犬","categoryId":7,"status":"sold"}`, key)
	second := lawful[spec.Pet](t, s, 201, "POST", "/pets", `{"name":"Rex","categoryId":1}`, key)
	if made.NewPet != sold || made.ID == second.ID {
		t.Errorf("want %+v, got %+v, and %+v after it", sold, made, second)
	}
	moving.now = moving.now.Add(2 * time.Second)
	if got := lawful[spec.Pet](t, s, 200, "GET", "/pets/"+behaviour.Whole(made.ID), "", key); got != made {
		t.Errorf("%+v was created, %+v is there", made, got)
	}
	if all := lawful[[]spec.Pet](t, s, 200, "GET", "/pets?limit=100", "", key); !slices.Contains(all, made) && len(all) < 100 {
		t.Errorf("%+v was created, the listing is %+v", made, all)
	}
	for _, p := range lawful[[]spec.Pet](t, s, 200, "GET", "/pets?status=sold&limit=100", "", key) {
		if p.Status != spec.Sold {
			t.Errorf("a filtered listing has %+v", p)
		}
	}
	if one := lawful[[]spec.Pet](t, s, 200, "GET", "/pets?limit=1", "", key); len(one) != 1 {
		t.Errorf("want one animal, got %d", len(one))
	}
	for _, body := range []string{`{}`, `{"name":"a"}`, `{"categoryId":1}`, `{"name":1,"categoryId":1}`, `{"name":"a","categoryId":1.5}`, `{"name":"a","categoryId":1,"status":"x"}`, `[]`, `no JSON`} {
		lawful[spec.Error](t, s, 400, "POST", "/pets", body, key)
	}
	lawful[spec.Error](t, s, 404, "GET", "/pets/1234567", "", key)
	for _, credential := range strangeCredentials {
		lawful[spec.Error](t, s, 401, "POST", "/pets", "?", credential)
	}
}

// lawful sends a request and parses the answer, which must have that status and what every answer has.
func lawful[T any](t *testing.T, s *talk, status int, method, path, body, authorization string) (got T) {
	t.Helper()
	w := s.say(method, path, body, authorization, "Accept-Encoding", "gzip")
	sent := fmt.Sprintf("%s %s %s", method, path, body)
	if w.Code == http.StatusEarlyHints {
		// The recorder takes the interim response for the whole answer.
		w.Code = status
	}
	if w.Code != status {
		t.Fatalf("%s: want %d, got %d: %s", sent, status, w.Code, w.Body)
	}
	for _, name := range []string{spec.HeaderLimit, spec.HeaderRemaining, spec.HeaderReset} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(w.Header())), func(h string) bool { return strings.EqualFold(h, name) }) {
			t.Errorf("%s: %s is missing", sent, name)
		}
	}
	if err := json.Unmarshal(plainBody(t, w), &got); err != nil {
		t.Errorf("%s: %v in %s", sent, err, w.Body)
	}
	if e, isError := any(got).(spec.Error); isError && (e.Status != status || e.Code == "" || e.Message == "") {
		t.Errorf("%s: want an Error of status %d, got %+v", sent, status, e)
	}
	return got
}

func plainBody(t *testing.T, w *httptest.ResponseRecorder) []byte {
	t.Helper()
	if w.Header().Get("Content-Encoding") != "gzip" {
		return w.Body.Bytes()
	}
	r, err := gzip.NewReader(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r)
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return body
}
