package sample

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/conformance/clients"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/hint"
	"petconform/spec/verdict"
)

var update = flag.Bool("update", false, "write the samples anew")

// building is a run under construction.
type building struct {
	Results   verdict.Results
	Recording *exchange.Recording
}

// TestSamples holds the files of the samples to what is built here, so that they follow the ledger.
func TestSamples(t *testing.T) {
	bad, good := deviating(), conforming()
	for name, content := range map[string]any{"deviating.json": bad.Results, "deviating.jsonl": bad.Recording, "conforming.json": good.Results,
		"conforming.jsonl": good.Recording, "load.json": load(), "client.jsonl": client()} {
		want, err := json.MarshalIndent(content, "", " ")
		if rec, is := content.(*exchange.Recording); is {
			want = lines(t, rec)
		}
		name = "testdata/" + name
		if *update && err == nil {
			err = os.WriteFile(name, want, 0o644)
		}
		got, reading := os.ReadFile(name)
		if err != nil || reading != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what is built; run go test ./reports/internal/test/sample -update: %v, %v", name, err, reading)
		}
	}
}

func lines(t *testing.T, rec *exchange.Recording) []byte {
	var b bytes.Buffer
	w, err := exchange.NewWriter(&b, rec.Meta)
	for _, x := range rec.Exchanges {
		if err == nil {
			err = w.Write(x)
		}
	}
	if err == nil {
		err = w.End(*rec.End)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// deviating is a run against a service with three deviations, a should that is not kept and a check that could not tell: about
// sixty active checks and every rule of the ledger.
func deviating() building {
	r := empty("r-7f3a", "2.14.0+4be1c09")
	for _, req := range spec.TheLedger().Requirements {
		r.prove(req)
	}
	r.fail("list-5", "LIST-5", "GET /pets lists as many as GET /pets?limit=20", "20 animals, as limit=20 lists", "100 animals")
	r.fail("create-9", "CREATE-9", "POST /pets (fraction)", "status 400", `201: {"id":9007199254740993,"name":"pc-r-7f3a-fraction","categoryId":1}`)
	r.failRule("error-3", "ERROR-3", "the status in the Error", "404, the HTTP status", "400")
	r.failRule("auth-7", "AUTH-7", "WWW-Authenticate of a 401", "Bearer", "no such header")
	r.unsure("list-8", "more than 100 animals are sold; the listing has no room to show all")
	r.observe()
	r.finish()
	return r
}

// conforming is the run without what fails.
func conforming() building {
	r := empty("r-5d21", "2.13.2+0aa41f7")
	for _, req := range spec.TheLedger().Requirements {
		r.prove(req)
	}
	r.observe()
	r.Results.Observations[0].Value = "400, an Error"
	r.finish()
	return r
}

func empty(name, build string) building {
	target := verdict.Target{URL: "https://staging.pets.example/v1", Build: build, Environment: "staging"}
	rec := &exchange.Recording{Meta: exchange.Meta{Format: exchange.Format, Kind: "check", Tool: "petconform 0.3.0+9c1d2e7", Target: target.URL,
		Run: name, Seed: 42, Started: Start, AsOf: Start, CategoryID: 1}}
	return building{Recording: rec, Results: verdict.Results{Schema: verdict.Schema, Kind: "check", Tool: rec.Meta.Tool, InterfaceVersion: spec.InterfaceVersion,
		LedgerDigest: strings.Repeat("5e1a9b07", 8), Target: target, Run: name, Seed: 42, Started: Start, AsOf: Start,
		Created: []verdict.Created{}}}
}

// prove adds the check or the rule that a requirement of the ledger asks for.
func (r *building) prove(req spec.Requirement) {
	id := strings.ToLower(string(req.ID))
	out := verdict.Requirement{ID: req.ID, Clause: req.Clause, Statement: req.Statement, Level: req.Level, Verdict: verdict.Passed, Checks: []string{id}}
	c := verdict.Check{ID: id, Kind: verdict.Active, Title: req.Statement, Verdict: verdict.Passed, Requirements: []spec.ID{req.ID}, Exchanges: []int{}}
	if req.Level == spec.Open {
		out.Verdict, c.Verdict = verdict.Observed, verdict.Observed
	}
	switch req.Proof {
	case spec.ByCheck:
		c.Operation = req.Operations[0]
		for step := range 1 + len(id)%3 {
			c.Exchanges = append(c.Exchanges, r.send(id, fmt.Sprintf("step %d", step+1), c.Operation))
		}
		c.MS, c.Evidence = int64(7*len(c.Exchanges)), fmt.Sprintf("%d of %d responses as expected", len(c.Exchanges), len(c.Exchanges))
	case spec.ByRule, spec.ByNet:
		c.Kind, c.Of, c.Held, c.Evidence = verdict.Passive, 97, 97, "held on 97 of 97"
	default:
		out.Checks, out.Verdict, out.Reason = []string{}, verdict.NotRun, "a load run is needed"
		if req.Proof.Beyond() {
			out.Reason = req.Why
		}
		r.Results.Requirements = append(r.Results.Requirements, out)
		return
	}
	if !req.Applies(Start) {
		out.Verdict, c.Verdict, c.Reason = verdict.NotApplicable, verdict.NotApplicable, "it binds from 2030-12-06"
	}
	r.Results.Requirements = append(r.Results.Requirements, out)
	r.Results.Checks = append(r.Results.Checks, c)
}

func (r *building) failRule(check string, id spec.ID, message, expected, actual string) {
	c := r.check(check)
	c.Exchanges = []int{5, 9, 14}
	r.fail(check, id, message, expected, actual)
	c.Held, c.Evidence = 94, "first broken at exchange 5; held on 94 of 97"
}

func (r *building) unsure(check, why string) {
	c := r.check(check)
	c.Verdict, c.Reason, c.Evidence = verdict.Inconclusive, why, ""
	q := r.requirement(c.Requirements[0])
	q.Verdict, q.Reason = verdict.Inconclusive, why
}

func (r *building) observe() {
	r.Results.Observations = []verdict.Observation{
		{Requirement: "LIST-13", Key: "limit=0", Value: "200, as limit=20"},
		{Requirement: "LIST-13", Key: "limit=101", Value: "200, 100 animals"},
		{Requirement: "LIST-13", Key: "limit=x", Value: "400, an Error"},
		{Requirement: "LIST-15", Key: "order", Value: "by id, ascending"},
		{Requirement: "CREATE-15", Key: "default status", Value: "available"},
		{Requirement: "ERROR-6", Key: "code of a 400", Value: "INVALID_BODY, INVALID_JSON"},
		{Requirement: "GET-7", Key: "Sunset", Value: "Thu, 05 Dec 2030 00:00:00 GMT"},
		{Requirement: "ORDERS-1", Key: "status", Value: "501, an Error"},
	}
}

func (r *building) finish() {
	ended := Start.Add(1840 * time.Millisecond)
	r.Results.Ended, r.Results.Requests = ended, len(r.Recording.Exchanges)
	r.Recording.End = &exchange.End{Ended: ended}
	r.Results.Verdict = verdict.Conforms
	for _, q := range r.Results.Requirements {
		if q.Verdict == verdict.Failed && q.Level == spec.Must {
			r.Results.Verdict = verdict.Deviates
		}
	}
	for _, c := range r.Results.Checks {
		r.Recording.Meta.Planned = append(r.Recording.Meta.Planned, c.ID)
	}
	for i := range 11 {
		r.Results.Created = append(r.Results.Created, verdict.Created{ID: json.Number(fmt.Sprint(9007199254740993 + i)),
			Name: fmt.Sprintf("pc-%s-%d", r.Results.Run, i+1), Exchange: i + 1, Unwanted: i == 7})
	}
}

func (r *building) check(id string) *verdict.Check {
	i := slices.IndexFunc(r.Results.Checks, func(c verdict.Check) bool { return c.ID == id })
	return &r.Results.Checks[i]
}

func (r *building) requirement(id spec.ID) *verdict.Requirement {
	i := slices.IndexFunc(r.Results.Requirements, func(q verdict.Requirement) bool { return q.ID == id })
	return &r.Results.Requirements[i]
}

func (r *building) fail(check string, id spec.ID, message, expected, actual string) {
	c := r.check(check)
	c.Verdict, c.Evidence = verdict.Failed, ""
	c.Findings = append(c.Findings, verdict.Finding{Requirement: id, Exchange: c.Exchanges[0], Message: message, Expected: expected, Actual: actual,
		Hint: hint.Of(id, "", expected, actual, nil)})
	r.requirement(id).Verdict = verdict.Failed
}

// send records one plausible exchange and gives its number.
func (r *building) send(check, step string, op spec.Operation) int {
	n := len(r.Recording.Exchanges) + 1
	x := exchange.Exchange{N: n, Check: check, Step: step, Operation: op, Auth: exchange.Key, Attempt: 1,
		Sent: Start.Add(time.Duration(n) * 15 * time.Millisecond), FirstByte: time.Duration(3+n%7) * time.Millisecond, Done: time.Duration(4+n%7) * time.Millisecond,
		Request: exchange.Request{Method: "GET", Path: "/pets?limit=20", Header: http.Header{"Accept": {"application/json"},
			"User-Agent": {"petconform/0.3.0 (" + check + ")"}}}}
	status, body := 200, `[{"id":9007199254740993,"name":"pc-r-7f3a-1","categoryId":1,"status":"available"},{"id":9007199254740994,"name":"Zoë 🐢","categoryId":2}]`
	switch op {
	case spec.CreatePet:
		x.Request.Method, x.Request.Path = "POST", "/pets"
		x.Request.Header.Set("Content-Type", "application/json")
		x.Request.Body = exchange.Body(fmt.Sprintf(`{"name":"pc-r-7f3a-%d","categoryId":1}`, n))
		status, body = 201, fmt.Sprintf(`{"id":%d,"name":"pc-r-7f3a-%d","categoryId":1,"status":"available"}`, 9007199254740992+n, n)
	case spec.GetPet:
		x.Request.Path = "/pets/9223372036854775807"
		status, body = 404, `{"code":"NOT_FOUND","message":"No animal has the id 9223372036854775807.","status":404}`
	case spec.StoreOrders:
		x.Request.Path = "/store/orders"
		status, body = 501, `{"code":"NOT_BUILT","message":"Orders are not built yet.","status":501}`
	}
	if strings.HasPrefix(check, "auth-") {
		x.Auth = exchange.DamagedKey
		status, body = 401, `{"code":"UNAUTHENTICATED","message":"The API key is missing or invalid.","status":401}`
	}
	x.Response = &exchange.Response{Status: status, Proto: "HTTP/1.1", Body: exchange.Body(body), Size: int64(len(body)), Header: http.Header{
		"Content-Type": {"application/json"}, "Date": {x.Sent.Format(http.TimeFormat)}, "X-Ratelimit-Limit": {"300"},
		"X-Ratelimit-Remaining": {fmt.Sprint(300 - n)}, "X-Ratelimit-Reset": {fmt.Sprint(Start.Unix() + 60)}}}
	r.Recording.Exchanges = append(r.Recording.Exchanges, x)
	return n
}

// client is the recording of a client that does not wait after its second 429 of three, on two connections; the user said that
// it is one.
func client() *exchange.Recording {
	rec := &exchange.Recording{Meta: exchange.Meta{Format: exchange.Format, Kind: clients.Kind, Tool: "petconform 0.3.0+9c1d2e7", Target: "http://127.0.0.1:8080/v1",
		Reference: true, Run: "r-1c1e", Seed: 1, Started: Start, AsOf: Start, Planned: clients.RuleIDs(), Settings: json.RawMessage(`{"clients":1,"command":true}`)}}
	for i, x := range []struct {
		at         time.Duration
		connection int
		status     int
	}{
		{0, 1, 200}, {10 * time.Millisecond, 1, 429}, {2100 * time.Millisecond, 1, 429}, {2300 * time.Millisecond, 2, 429}, {7 * time.Second, 2, 200},
	} {
		header := http.Header{"Content-Type": {"application/json"}}
		if x.status == http.StatusTooManyRequests {
			header[spec.HeaderRetryAfter] = []string{"2"}
		}
		rec.Exchanges = append(rec.Exchanges, exchange.Exchange{N: i + 1, Check: clients.Sender, Attempt: 1, Operation: spec.ListPets, Auth: exchange.Key,
			Request:  exchange.Request{Method: http.MethodGet, Path: "/pets?limit=5", Header: http.Header{"User-Agent": {"pet-sdk/1.2"}}},
			Response: &exchange.Response{Status: x.status, Proto: "HTTP/1.1", Header: header, Body: exchange.Body("[]"), Size: 2},
			Caller:   &exchange.Caller{Key: "key", Host: "127.0.0.1", Connection: x.connection}, Sent: Start.Add(x.at), Done: time.Millisecond})
	}
	rec.End = &exchange.End{Ended: Start.Add(8 * time.Second)}
	return rec
}
