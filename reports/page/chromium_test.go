package page_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"petconform/conformance/proof"
	"petconform/load/judge"
	"petconform/load/record"
	"petconform/reports/internal/test/sample"
	"petconform/spec"
)

// jenkins is the policy under which Jenkins serves what a job keeps.
const jenkins = "sandbox; default-src 'none'; img-src 'self'; style-src 'self'"

func axeSource(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../testdata/node_modules/axe-core/axe.min.js")
	need(t, "axe-core (npm ci in reports/testdata)", err == nil)
	return string(data)
}

// TestAxe looks for what keeps people out: contrast, names, order, tables, focus.
func TestAxe(t *testing.T) {
	axe := axeSource(t)
	html := source(t, sample.New().WithLoad("Free"))
	foul, client := source(t, sample.Foul()), source(t, sample.Client())
	for _, row := range []struct {
		name string
		html []byte
		look look
	}{
		{"1280 light", html, look{width: 1280, height: 900}},
		{"1280 dark", html, look{width: 1280, height: 900, dark: true}},
		{"320 light", html, look{width: 320, height: 700}},
		{"320 dark", html, look{width: 320, height: 700, dark: true}},
		{"hostile", foul, look{width: 1280, height: 900}},
		{"client, 390 dark", client, look{width: 390, height: 844, dark: true}},
		{"client, 1280 light", client, look{width: 1280, height: 900}},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := open(t, row.html, row.look)
			eval[bool](t, b, `document.querySelectorAll("details").forEach(function(d){d.open=true}), true`)
			eval[bool](t, b, axe+";true")
			found := eval[string](t, b, `axe.run(document,{resultTypes:["violations"]}).then(function(r){return JSON.stringify(r.violations.map(function(v){
				return v.id+": "+v.help+": "+v.nodes.length+" times, first "+v.nodes[0].html.slice(0,200)+" "+(v.nodes[0].failureSummary||"")}))})`)
			var violations []string
			if err := json.Unmarshal([]byte(found), &violations); err != nil {
				t.Fatal(err)
			}
			for _, v := range violations {
				t.Error(v)
			}
		})
	}
}

func TestNoSidewaysScroll(t *testing.T) {
	for name, run := range map[string]sample.Run{"ordinary": sample.New().WithLoad("Free"), "hostile": sample.Foul()} {
		b := open(t, source(t, run), look{width: 320, height: 700})
		eval[bool](t, b, `document.querySelectorAll("details").forEach(function(d){d.open=true}), true`)
		if w := eval[int](t, b, `document.documentElement.scrollWidth`); w > 320 {
			t.Errorf("%s: the page is %d px wide at 320 px", name, w)
		}
	}
}

func TestVerdictIsSeenAtOnce(t *testing.T) {
	b := open(t, plainPage(t, sample.New()), look{width: 1280, height: 600})
	if y := eval[float64](t, b, `document.querySelector("#verdict h2").getBoundingClientRect().bottom`); y > 600 {
		t.Errorf("the verdict ends %v px down; 600 are wanted", y)
	}
	if title := eval[string](t, b, `document.title`); !strings.HasPrefix(title, "DEVIATES") {
		t.Errorf("the title is %q; the verdict is wanted in it", title)
	}
}

