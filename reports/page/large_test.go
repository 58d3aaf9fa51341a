package page

import (
	"bytes"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
)

// TestLargePage: long bodies are cut, with their size and digest. A page that would be too large shows less of each, and says
// how the whole can be seen.
func TestLargePage(t *testing.T) {
	const checks, length = 60, 4000
	run := sample.Heavy(checks, length)
	last := run.Recording.Exchanges[len(run.Recording.Exchanges)-2].Response
	s := Source{Results: run.Results, Recording: run.Recording, ResultsDigest: strings.Repeat("01234567", 8)}
	whole, err := Render(s)
	if err != nil || len(whole) > Most {
		t.Fatalf("a page of %d bytes, %v; up to %d is wanted", len(whole), err, Most)
	}
	s.Most = len(whole) - 1
	small, err := Render(s)
	if err != nil || len(whole)-len(small) < checks*(bodyShown-500) {
		t.Fatalf("a page of %d bytes that had %d, %v", len(small), len(whole), err)
	}
	for page, wants := range map[*[]byte][]string{
		&whole: {"the first 1,500 bytes of 4,0", "SHA-256 of the whole body: " + digest(last.Body)},
		&small: {"the first 256 bytes of 4,0", "SHA-256 of the whole body: " + digest(last.Body), "--show N",
			`{"name":"pc-r-7f3a-34","categoryId":1}`},
	} {
		for _, want := range wants {
			if !bytes.Contains(*page, []byte(want)) && !bytes.Contains(*page, []byte(strings.ReplaceAll(want, `"`, "&#34;"))) {
				t.Errorf("%q is not in the page of %d bytes", want, len(*page))
			}
		}
	}
}
