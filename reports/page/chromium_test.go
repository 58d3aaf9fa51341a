package page_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"petconform/conformance/proof"
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
	html := source(t, sample.New().With(sample.Load("Free")))
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
			noError(t, json.Unmarshal([]byte(found), &violations))
			for _, v := range violations {
				t.Error(v)
			}
		})
	}
}

// TestLayout looks at pages in a browser. Each expression says what is wrong; "" if nothing is.
func TestLayout(t *testing.T) {
	signOff, plain, foul := source(t, sample.New().With(sample.Load("Free"))), plainPage(t, sample.New().With(sample.Load("Free"))), source(t, sample.Foul())
	load := sample.Load("Enterprise")
	const all, wide, unfold = `Array.from(document.querySelectorAll(`, `document.documentElement.scrollWidth > innerWidth ? "too wide" : ""`,
		`document.querySelectorAll("details").forEach(function(d){d.open=true});`
	const below = `(function(q, most, y){y = document.querySelector(q).getBoundingClientRect().bottom + scrollY; return y > most ? y + " px down" : ""})`
	const split = all + `"main td,main th")).filter(function(c){return c.childNodes.length === 1 && /^[\d.,]+$/.test(c.textContent.trim()) &&
		(function(r){r.selectNodeContents(c); return r.getClientRects().length > 1})(document.createRange())}).concat(` + all +
		`".lead i,.gates i,.again i")).filter(function(e){return e.getClientRects().length > 1})).map(function(e){return e.textContent}).join(" ")`
	for _, row := range []struct {
		name, wrong string
		html        []byte
		look        look
	}{
		{"nothing is cut off", unfold + wide, signOff, look{width: 320, height: 700}},
		{"nothing of a target is cut off", unfold + wide, foul, look{width: 320, height: 700}},
		{"the columns of phases are not cut off", `(function(e){return e.scrollWidth > e.clientWidth ? "cut" : ""})(document.querySelector(".scroll:has(.numbers)"))`,
			plainPage(t, sample.New().With(load)), look{width: 390, height: 900}},
		{"no number, id or flag is split", split, signOff, look{width: 390, height: 900}},
		{"nor on a small phone", split, signOff, look{width: 320, height: 900}},
		{"the verdict is seen at once", below + `("#verdict h2", 600) + (document.title.startsWith("DO NOT RELEASE: ") ? "" : document.title)`, plain, look{}},
		{"the first failure is near", below + `("#failures summary", 900)`, signOff, look{}},
		{"the first failure is near on a phone", below + `("#failures summary", 2200)`, signOff, look{width: 390, height: 900}},
		{"a sign-off that fails has 12,000 px", below + `("footer", 12000)`, signOff, look{}},
		{"the order", all + `"main section")).map(function(e){return e.id}).join(" ").replace("verdict failures gates load since waivers residual sign-off open requirements checks appendix", "")`, signOff, look{}},
		{"the first failure alone is open", all + `"details[open]")).map(function(e){return e.id}).join(" ").replace("failure-1", "")`, signOff, look{}},
		{"points show their value", all + `".figure")).map(function(f){
			f.scrollIntoView();
			var points = Array.from(f.querySelectorAll(".points path")), last = points[points.length-1];
			var r = last && last.getBoundingClientRect(), hit = last && document.elementFromPoint(r.left + r.width/2, r.top + r.height/2), title = hit && hit.querySelector("title");
			return title && hit.closest(".points") && /\d/.test(title.textContent) ? "" : f.id}).join("")`, plain, look{}},
		{"nothing of a target runs", unfold + `("pwned" in window ? "it ran " : "") +
			` + all + `"img,iframe,object,embed,[onerror],[onload],main script,main style,a[href^='javascript']")).map(function(e){return e.outerHTML}).join("")`, foul, look{}},
		{"without the script, the search is hidden", `document.getElementById("find").hidden ? "" : "it is shown"`, plain, look{noScript: true}},
		{"without the script, every word is there", `["DEVIATES", "Without a limit, the limit is not 20", "100 animals", "petconform check --only list-5"].filter(function(w){
			return document.body.innerText.indexOf(w) < 0}).join(", ")`, plainPage(t, sample.New()), look{noScript: true}},
		{"the page's own policy lets its script and its style through", `(document.getElementById("find").hidden ? "no script " : "") +
			(getComputedStyle(document.querySelector(".word h2")).fontSize === "36px" ? "" : "no style")`, signOff, look{}},
		{"under Jenkins' policy it asks for nothing", `""`, signOff, look{csp: jenkins, noScript: true}},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := open(t, row.html, row.look)
			if wrong := eval[string](t, b, row.wrong); wrong != "" {
				t.Error(wrong)
			}
			if said, asked := b.heard(); len(asked) > 0 || len(said) > 0 && !row.look.noScript {
				t.Errorf("asked for %q, logged %q", asked, said)
			}
		})
	}
}

