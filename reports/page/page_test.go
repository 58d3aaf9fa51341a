package page_test

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"petconform/reports"
	"petconform/reports/internal/test/sample"
	"petconform/reports/page"
	"petconform/reports/waiver"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

const waivers = `
  - {id: W-1, requirement: LIST-5, reason: The default is mended in the next release., risk: Listings are larger than a client expects., ticket: PETS-412, owner: Ada Vance, approver: Noor Idris, from: 2026-02-01, ends: 2026-04-01}
  - {id: W-2, requirement: GET-1, reason: Left from the release before., risk: none, ticket: PETS-300, owner: Ada Vance, approver: Noor Idris, from: 2026-02-01, ends: 2026-03-01}
`

// source is a page with every section in it.
func source(t testing.TB, r sample.Run) []byte {
	t.Helper()
	w, err := waiver.Parse([]byte(waivers))
	noError(t, err)
	old := sample.Good()
	return written(t, reports.Input{Results: r.Results, Recording: r.Recording, Waivers: w, Digests: map[string]string{"recording.jsonl": strings.Repeat("01234567", 8)},
		Previous: &reports.Input{Results: old.Results, Recording: old.Recording}})
}

// noError ends the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func plainPage(t testing.TB, r sample.Run) []byte {
	t.Helper()
	return written(t, reports.Input{Results: r.Results, Recording: r.Recording})
}

func written(t testing.TB, in reports.Input) []byte {
	t.Helper()
	files, err := reports.Render(reports.Look(in))
	noError(t, err)
	return files[reports.ReportFile]
}

// many is a run of n active checks.
func many(n int) sample.Run {
	r := sample.New()
	c, _ := r.Results.Check("list-3")
	x := r.Recording.Exchanges[c.Exchanges[0]-1]
	for i := len(r.Results.Checks); i < n; i++ {
		response := *x.Response
		x.N, x.Response = len(r.Recording.Exchanges)+1, &response
		r.Recording.Exchanges = append(r.Recording.Exchanges, x)
		c.ID, c.Exchanges = fmt.Sprintf("many-%d", i), []int{x.N}
		r.Results.Checks = append(r.Results.Checks, c)
	}
	r.Results.Requests = len(r.Recording.Exchanges)
	return r
}

// TestSizes: a page that takes long to open is not read.
func TestSizes(t *testing.T) {
	long := many(1000)
	for i := range long.Results.Checks {
		if c := &long.Results.Checks[i]; strings.HasPrefix(c.ID, "many-") {
			long.Recording.Exchanges[c.Exchanges[0]-1].Response.Body = exchange.Body(c.ID + strings.Repeat(" long", 800))
			c.Verdict, c.Findings = verdict.Failed, []verdict.Finding{{Requirement: "LIST-3", Exchange: c.Exchanges[0], Actual: "a long one"}}
		}
	}
	if !bytes.Contains(plainPage(t, long), []byte("the first 1,200 bytes of 4,0")) {
		t.Error("a long body is not cut, with its size")
	}
	for _, row := range []struct {
		name string
		html []byte
		most int
	}{
		{"ordinary", plainPage(t, sample.New()), 150 << 10},
		{"120 checks and a load run", plainPage(t, many(120).With(sample.Load("Free"))), 250 << 10},
		{"150 checks and four plans", plainPage(t, many(150).With(sample.Load("Free", "Pro", "Business", "Enterprise"))), 300 << 10},
		{"1,000 failures with long bodies", plainPage(t, long), 500 << 10},
		{"1,000 checks and four plans", plainPage(t, many(1000).With(sample.Load("Free", "Pro", "Business", "Enterprise"))), 2 << 20},
		{"the style", []byte(page.Style), 10 << 10},
		{"the script", []byte(page.Script), 6 << 10},
	} {
		t.Logf("%s: %d bytes", row.name, len(row.html))
		if len(row.html) > row.most || len(row.html) < row.most/10 {
			t.Errorf("%s: %d bytes; at most %d are wanted, and not less than a tenth of it", row.name, len(row.html), row.most)
		}
	}
}

