package reports

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"petconform/reports/internal/test/sample"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

func inputOf(r sample.Run) Input { return Input{Results: r.Results, Recording: r.Recording} }

// TestDecidedOnce: the decision is weighed, and causes are grouped, at one place each. A command looks once at each of
// the runs that it tells of: a sign-off at its check too, which decides whether to load.
func TestDecidedOnce(t *testing.T) {
	wanted := map[string]int{"decision.Decide": 1, "cause.Of": 1, "waiver.Apply": 1,
		"judge.ParseReport": 2} // of a run, and of the options of a load
	calls := map[string][]string{}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := os.ReadFile(name)
		inTest := strings.Contains(filepath.ToSlash(name), "reports/internal/test/")
		if !inTest && bytes.Contains(source, []byte("reports/internal/test/")) {
			t.Errorf("%s imports a package of reports/internal/test; only tests may", name)
		}
		for call := range wanted {
			for range regexp.MustCompile(`\b`+regexp.QuoteMeta(call)+`\b`).FindAll(source, -1) {
				calls[call] = append(calls[call], name)
			}
		}
		return err
	})
	NoError(t, err)
	for call, want := range wanted {
		if got := calls[call]; len(got) != want {
			t.Errorf("%s is called in %q; %d calls are wanted", call, got, want)
		}
	}
}

// TestOneTitleAndOneNumber: a failure has the same number and title in every output.
func TestOneTitleAndOneNumber(t *testing.T) {
	in := inputOf(sample.New())
	v := Look(in)
	var terminal, annotations, lines bytes.Buffer
	for _, err := range []error{Terminal(&terminal, v, Style{Width: 200, Folder: "petconform-out"}), Annotations(&annotations, v), Findings(&lines, v, "petconform-out")} {
		NoError(t, err)
	}
	page := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(rendered(t, in, ReportFile), ""))
	if len(v.Cards) != 3 {
		t.Fatalf("%d cards; 3 are wanted", len(v.Cards))
	}
	for i, c := range v.Cards {
		title := fmt.Sprintf("%d %s", i+1, c.Title)
		for where, text := range map[string]string{"the terminal": terminal.String(), "the annotations": annotations.String(), "--format line": lines.String(),
			SummaryFile: rendered(t, in, SummaryFile), JUnitFile: rendered(t, in, JUnitFile), ReportFile: page} {
			if text = strings.ReplaceAll(text, "%2C", ","); !strings.Contains(text, title) {
				t.Errorf("%s does not say %q", where, title)
			}
		}
	}
}

// acts is what a terminal or a reader of a page acts on.
const acts = "\x1b\x00\x07\u009b\u202e\u202c\u2066\u200b"

// TestNothingOfATargetActs: whatever a target or a recording has in any place, no output has a control character, and no
// line begins with it.
func TestNothingOfATargetActs(t *testing.T) {
	const evil = "::error::x\n::stop-commands::y\n##vso[task.complete]\x1b[31m\u202e\u009b"
	r := sample.Foul()
	r.Results.Tool, r.Results.Run, r.Results.Target.Build = evil, evil, evil
	r.Recording.Meta.Tool, r.Recording.Meta.Plan = evil, evil
	for i := range r.Recording.Exchanges {
		x := &r.Recording.Exchanges[i]
		x.Auth, x.Request.Method, x.Step = exchange.Auth(evil), evil, evil
		x.Failure = &exchange.Failure{Kind: evil, Detail: evil}
	}
	for i := range r.Results.Checks {
		for j := range r.Results.Checks[i].Findings {
			f := &r.Results.Checks[i].Findings[j]
			f.Message, f.Expected, f.Actual = evil, evil, evil
		}
	}
	in, before := inputOf(r), inputOf(sample.Good())
	in.Previous = &before
	v := Look(in)
	for _, width := range []int{40, 60, 80} {
		var b bytes.Buffer
		b.WriteString(v.Diff.Text(width))
		for _, verbose := range []bool{false, true} {
			NoError(t, Terminal(&b, v, Style{Width: width, Verbose: verbose}))
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimRight(line, "\n")
			whole := regexp.MustCompile(`^\s*(-H|-X|--|curl|printf|'http)`).MatchString(line) // of a command, which is not broken
			if n := uniseg.StringWidth(line); n > width && strings.Contains(strings.TrimSpace(line), " ") && !whole {
				t.Errorf("%d columns of %d: %s", n, width, line)
			}
			if strings.ContainsAny(line, acts) || strings.HasPrefix(line, "::") || strings.HasPrefix(line, "##") {
				t.Errorf("%q", line)
			}
		}
	}
	if command := regexp.MustCompile("(?m)^(::|##vso).*"); command.MatchString(rendered(t, in, SummaryFile)) {
		t.Errorf("%s has the line %q", SummaryFile, command.FindString(rendered(t, in, SummaryFile)))
	}
	for _, name := range []string{ReportFile, JUnitFile, SummaryFile} {
		if text := rendered(t, in, name); strings.ContainsAny(text, acts) {
			t.Errorf("%s has a character that acts, near %q", name, text[max(0, strings.IndexAny(text, acts)-40):][:80])
		}
	}
}

