package page

import (
	"bytes"
	"strings"
	"testing"

	"petconform/reports/decision"
	"petconform/reports/internal/test/sample"
	"petconform/reports/safe"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestLargePage: long bodies are cut, with their size and digest, so that a page of a thousand failures has at most 5 MB.
func TestLargePage(t *testing.T) {
	run := sample.Many(1000)
	var last exchange.Body
	for i := range run.Results.Checks {
		c := &run.Results.Checks[i]
		if !strings.HasPrefix(c.ID, "many-") {
			continue
		}
		last = exchange.Body(c.ID + strings.Repeat(" long", 800))
		run.Recording.Exchanges[c.Exchanges[0]-1].Response.Body = last
		c.Verdict, c.Findings = verdict.Failed, []verdict.Finding{{Requirement: "LIST-3", Exchange: c.Exchanges[0], Expected: "a short one", Actual: "a long one"}}
	}
	html, err := Render(Source{Facts: decision.Facts{Results: run.Results, Recording: run.Recording}, ResultsDigest: strings.Repeat("01234567", 8)})
	if err != nil || len(html) > 5<<20 {
		t.Fatalf("a page of %d bytes, %v; up to 5 MB is wanted", len(html), err)
	}
	for _, want := range []string{"the first 1,500 bytes of 4,0", "SHA-256 of the whole body: " + safe.Digest(last)} {
		if !bytes.Contains(html, []byte(want)) {
			t.Errorf("%q is not in the page of %d bytes", want, len(html))
		}
	}
}
