package page_test

import (
	"bytes"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestLargePage: long bodies are cut, with their size and digest, so that a page of a thousand failures has at most 5 MB.
func TestLargePage(t *testing.T) {
	run := sample.Many(1000)
	for i := range run.Results.Checks {
		c := &run.Results.Checks[i]
		if !strings.HasPrefix(c.ID, "many-") {
			continue
		}
		long := exchange.Body(c.ID + strings.Repeat(" long", 800))
		run.Recording.Exchanges[c.Exchanges[0]-1].Response.Body = long
		c.Verdict, c.Findings = verdict.Failed, []verdict.Finding{{Requirement: "LIST-3", Exchange: c.Exchanges[0], Expected: "a short one", Actual: "a long one"}}
	}
	html := plainPage(t, run)
	if len(html) > 5<<20 {
		t.Fatalf("a page of %d bytes; up to 5 MB is wanted", len(html))
	}
	for _, want := range []string{"the first 1,200 bytes of 4,0", "SHA-256 of the whole body: "} {
		if !bytes.Contains(html, []byte(want)) {
			t.Errorf("%q is not in the page of %d bytes", want, len(html))
		}
	}
}
