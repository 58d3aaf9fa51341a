package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"petconform/reports/compare"
	"petconform/reports/internal/test/sample"
)

// TestCopy: a button beside the line that runs a check again copies it; without script there is none.
func TestCopy(t *testing.T) {
	html := plainPage(t, sample.New())
	b := open(t, html, look{hash: "#check-list-5"})
	eval[bool](t, b, `document.addEventListener("copy", function(){window.copied = getSelection().toString()}), true`)
	b.do(t, chromedp.Click(chromedp.CSS("#check-list-5 .again + button")))
	const want = "petconform check --only list-5 --target https://staging.pets.example/v1 --accept-part"
	if got := eval[string](t, b, `window.copied`); got != want {
		t.Errorf("%q was copied; %q is wanted", got, want)
	}
	if got := eval[string](t, b, `document.querySelector("#check-list-5 .again + button").textContent`); got != "Copied" {
		t.Errorf("the button says %q", got)
	}
	b = open(t, html, look{noScript: true})
	if n := eval[int](t, b, `document.querySelectorAll("#check-list-5 button").length`); n != 0 {
		t.Errorf("%d buttons that do nothing without the script", n)
	}
}

// TestTrend: ten runs stand in one table with a line for each column of numbers, and nothing beside it scrolls.
func TestTrend(t *testing.T) {
	s := source(t, sample.New().WithLoad("Free", "Pro"))
	for i := range 9 {
		past := compare.PastOf(sample.Good().WithLoad("Free").Results, s.Recording)
		past.Build, past.P99MS, past.Plans[0].P99MS = fmt.Sprintf("2.%d.0", i), float64(10+i), float64(20-i)
		s.Results.History = append(s.Results.History, past)
	}
	html := write(t, s)
	for _, width := range []int64{1280, 320} {
		b := open(t, html, look{width: width, height: 900, hash: "#trend"})
		rows := eval[int](t, b, `document.querySelectorAll("#trend + div tbody tr").length`)
		lines := eval[int](t, b, `document.querySelectorAll("#trend + div svg path").length`)
		if rows != 11 || lines != 8 {
			t.Errorf("at %d px %d rows and %d lines; ten runs with the trend, and 4 columns with 2 for each of two plans are wanted", width, rows, lines)
		}
		if n := eval[int](t, b, `Array.from(document.querySelectorAll("#trend + div th i")).filter(function(e){return e.getClientRects().length > 1}).length`); n > 0 {
			t.Errorf("at %d px %d times of runs are split over lines", width, n)
		}
		if w := eval[int64](t, b, `document.documentElement.scrollWidth`); w > width {
			t.Errorf("the page is %d px wide at %d px", w, width)
		}
	}
	got := sectionText(t, html, "since")
	for _, want := range []string{"The last 10 runs", "2.0.0 2026-03-02 09:30 CONFORMS 0 0 72 10.0 20.0 84 of 60 – –"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}