// textOf is what a reader sees of a page or a part of one, with single blanks.
func textOf(page string) string {
	text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " "))
	return strings.Join(strings.Fields(text), " ")
}

// TestClientPage: the page is about the client, in one word of verdict, with the 429 for which it did not wait.
func TestClientPage(t *testing.T) {
	client := string(plainPage(t, sample.Client()))
	text := textOf(client)
	for _, want := range []string{
		"<title>DEVIATES: pet-sdk/1.2</title>", "<h1>Client of the pet adoption service: pet-sdk/1.2</h1>", "UTC, for 8s",
		"no request for 2.00 s after exchange 3", "GET /v1/pets?limit=5 after 0.50 s",
		"sent 09:30:02.100 UTC", "musts of clients were tested by 5 requests: 4 passed, 1 failed",
	} {
		if !strings.Contains(text, want) && !strings.Contains(client, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	for _, not := range []string{"RELEASE", "This build", "Sign-off"} {
		if strings.Contains(client, not) {
			t.Errorf("%q is on the page of a client", not)
		}
	}
}

// TestEvidenceIsWhole: what was recorded comes through squeezing and escaping as it was, blanks and empty lines too.
func TestEvidenceIsWhole(t *testing.T) {
	run := sample.New()
	const body = "line one\n\n\n   indented  <b>bold</b>\n\tend & &amp;"
	for i := range run.Recording.Exchanges {
		run.Recording.Exchanges[i].Response.Body = []byte(body)
	}
	if !bytes.Contains(plainPage(t, run), []byte("\n\n"+html.EscapeString(body)+"</pre>")) {
		t.Error("the body of a failure's exchange is nowhere on the page as it was")
	}
}

var token = regexp.MustCompile(`--([a-z0-9-]+):(#[0-9a-f]{3,6})`)

// TestContrast: words have at least 6 to 1 on whatever they stand on, lines of figures 4.5 to 1, light and dark.
func TestContrast(t *testing.T) {
	light, dark, _ := strings.Cut(page.Style, "@media (prefers-color-scheme:dark)")
	for name, part := range map[string]string{"light": light, "dark": dark[:strings.Index(dark, "}}")]} {
		colours := map[string]string{}
		for _, m := range token.FindAllStringSubmatch(part, -1) {
			colours[m[1]] = m[2]
		}
		for _, pair := range [][2]string{{"ink", "bg"}, {"soft", "bg"}, {"link", "bg"}, {"ink", "panel"}, {"soft", "panel"}, {"good", "bg"}, {"bad", "bg"}, {"mind", "bg"}, {"none", "bg"},
			{"good", "good-bg"}, {"bad", "bad-bg"}, {"mind", "mind-bg"}, {"none", "none-bg"}, {"ink", "bad-bg"}, {"ink", "good-bg"}, {"ink", "mind-bg"}, {"link", "bad-bg"}, {"link", "mind-bg"}, {"link", "good-bg"}} {
			if c := contrast(t, colours[pair[0]], colours[pair[1]]); c < 6 {
				t.Errorf("%s: %s on %s has %.2f to 1; 6 is wanted", name, pair[0], pair[1], c)
			}
		}
		for _, s := range []string{"s1", "s2", "s3", "s4"} {
			if c := contrast(t, colours[s], colours["bg"]); c < 4.5 {
				t.Errorf("%s: %s has %.2f to 1; 4.5 is wanted", name, s, c)
			}
		}
	}
}

// contrast is that of WCAG 2.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	hex := strings.TrimPrefix(colour, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatalf("%q is no colour", colour)
	}
	part := func(shift int) float64 {
		v := float64(n>>shift&255) / 255
		if v <= 0.03928 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}
