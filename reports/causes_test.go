package reports

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	"petconform/reports/cause"
	"petconform/reports/internal/test/sample"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// wrongStatus is a run whose createPet answers 422 for two bodies, and whose rule on headers is broken twice.
func wrongStatus(text string) verdict.Results {
	res := verdict.Results{Target: verdict.Target{URL: "https://pets.example/v1"}}
	for _, r := range spec.TheLedger().Requirements {
		res.Requirements = append(res.Requirements, verdict.Requirement{ID: r.ID, Level: r.Level, Statement: r.Statement, Clause: r.Clause})
	}
	at := func(name string, n, status int) verdict.Case {
		return verdict.Case{Name: name, Sender: "create-name-invalid", Operation: spec.CreatePet, Exchanges: []int{n}, Wanted: []int{400}, Status: status, Actual: text}
	}
	res.Checks = []verdict.Check{
		{ID: "create-name-invalid", Kind: verdict.Active, Operation: spec.CreatePet, Verdict: verdict.Failed, Requirements: []spec.ID{"CREATE-8"},
			Findings: []verdict.Finding{{Requirement: "CREATE-8", Exchange: 1, Message: text, Expected: "status 400", Actual: text,
				Cases: []verdict.Case{at("null", 1, 422), at("number", 2, 422)}}}},
		{ID: "rate-headers", Kind: verdict.Passive, Verdict: verdict.Failed, Requirements: []spec.ID{"RATE-1"}, Held: 1, Of: 3,
			Findings: []verdict.Finding{{Requirement: "RATE-1", Exchange: 1, Message: text, Expected: text, Actual: text,
				Cases: []verdict.Case{{Sender: "create-name-invalid", Operation: spec.CreatePet, Exchanges: []int{1, 3}, Status: 422}}}}},
		{ID: "remaining-falls", Kind: verdict.Passive, Verdict: verdict.Inconclusive, Requirements: []spec.ID{"RATE-4"}, Because: []spec.ID{"RATE-1"}},
	}
	return res
}

func TestACauseTellsItsPlaces(t *testing.T) {
	res := wrongStatus("text")
	var b bytes.Buffer
	causes := cause.Of(res)
	for i, c := range causes {
		if err := Card(&b, strconv.Itoa(i+1), c, res, nil, CardStyle{Folder: "petconform-out"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := FixFirst(&b, causes, CardStyle{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"✗ 1 Responses lack the X-RateLimit headers\n", "2 of 3 responses, to createPet", "1 check, inconclusive until this is fixed: remaining-falls",
		"petconform check --only rate-headers,create-name-invalid \\\n", "✗ 2 422 instead of 400 from createPet for a name that is not a string\n", "createPet: null, number\n",
		"\nFix first: " + Order + "\n  1  Responses lack the X-RateLimit headers (RATE-1), hides 1 check\n  2  422 instead of 400 from createPet for a name that is not a string\n     (CREATE-8)\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is wanted in\n%s", want, &b)
		}
	}
}

// TestCauseColumns: a cause keeps within 80 columns, whatever a target sends.
func TestCauseColumns(t *testing.T) {
	for _, text := range sample.Hostile {
		res := wrongStatus(text)
		var b bytes.Buffer
		for i, c := range cause.Of(res) {
			if err := Card(&b, strconv.Itoa(i+1), c, res, nil, CardStyle{Folder: "petconform-out"}); err != nil {
				t.Fatal(err)
			}
		}
		for line := range strings.Lines(b.String()) {
			if n := uniseg.StringWidth(strings.TrimRight(line, "\n")); n > Columns {
				t.Errorf("%d columns: %s", n, line)
			}
			if strings.ContainsAny(line, "\x1b\x00\u202e") {
				t.Errorf("a control character is in %q", line)
			}
		}
	}
}

func TestAnExchangeInFull(t *testing.T) {
	x := exchange.Exchange{N: 12, Check: "create-name-invalid", Step: "null", Operation: spec.CreatePet, Auth: exchange.Key, Sent: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC),
		Request:  exchange.Request{Method: "POST", Path: "/pets", Header: map[string][]string{"Content-Type": {"application/json"}}, Body: exchange.Body(`{"name":null}`)},
		Response: &exchange.Response{Status: 403, Proto: "HTTP/1.1", Header: map[string][]string{"X-Odd": {"\x1b[31m"}}, Body: exchange.Body("no\nway"), Size: 6}, FirstByte: time.Millisecond, Done: 2 * time.Millisecond}
	const want = `Exchange 12 of create-name-invalid (null)
createPet, 2026-11-21 08:00:00.000 UTC; credential: key

> POST /pets
> Authorization: Bearer <key>
> Content-Type: application/json
>
> {"name":null}

< HTTP/1.1 403 Forbidden
< X-Odd: \u{1b}[31m
<
< no
< way

First byte after 1.0 ms, complete after 2.0 ms, 6 bytes
`
	var b bytes.Buffer
	finding := verdict.Finding{Requirement: "CREATE-8", Exchange: 12, Expected: "status 400", Actual: "status 403", Hint: "Usually a reason. A mend."}
	res := verdict.Results{Requirements: []verdict.Requirement{{ID: "CREATE-8", Statement: "It returns 400."}},
		Checks: []verdict.Check{{ID: "create-name-invalid", Findings: []verdict.Finding{finding, {Requirement: "CREATE-6", Exchange: 13}}}}}
	const found = `  CREATE-8  It returns 400.
  Expected  status 400
  Actual    status 403
  Hint      Usually a reason. A mend.

`
	if err := Exchange(&b, x, res, CardStyle{}); err != nil || b.String() != found+want {
		t.Errorf("%v: %s\nis wanted, not\n%s", err, want, &b)
	}
	b.Reset()
	x.Response, x.Failure = nil, &exchange.Failure{Kind: exchange.Closed, Detail: "EOF"}
	if err := Exchange(&b, x, verdict.Results{}, CardStyle{}); err != nil || !strings.HasSuffix(b.String(), "\nNo complete response: closed: EOF\n") {
		t.Errorf("%v: %s", err, &b)
	}
}
