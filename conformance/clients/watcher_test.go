package clients

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"petconform/conformance/judge"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// creates is a createPet with a body.
func creates(body io.Reader) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/v1/pets", body)
	r.Header.Set("Authorization", "Bearer "+deskKey)
	r.Header.Set("Content-Type", "application/json")
	return r
}

// TestBodiesThatDidNotComeWholeAreNotJudged: whatever their first part looks like.
func TestBodiesThatDidNotComeWholeAreNotJudged(t *testing.T) {
	long := strings.Repeat(" ", 2<<20)
	gone := iotest.ErrReader(io.ErrUnexpectedEOF)
	const tooLarge, unfinished = "1 request not judged: the body is too large", "1 request not judged: the client has not sent the body to its end"
	for name, c := range map[string]struct {
		body io.Reader
		want verdict.Verdict
		says string
	}{
		"whole":                                {strings.NewReader(`{"name":"Rex","categoryId":1}`), verdict.Passed, "held on 1 of 1"},
		"2 MB":                                 {strings.NewReader(`{"name":"Rex` + long + `","categoryId":1}`), verdict.NotRun, tooLarge},
		"2 MB, no NewPet in its first part":    {strings.NewReader(`{"categoryId":1}` + long + `x`), verdict.NotRun, tooLarge},
		"2 MB, not JSON in its first part":     {strings.NewReader("}" + long), verdict.NotRun, tooLarge},
		"half":                                 {io.MultiReader(strings.NewReader(`{"name":`), gone), verdict.NotRun, unfinished},
		"the end is missing, what came parses": {io.MultiReader(strings.NewReader(`{"categoryId":1}`), gone), verdict.NotRun, unfinished},
		"nothing came":                         {gone, verdict.NotRun, unfinished},
	} {
		d := newDesk(t, free)
		d.watcher.ServeHTTP(httptest.NewRecorder(), creates(c.body))
		if got, _ := d.judge().Check("client-new-pet"); got.Verdict != c.want || !strings.Contains(got.Reason+got.Evidence, c.says) {
			t.Errorf("%s: %s %s %s", name, got.Verdict, got.Reason, got.Evidence)
		}
	}
}

// TestNoKeyIsRecorded: a method, the name of a header and an address may have one, too. The desk looks for it.
func TestNoKeyIsRecorded(t *testing.T) {
	d := newDesk(t, free)
	p := d.program()
	p.do("GET", "/pets", "", "X-Forwarded-For", deskKey)
	p.do(strings.ToUpper(deskKey), "/pets", "")
	p.do("GET", "/pets", "", "X-"+deskKey, "yes", "X-Api-Key", "another-secret")
	p.get("/pets?limit=5&key=" + deskKey + "&access_token=another-secret")
	d.judge()
	if data, _ := json.Marshal(d.rec); strings.Contains(string(data), "another-secret") {
		t.Errorf("another secret stands in the recording: %s", data)
	}
}

// TestCutOff: what is open at the end is recorded once, as cut off, and what comes later is not.
func TestCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, free)
		body, client := io.Pipe()
		go d.watcher.ServeHTTP(httptest.NewRecorder(), creates(body))
		_, _ = io.WriteString(client, `{"name":`)
		d.watcher.CutOff()
		_ = client.CloseWithError(io.ErrUnexpectedEOF) // as the connection is closed
		r := d.judge()
		got, _ := r.Check("client-new-pet")
		const want = "1 request not judged: the run ended before the client had sent the body (exchange 1)"
		if len(d.rec.Exchanges) != 1 || d.rec.Exchanges[0].Failure.Kind != exchange.Stopped || got.Reason != want {
			t.Errorf("%+v; %s %q", d.rec.Exchanges, got.Verdict, got.Reason)
		}
		if d.program().list(); len(d.rec.Exchanges) > 1 {
			t.Errorf("%d exchanges", len(d.rec.Exchanges))
		}
	})
}

// TestBounds: the recording ends at a bound of requests or of bytes, and says so once. What the service is asked later
// is answered.
func TestBounds(t *testing.T) {
	for says, c := range map[string]struct {
		body     string
		requests int
		bytes    int64
	}{
		"the largest number of requests, 30,000, was reached":               {"", MaxExchanges - 2, 0},
		"the largest number of bytes, 24 MiB, was reached after 2 requests": {strings.Repeat("x", MaxBody), 0, MaxBytes - 2*MaxBody},
	} {
		d := newDesk(t, free)
		var full []string
		d.watcher.Service, d.watcher.Full = http.NotFoundHandler(), func(why string) { full = append(full, why) }
		d.watcher.n, d.watcher.bytes = c.requests, c.bytes
		for range 10 {
			out := httptest.NewRecorder()
			if d.watcher.ServeHTTP(out, creates(strings.NewReader(c.body))); out.Code != http.StatusNotFound {
				t.Fatalf("it was answered %d", out.Code)
			}
		}
		r := d.judge()
		if len(full) != 1 || full[0] != says || len(d.rec.Exchanges) != 2 || d.rec.End.Stopped != says {
			t.Errorf("%d exchanges; full %q, the end %q", len(d.rec.Exchanges), full, d.rec.End.Stopped)
		}
		if r.Verdict == verdict.Conforms || !slices.ContainsFunc(r.Reasons, func(why string) bool { return strings.Contains(why, says) }) {
			t.Errorf("it %s: %q", r.Word, r.Reasons)
		}
	}
}

// TestJudgingIsLinear: twice as many requests of a flood take about twice the allocations, however they are divided
// among connections.
func TestJudgingIsLinear(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		cost := func(n int) (allocations float64) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, setting{Settings: command})
				p := d.program()
				p.fresh = fresh
				for range n {
					p.list()
				}
				d.judge()
				allocations = testing.AllocsPerRun(1, func() { _, _ = Judge(d.rec) })
			})
			return allocations
		}
		if once, twice := cost(500), cost(1000); twice > 2.2*once {
			t.Errorf("new connections: %t; 1000 take %.0f allocations, 500 take %.0f", fresh, twice, once)
		}
	}
}

// TestAServicesRunListsNoRequirementOfClients: and the other way round.
func TestAServicesRunListsNoRequirementOfClients(t *testing.T) {
	rec := &exchange.Recording{Meta: exchange.Meta{Kind: "check"}}
	for _, q := range judge.Recording(rec).Requirements {
		if strings.HasPrefix(string(q.ID), "CLIENT-") {
			t.Errorf("a run of a service lists %s", q.ID)
		}
	}
	r, err := Judge(rec)
	if err != nil || len(r.Requirements) != len(spec.TheLedger().Clients) {
		t.Errorf("a client run lists %d requirements (%v)", len(r.Requirements), err)
	}
}