// TestFailuresStandFirst: nothing but the verdict and what was not tested stands before them, and the first is open.
func TestFailuresStandFirst(t *testing.T) {
	html := source(t, sample.New().WithLoad("Free"))
	const top = `(function(q){return document.querySelector(q).getBoundingClientRect().top + scrollY})`
	for width, most := range map[int64]float64{1280: 900, 390: 2200, 320: 2400} {
		b := open(t, html, look{width: width, height: 900})
		if y := eval[float64](t, b, top+`("#failures .lines")`); y > most {
			t.Errorf("at %d px the first failure stands %v px down; at most %v are wanted", width, y, most)
		}
	}
	b := open(t, html, look{})
	order := eval[string](t, b, `Array.from(document.querySelectorAll("main section")).map(function(e){return e.id}).join(" ")`)
	if want := "verdict failures gates load since waivers residual sign-off open requirements checks appendix"; order != want {
		t.Errorf("the order is %q; %q is wanted", order, want)
	}
	if open := eval[string](t, b, `Array.from(document.querySelectorAll("details[open]")).map(function(e){return e.id}).join(" ")`); open != "failure-1" {
		t.Errorf("%q stand open; the first failure alone is wanted", open)
	}
	if height := eval[float64](t, b, `document.documentElement.scrollHeight`); height > 12000 {
		t.Errorf("the page of a sign-off that fails is %v px high; at most 12,000 are wanted", height)
	} else {
		t.Logf("%v px high", height)
	}
}

// TestNumbersStayOnOneLine: no number of a table is split over two lines.
func TestNumbersStayOnOneLine(t *testing.T) {
	run := sample.New().WithLoad("Free")
	run.Results.Observations = nil
	html := source(t, run)
	for _, width := range []int64{390, 320} {
		b := open(t, html, look{width: width, height: 900})
		split := eval[string](t, b, `Array.from(document.querySelectorAll("main td,main th")).filter(function(c){
			return c.childNodes.length === 1 && /^[\d.,]+$/.test(c.textContent.trim()) && (function(r){r.selectNodeContents(c); return r.getClientRects().length > 1})(document.createRange())
		}).map(function(c){return c.textContent}).join(" ")`)
		if split != "" {
			t.Errorf("at %d px these numbers stand on two lines: %s", width, split)
		}
		broken := eval[string](t, b, `Array.from(document.querySelectorAll(".lead i,.gates i,.again i")).filter(function(e){return e.getClientRects().length > 1}).map(function(e){return e.textContent}).join(" ")`)
		if all := eval[int](t, b, `document.querySelectorAll(".lead i,.again i").length`); broken != "" || all == 0 {
			t.Errorf("at %d px these ids and flags, of %d, stand on two lines: %s", width, all, broken)
		}
	}
}

// TestPhasesAreNotCut: a column that is cut off on a phone turns 60 into 6.
func TestPhasesAreNotCut(t *testing.T) {
	load := sample.Load("Enterprise")
	p := &load.Plans[0]
	p.Spans = append(p.Spans, judge.Span{Phase: record.RefusedCreate, Round: 1, FromS: 621.5, ToS: 1242.5, Sent: 12008, Accepted: 12004, Limited: 12008})
	b := open(t, plainPage(t, sample.New().With(load)), look{width: 390, height: 900})
	if cut := eval[float64](t, b, `(function(e){return e.scrollWidth - e.clientWidth})(document.querySelector(".scroll:has(.numbers)"))`); cut > 0 {
		t.Errorf("%v px of the table of phases are cut off at 390 px", cut)
	}
}

// TestPolicy: the page's own policy lets its style and its script through and nothing else; under Jenkins' it is read without
// either.
func TestPolicy(t *testing.T) {
	html := source(t, sample.New().WithLoad("Free"))
	b := open(t, html, look{})
	if said, asked := b.heard(); len(said) > 0 || len(asked) > 0 {
		t.Errorf("the browser logged %q and was asked for %q; nothing is wanted", said, asked)
	}
	if hidden := eval[bool](t, b, `document.getElementById("find").hidden`); hidden {
		t.Error("the script did not run under the page's own policy")
	}
	if size := eval[string](t, b, `getComputedStyle(document.querySelector(".word h2")).fontSize`); size != "36px" {
		t.Errorf("the verdict is %s high; the style did not apply", size)
	}
	b = open(t, html, look{csp: jenkins, noScript: true})
	if _, asked := b.heard(); len(asked) > 0 {
		t.Errorf("asked for %q under a strict policy", asked)
	}
}

