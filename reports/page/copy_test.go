package page

import (
	"testing"

	"github.com/chromedp/chromedp"

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
