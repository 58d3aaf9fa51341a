package page_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"petconform/reports/internal/test/sample"
)

// sectionText is the text of a part of the page, with single blanks.
func sectionText(t *testing.T, page []byte, id string) string {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && attributes(n)["id"] == id {
			var b strings.Builder
			for d := range n.Descendants() {
				if d.Type == html.TextNode {
					b.WriteString(d.Data + " ")
				}
			}
			return strings.Join(strings.Fields(b.String()), " ")
		}
	}
	t.Fatalf("the page has no #%s", id)
	return ""
}

// TestPlanFigures: numbers have separators, and a figure beyond the plan's is explained where
// it stands.
func TestPlanFigures(t *testing.T) {
	load := sample.Load("Business")
	p := &load.Plans[0]
	p.PerMinute, p.PerDay, p.MostInWindow, p.Kind, p.Requests = 1000, 100000, 1115, "token bucket or GCRA", 12345
	got := sectionText(t, plainPage(t, sample.New().With(load)), "load")
	for _, want := range []string{"Business: 1,000 a minute, 100,000 a day", "12,345 sent", "lasted 1m0s.",
		"Most accepted in a minute 1,115. The plan has 1,000 a minute. A minute that crosses the edge of two windows, or in which a full bucket refills, can hold up to 2,000."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the load section", want)
		}
	}
	if m := regexp.MustCompile(`[0-9]{4,}`).FindString(got); m != "" {
		t.Errorf("%s has no separator", m)
	}
}
