package reference

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/reference/freedoms"
)

func TestFreedomsAreDeclared(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range slices.Concat(freedoms.All(), freedoms.AtRest()) {
		if !kebab.MatchString(f.Name) || seen[f.Name] {
			t.Errorf("%s: the name is not in kebab-case, or stands twice", f.Name)
		}
		seen[f.Name] = true
		if !strings.HasSuffix(f.Says, ".") || f.Open == "" || f.Part == "" {
			t.Errorf("%s: want Says, Open and Part: %+v", f.Name, f)
		}
		if r, known := spec.TheLedger().Find(spec.ID(f.Open)); known && r.Level == spec.Must {
			t.Errorf("%s: %s is a must, which leaves nothing open", f.Name, f.Open)
		}
	}
}

// TestEveryFreedomShows: a freedom that no answer shows would prove nothing. The list unseen has those that show only
// over a network, in a later year or in requests that the session does not send.
func TestEveryFreedomShows(t *testing.T) {
	unseen := []string{"slow", "first-answer-late", "one-at-a-time", "connection-closed", "connection-closed-now-and-then", "early-hints", "chunked"}
	plain := session(t)
	if again := session(t); again != plain {
		t.Fatalf("two sessions of the plain service differ:\n%s\n%s", plain, again)
	}
	for _, f := range freedoms.All() {
		if !slices.Contains(unseen, f.Name) && session(t, f.Name) == plain {
			t.Errorf("%s: no answer of the session differs from the plain service's", f.Name)
		}
	}
}

var sessionBodies = slices.Concat(validBodies, refusedBodies, []string{
	`{"name":"x","more":[1,{"y":null}],"categoryId":7}`, `{"name":"` + strings.Repeat("x", 5000) + `","categoryId":7}`,
	`{"name":"x","categoryId":77}`, `{"name":"","categoryId":7}`,
})

// session sends a long sequence of requests that uses every part of the service, and returns the answers.
func session(t *testing.T, freedoms ...string) string {
	cfg := testConfig()
	moving := &clock{testStart.Add(700 * time.Millisecond)}
	cfg.Now, cfg.Freedoms, cfg.Keys[1].Plan.PerDay = moving.Now, freedoms, 150
	s := newService(t, cfg)
	var lines []string
	say := func(method, path, body string, header ...string) *httptest.ResponseRecorder {
		w := ask(t, s, method, path, body, header...)
		lines = append(lines, fmt.Sprintln(method, path, body, header, w.Code, w.Header(), w.Body))
		moving.now = moving.now.Add(70 * time.Millisecond)
		return w
	}
	for _, body := range sessionBodies {
		say("POST", "/pets", body)
	}
	for _, media := range []string{"text/plain", "application/json; charset=utf-8", ""} {
		say("POST", "/pets", `{"name":"Rex","categoryId":1}`, "Content-Type", media)
	}
	for _, path := range []string{"/pets", "/pets", "/pets?status=none", "/pets?status=avail", "/pets?limit=0", "/pets?limit=3",
		"/pets?x=y", "/pets?limit=3&limit=5", "/pets/1", "/pets/x", "/store/orders", "/none", "/pets/"} {
		say("GET", path, "", "Accept-Encoding", "gzip")
	}
	var made spec.Pet
	for range 2 {
		say("GET", "/pets/"+strconv.FormatInt(made.ID+1, 10), "")
		_ = json.Unmarshal(say("POST", "/pets", `{"name":"New","categoryId":1}`).Body.Bytes(), &made)
		say("GET", "/pets/"+strconv.FormatInt(made.ID, 10), "")
		say("GET", "/pets", "")
	}
	for _, method := range []string{"HEAD", "OPTIONS", "DELETE"} {
		say(method, "/pets", "")
	}
	say("GET", "/none", "", "Authorization", "")
	say("GET", "/pets/1.5", "", "Authorization", "")
	say("GET", "/pets", "", "Authorization", "bearer "+testKey)
	say("GET", "/pets", "", "Authorization", "Bearer x'or'1'='1")
	for range 62 {
		say("GET", "/pets", "", "Authorization", "")
	}
	for range 3 {
		var refused *httptest.ResponseRecorder
		for range 70 {
			refused = say("GET", "/pets?limit=1", "", "Authorization", "Bearer Another-key-9876543210")
		}
		seconds, _ := strconv.Atoi(refused.Header().Get(spec.HeaderRetryAfter))
		moving.now = moving.now.Add(time.Duration(seconds+1) * time.Second)
	}
	return strings.Join(lines, "")
}
