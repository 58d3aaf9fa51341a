package page

import (
	"bytes"
	"strings"
	"testing"

	"petconform/reports/decision"
	"petconform/reports/internal/test/sample"
	"petconform/reports/plain"
)

// TestLargePage: long bodies are cut, with their size and digest, so that a page of a thousand failures has at most 5 MB.
func TestLargePage(t *testing.T) {
	const checks, length = 1000, 4000
	run := sample.Heavy(checks, length)
	last := run.Recording.Exchanges[len(run.Recording.Exchanges)-2].Response
	html, err := Render(Source{Facts: decision.Facts{Results: run.Results, Recording: run.Recording}, ResultsDigest: strings.Repeat("01234567", 8)})
	if err != nil || len(html) > 5<<20 {
		t.Fatalf("a page of %d bytes, %v; up to 5 MB is wanted", len(html), err)
	}
	for _, want := range []string{"the first 1,500 bytes of 4,0", "SHA-256 of the whole body: " + plain.Digest(last.Body)} {
		if !bytes.Contains(html, []byte(want)) {
			t.Errorf("%q is not in the page of %d bytes", want, len(html))
		}
	}
}