// TestWithoutScript: every word is there, the controls that need the script are not, and details open by themselves.
func TestWithoutScript(t *testing.T) {
	b := open(t, plainPage(t, sample.New()), look{noScript: true})
	if visible := eval[bool](t, b, `!document.getElementById("find").hidden`); visible {
		t.Error("the search is shown, and does nothing without the script")
	}
	text := eval[string](t, b, `document.body.innerText`)
	for _, want := range []string{"DEVIATES", "Without a limit, the limit is not 20", "100 animals", "petconform check --rerun 1"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not to be read without the script", want)
		}
	}
}

func TestFilterAndSearchSurviveAReload(t *testing.T) {
	b := open(t, plainPage(t, sample.New()), look{})
	b.do(t, chromedp.Click(chromedp.CSS(`#find input[value=failed]`)))
	const shown = `document.getElementById("shown").textContent`
	if s := eval[string](t, b, shown); !strings.HasPrefix(s, "4 of ") {
		t.Errorf("%q; 4 failures are wanted", s)
	}
	b.do(t, chromedp.SendKeys(chromedp.CSS("#q"), "fraction"))
	before := eval[string](t, b, shown)
	if hash := eval[string](t, b, `location.hash`); hash != "#?q=fraction&show=failed" {
		t.Errorf("the hash is %q; search and filter are wanted in it", hash)
	}
	b.do(t, chromedp.Reload())
	if after := eval[string](t, b, shown); after != before || !strings.HasPrefix(after, "1 of ") {
		t.Errorf("after a reload %q, before it %q; the same is wanted, with 1 check", after, before)
	}
}

func TestDeepLinks(t *testing.T) {
	html := source(t, sample.New().WithLoad("Free"))
	for _, id := range []string{"LIST-3", "check-list-5", "check-list-3", "figure-2", "open-LIST-13", "gates", "plan-free"} {
		b := open(t, html, look{hash: "#" + id})
		box := eval[[]float64](t, b, `(function(r){return [r.top,r.bottom]})(document.getElementById("`+id+`").getBoundingClientRect())`)
		if box[0] < 0 || box[0] > 900 {
			t.Errorf("#%s stands at %v; it is wanted in sight", id, box)
		}
		if strings.HasPrefix(id, "check-") && !eval[bool](t, b, `document.getElementById("`+id+`").closest("details").open`) {
			t.Errorf("#%s is folded", id)
		}
	}
	b := open(t, html, look{hash: "#?show=failed"})
	eval[bool](t, b, `location.hash = "#check-list-3", true`)
	b.do(t, chromedp.WaitVisible(chromedp.CSS("#check-list-3 p")))
}

// TestPointsShowTheirValue: under the pointer at a point of a figure lies an element that says the point's value.
func TestPointsShowTheirValue(t *testing.T) {
	b := open(t, plainPage(t, sample.New().WithLoad("Free")), look{})
	silent := eval[string](t, b, `Array.from(document.querySelectorAll(".figure")).map(function(f){
		f.scrollIntoView();
		var points = Array.from(f.querySelectorAll(".points path")), last = points[points.length-1];
		var r = last && last.getBoundingClientRect(), hit = last && document.elementFromPoint(r.left + r.width/2, r.top + r.height/2), title = hit && hit.querySelector("title");
		return title && hit.closest(".points") && /\d/.test(title.textContent) ? "" : f.id;
	}).join("")`)
	if n := eval[int](t, b, `document.querySelectorAll(".figure").length`); silent != "" || n != 3 {
		t.Errorf("%d figures; these say nothing at their last point: %s; want 3 and none", n, silent)
	}
}