// TestCardTellsItsPlaces: the requirements that one fault breaks are one card, with the places of each.
func TestCardTellsItsPlaces(t *testing.T) {
	res := verdict.Results{Target: verdict.Target{URL: "https://pets.example/v1"}}
	for _, r := range spec.TheLedger().Requirements {
		res.Requirements = append(res.Requirements, verdict.Requirement{ID: r.ID, Level: r.Level, Statement: r.Statement, Clause: r.Clause})
	}
	var rec exchange.Recording
	sent := func(check, step string, id spec.ID) verdict.Check {
		n := len(rec.Exchanges) + 1
		rec.Exchanges = append(rec.Exchanges, exchange.Exchange{N: n, Check: check, Step: step, Operation: spec.CreatePet,
			Request: exchange.Request{Method: "POST", Path: "/pets", Body: exchange.Body(fmt.Sprint(n))}})
		return verdict.Check{ID: check, Kind: verdict.Active, Operation: spec.CreatePet, Verdict: verdict.Failed, Requirements: []spec.ID{id},
			Findings: []verdict.Finding{{Requirement: id, Exchange: n, Expected: "status 400", Actual: "status 422", Hint: "Mend " + check + ".",
				Cases: []verdict.Case{{Name: step, Sender: check, Operation: spec.CreatePet, Exchanges: []int{n}, Wanted: []int{400}, Status: 422}}}}}
	}
	res.Checks = []verdict.Check{sent("create-name-invalid", "null", "CREATE-8"), sent("create-name-invalid", "number", "CREATE-8"),
		sent("create-category-invalid", "null", "CREATE-9"),
		{ID: "rate-headers", Kind: verdict.Passive, Verdict: verdict.Failed, Requirements: []spec.ID{"RATE-1"}, Held: 1, Of: 3,
			Findings: []verdict.Finding{{Requirement: "RATE-1", Exchange: 1, Often: "2 of 12 requests to listPets",
				Cases: []verdict.Case{{Sender: "create-name-invalid", Operation: spec.CreatePet, Exchanges: []int{1, 4}, Status: 422}}}}},
		{ID: "remaining-falls", Kind: verdict.Passive, Verdict: verdict.Inconclusive, Requirements: []spec.ID{"RATE-4"}, Because: []spec.ID{"RATE-1"}},
	}
	sent("create-parallel", "name-true", "CREATE-1")
	var b strings.Builder
	for _, c := range Look(Input{Results: res, Recording: &rec}).Cards {
		b.WriteString(CardText(c, Style{Verbose: true}))
	}
	for _, want := range []string{"✗ 1 Responses lack the X-RateLimit headers, sometimes (RATE-1)\n", "rate-headers",
		"1 check, inconclusive until this is fixed: remaining-falls", "2 of 12 requests to listPets. Run it again several times",
		"petconform check --only rate-headers,create-name-invalid \\\n", "✗ 2 422 instead of 400 from createPet (CREATE-8, CREATE-9)\n",
		"Cases     createPet for a name that is not a string: null\n            createPet for a valid NewPet: name-true\n", // a rule has no names of its own
		"Cases     createPet for a name that is not a string: null; number\n            createPet for a categoryId that is not an int64: null\n" +
			"  Hint      Mend create-name-invalid.\n            Mend create-category-invalid.\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is wanted in\n%s", want, &b)
		}
	}
}