// TestStructure: one h1, headings in order, unique ids, every link within the page leads somewhere, tables with captions
// and scopes, and nothing from elsewhere.
func TestStructure(t *testing.T) {
	const wrong = `(function(all, wrong, ids, level){
		all("*").forEach(function(e){
			var now = /^H[1-6]$/.test(e.tagName) ? +e.tagName[1] : 0, bad = e.id && ids[e.id];
			bad = bad || now > level + 1 || e.tagName === "TH" && !e.scope || e.tagName === "TABLE" && !e.caption || e.hasAttribute("style");
			bad = bad || (e.getAttribute("src") || e.tagName === "LINK" && e.getAttribute("href") !== "data:,");
			if (bad) { wrong.push(e.outerHTML.slice(0, 80)); }
			ids[e.id] = true; level = now || level;
		});
		all("a").map(function(a){return a.getAttribute("href")}).concat(all("[aria-labelledby],[aria-describedby]").flatMap(function(e){
			return ((e.getAttribute("aria-labelledby") || "") + " " + (e.getAttribute("aria-describedby") || "")).trim().split(/ +/).map(function(id){return "#" + id})
		})).forEach(function(l){ if (l[0] !== "#" || !ids[l.slice(1)] && l.indexOf("#waiver-")) { wrong.push(l); } });
		if (all("h1").length !== 1) { wrong.push("h1"); }
		return wrong.join(" ");
	})(function(q){return Array.from(document.querySelectorAll(q))}, [], {}, 0)`
	for name, html := range map[string][]byte{"ordinary": source(t, sample.New()), "load": source(t, sample.New().With(sample.Load("Free", "Pro"))),
		"hostile": source(t, sample.Foul()), "empty": source(t, sample.Run{}), "alone": plainPage(t, sample.Good()), "client": plainPage(t, sample.Client())} {
		if found := eval[string](t, open(t, html, look{noScript: true}), wrong); found != "" {
			t.Errorf("%s: %s", name, found)
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
	html := source(t, sample.New().With(sample.Load("Free")))
	for _, id := range []string{"LIST-3", "check-list-5", "check-list-3", "figure-2", "open-LIST-13", "gates", "load-free"} {
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

// broken are deviations that break 17 musts.
var broken = []string{"auth-no-key-accepted", "auth-bare-key-accepted", "auth-any-key-accepted", "name-not-required", "category-not-required",
	"status-any-accepted", "category-text-accepted", "name-number-accepted", "filter-finds-nothing", "list-names-lower-case", "rate-reset-past",
	"gateway-415-text", "error-page-on-400", "limit-one-less", "create-namesakes-refused", "body-comments-ignored", "get-works-once",
	"miss-200-null", "pet-status-null-on-list"}

// TestPrint: a report that can be read on paper has few pages, whatever was broken.
func TestPrint(t *testing.T) {
	res, rec, err := proof.Against(t.Context(), proof.Service{Deviations: broken, Patience: 100 * time.Millisecond})
	noError(t, err)
	if n := len(res.Failed(spec.Must)); n < 17 {
		t.Errorf("%d musts are broken; 17 are wanted", n)
	}
	for name, row := range map[string]struct {
		run  sample.Run
		most int
	}{"load": {sample.New().With(sample.Load("Free")), 8}, "broken": {sample.Run{Results: res, Recording: rec}, 8}} {
		pdf, err := chromedp.Run(open(t, plainPage(t, row.run), look{}).ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize()))
		noError(t, err)
		pages := bytes.Count(pdf, []byte("/Type /Page\n")) + bytes.Count(pdf, []byte("/Type /Page ")) + bytes.Count(pdf, []byte("/Type/Page/"))
		if t.Logf("%s: %d pages", name, pages); pages < 4 || pages > row.most {
			t.Errorf("%s: %d pages; 4 to %d are wanted", name, pages, row.most)
		}
	}
}