func TestKeys(t *testing.T) {
	b := open(t, plainPage(t, sample.New()), look{})
	at := func() string {
		return eval[string](t, b, `document.querySelector(".check.now") ? document.querySelector(".check.now").id : ""`)
	}
	for _, step := range []struct{ key, want string }{{"j", "failure-1"}, {"j", "failure-2"}, {"k", "failure-1"}, {"n", "failure-2"}, {"n", "failure-3"}} {
		b.do(t, chromedp.KeyEvent(step.key))
		if got := at(); got != step.want {
			t.Errorf("%s went to %q; %q is wanted", step.key, got, step.want)
		}
	}
	b.do(t, chromedp.KeyEvent("?"))
	if !eval[bool](t, b, `document.getElementById("help").open`) {
		t.Error("? opens no help")
	}
	b.do(t, chromedp.Click(chromedp.CSS("#keys-off")), chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("j"))
	if got := at(); got != "failure-3" {
		t.Errorf("switched off, j went to %q", got)
	}
	b.do(t, chromedp.Click(chromedp.CSS("#keys")), chromedp.Click(chromedp.CSS("#keys-off")), chromedp.KeyEvent(kb.Escape))
	// As a keyboard sends it: the character comes only when the key was not taken.
	call(t, b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Key: "/", Text: "/"})
	b.do(t, chromedp.KeyEvent("jn"))
	if q := eval[string](t, b, `document.getElementById("q").value`); q != "jn" {
		t.Errorf("after / the search holds %q; what was typed is wanted", q)
	}
}

// TestHostileStringsRunNothing: whatever a target sends is text.
func TestHostileStringsRunNothing(t *testing.T) {
	b := open(t, source(t, sample.Foul()), look{})
	eval[bool](t, b, `document.querySelectorAll("details").forEach(function(d){d.open=true}), true`)
	if eval[bool](t, b, `"pwned" in window`) {
		t.Error("a string of the target ran")
	}
	if n := eval[int](t, b, `document.querySelectorAll("img,iframe,object,embed,[onerror],[onload],main script,main style,a[href^='javascript']").length`); n != 0 {
		t.Errorf("%d elements of the target's making are in the page", n)
	}
	if said, asked := b.heard(); len(asked) > 0 || len(said) > 0 {
		t.Errorf("asked for %q, logged %q", asked, said)
	}
}

// broken are deviations that break 17 musts.
var broken = []string{"auth-no-key-accepted", "auth-bare-key-accepted", "auth-any-key-accepted", "name-not-required", "category-not-required",
	"status-any-accepted", "category-text-accepted", "name-number-accepted", "filter-finds-nothing", "list-names-lower-case", "rate-reset-past",
	"gateway-415-text", "error-page-on-400", "limit-one-less", "create-namesakes-refused", "body-comments-ignored", "get-works-once",
	"miss-200-null", "pet-status-null-on-list"}

// TestPrint: a report that can be read on paper has few pages, whatever was broken.
func TestPrint(t *testing.T) {
	res, rec, err := proof.Against(t.Context(), proof.Service{Deviations: broken, Patience: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(res.Failed(spec.Must)); n < 17 {
		t.Errorf("%d musts are broken; 17 are wanted", n)
	}
	for name, row := range map[string]struct {
		run  sample.Run
		most int
	}{"load": {sample.New().WithLoad("Free"), 8}, "broken": {sample.Run{Results: res, Recording: rec}, 8}} {
		pdf, err := chromedp.Run(open(t, plainPage(t, row.run), look{}).ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
		if err != nil {
			t.Fatal(err)
		}
		if dir := os.Getenv("PETCONFORM_SHOTS"); dir != "" {
			keep(t, filepath.Join(dir, name+"-printed.pdf"), pdf)
		}
		pages := bytes.Count(pdf, []byte("/Type /Page\n")) + bytes.Count(pdf, []byte("/Type /Page ")) + bytes.Count(pdf, []byte("/Type/Page/"))
		if t.Logf("%s: %d pages", name, pages); pages < 4 || pages > row.most {
			t.Errorf("%s: %d pages; 4 to %d are wanted", name, pages, row.most)
		}
	}
}