// TestAWaivedFailureHurtsSomebody: who notices a failure is named, whether it is waived or not.
func TestAWaivedFailureHurtsSomebody(t *testing.T) {
	r := failing("LIST-5")
	for _, c := range r.Results.Checks {
		for i := range c.Findings {
			c.Findings[i].Cases = []verdict.Case{{Operation: spec.ListPets}}
		}
	}
	in := inputOf(r)
	var err error
	if in.Waivers, err = waiver.Parse([]byte(waiversYAML)); err != nil {
		t.Fatal(err)
	}
	if v := Look(in); len(v.Cards) > 0 || !strings.HasSuffix(v.Sentence, "Clients that call listPets are affected.") {
		t.Errorf("%d cards: %s", len(v.Cards), v.Sentence)
	}
}

// TestABrokenLimitHurtsWhoReachesIt, whatever is called, since all operations of a key count.
func TestABrokenLimitHurtsWhoReachesIt(t *testing.T) {
	for want, ids := range map[string][]spec.ID{
		" Clients that reach their limit, whatever they call, are affected.":                                {"LIST-5"},
		" Clients that call createPet, and those that reach their limit, whatever they call, are affected.": {"LIST-5", "CREATE-9"},
	} {
		r := failing(ids...)
		for i, c := range r.Results.Checks {
			if r.Results.Checks[i].Kind = verdict.Phase; slices.Contains(c.Requirements, "CREATE-9") && len(c.Findings) > 0 {
				r.Results.Checks[i].Kind, c.Findings[0].Cases = verdict.Active, []verdict.Case{{Operation: spec.CreatePet}}
			}
		}
		if v := Look(inputOf(r)); !strings.HasSuffix(v.Sentence, want) {
			t.Errorf("%v: %s", ids, v.Sentence)
		}
	}
}

// TestNothingToSign: the page of a run that no one signs says what it is of.
func TestNothingToSign(t *testing.T) {
	check, load, part, aborted := inputOf(sample.Good()), inputOf(sample.Good()), inputOf(sample.Good()), inputOf(sample.New())
	load.Results.Kind, part.Results.Kind, aborted.Results.Kind = "load", "signoff", "signoff"
	part.Results.Conclude(verdict.Validity{Part: true})
	aborted.Results.Conclude(verdict.Validity{Incomplete: []string{"the run was aborted"}})
	for want, in := range map[string]Input{"it is a check alone": check, "it is a load alone": load, "the run is not whole: something was left out": part,
		"the run is not whole: the run was aborted": aborted} {
		if page := rendered(t, in, ReportFile); !strings.Contains(page, "This run has none: "+want) || strings.Contains(page, "To verify: ") {
			t.Errorf("the page does not say that %s", want)
		}
	}
}

// TestFindingsNameTheLine of the recording that has the exchange.
func TestFindingsNameTheLine(t *testing.T) {
	dir, r := t.TempDir(), sample.New()
	lines := "{\"meta\":{}}\n"
	for _, x := range slices.Backward(r.Recording.Exchanges) { // not in the order of their numbers
		lines += fmt.Sprintf("{\"exchange\":{\"n\":%d,\"sent\":\"\"}}\n", x.N)
	}
	NoError(t, os.WriteFile(filepath.Join(dir, RecordingFile), []byte(lines), 0o600))
	var b bytes.Buffer
	NoError(t, Findings(&b, Look(inputOf(r)), dir))
	want := fmt.Sprintf("%s:%d: LIST-5: 1 Without a limit, the limit is not 20: GET /pets", filepath.Join(dir, RecordingFile), len(r.Recording.Exchanges)+2-6)
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("%s\n%s is wanted", &b, want)
	}
}
