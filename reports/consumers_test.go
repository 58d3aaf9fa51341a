package reports

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"petconform/reports/internal/sample"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

//go:embed testdata/har.schema.json
var harSchema []byte

// TestHAROfTheRun: when asked for, the whole exchange of a passed check is in a HAR too, with the check's verdict.
func TestHAROfTheRun(t *testing.T) {
	run := sample.New()
	files, err := Render(Input{Results: run.Results, Recording: run.Recording, AllExchanges: true})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(files, func(f Artefact) bool { return f.Name == AllHARFile })
	if i < 0 {
		t.Fatalf("no %s among %d files", AllHARFile, len(files))
	}
	var got har
	if err := json.Unmarshal(files[i].Data, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Log.Entries) != len(run.Recording.Exchanges) {
		t.Errorf("%d entries of %d exchanges", len(got.Log.Entries), len(run.Recording.Exchanges))
	}
	for i, e := range got.Log.Entries {
		x := run.Recording.Exchanges[i]
		if e.Response.Content.Text != string(x.Response.Body) {
			t.Errorf("exchange %d has the body %q", x.N, e.Response.Content.Text)
		}
		if x.Check == "list-3" && !strings.HasPrefix(e.Comment, "passed: list-3") {
			t.Errorf("exchange %d of list-3 says %q", x.N, e.Comment)
		}
	}
}

func TestHAR(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(harSchema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("urn:har", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("urn:har")
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]sample.Run{"ordinary": sample.New(), "hostile": sample.Foul(), "good": sample.Good()} {
		data, err := HAR(run.Results, run.Recording, false)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		entries := value.(map[string]any)["log"].(map[string]any)["entries"].([]any)
		if (len(entries) > 0) != (name != "good") {
			t.Errorf("%s: %d entries", name, len(entries))
		}
	}
}

// TestHARByItsSchema holds the archive against the schemas that HAR's own tools publish.
func TestHARByItsSchema(t *testing.T) {
	files, err := filepath.Glob("testdata/node_modules/har-schema/lib/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 && os.Getenv("CI") == "true" {
		t.Fatal("har-schema (npm ci in reports/testdata) is wanted in CI and is not there")
	} else if len(files) == 0 {
		t.Skip("SKIPPED: har-schema (npm ci in reports/testdata) is not there")
	}
	c := jsonschema.NewCompiler()
	const base = "https://har.example/"
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		doc.(map[string]any)["$id"] = base + filepath.Base(name)
		if err := c.AddResource(base+filepath.Base(name), doc); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile(base + "har.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]sample.Run{"ordinary": sample.New(), "hostile": sample.Foul()} {
		data, err := HAR(run.Results, run.Recording, false)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestJUnitByAReader has the file read by a parser that nobody here wrote.
func TestJUnitByAReader(t *testing.T) {
	for name, run := range map[string]sample.Run{"ordinary": sample.New(), "hostile": sample.Foul()} {
		out := Weigh(Input{Results: run.Results, Recording: run.Recording})
		data, err := JUnit(out, run.Recording)
		if err != nil {
			t.Fatal(err)
		}
		suites, err := junit.Ingest(data)
		if err != nil || len(suites) != 2 {
			t.Fatalf("%s: %d suites, %v", name, len(suites), err)
		}
		gates, checks := suites[0].Totals, suites[1].Totals
		if gates.Tests != 8 || gates.Failed != 1 || checks.Tests != len(run.Results.Checks) || checks.Failed != 3 || checks.Skipped == 0 {
			t.Errorf("%s: gates %+v, checks %+v", name, gates, checks)
		}
	}
}

// TestGitHub writes what a workflow shows, and nothing outside of one.
func TestGitHub(t *testing.T) {
	run := sample.New()
	out := Weigh(Input{Results: run.Results, Recording: run.Recording})
	step := filepath.Join(t.TempDir(), "summary")
	env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": step}
	var stdout bytes.Buffer
	for range 2 {
		if err := GitHub(&stdout, func(k string) string { return env[k] }, out, run.Recording); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(step)
	if err != nil || bytes.Count(written, []byte("## ❌ DO NOT RELEASE")) != 2 || !strings.HasPrefix(stdout.String(), "::error") {
		t.Errorf("%v: what steps before wrote is kept: %d bytes", err, len(written))
	}
	stdout.Reset()
	if err := GitHub(&stdout, func(string) string { return "" }, out, run.Recording); err != nil || stdout.Len() > 0 {
		t.Errorf("outside of a workflow: %v, %s", err, &stdout)
	}
}

// TestAnnotations: ten lines at most, and none that a target made.
func TestAnnotations(t *testing.T) {
	for name, run := range map[string]sample.Run{"large": sample.Many(1000), "hostile": sample.Foul(), "good": sample.Good()} {
		var b bytes.Buffer
		if err := Annotations(&b, Weigh(Input{Results: run.Results, Recording: run.Recording})); err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range strings.Lines(b.String()) {
			n++
			if !strings.HasPrefix(line, "::error title=") {
				t.Errorf("%s: %q is no annotation", name, line)
			}
		}
		if n > MaxAnnotations || (n == 0) != (name == "good") {
			t.Errorf("%s: %d annotations", name, n)
		}
	}
}

// TestHAROfAFlood: the failures of a flood are bounded, and the file says so.
func TestHAROfAFlood(t *testing.T) {
	rec := &exchange.Recording{}
	flood := verdict.Check{ID: "client-retry-after", Verdict: verdict.Failed}
	for n := 1; n <= 3*harFailures; n++ {
		rec.Exchanges = append(rec.Exchanges, exchange.Exchange{N: n, Request: exchange.Request{Method: "GET", Path: "/pets"}})
		flood.Exchanges = append(flood.Exchanges, n)
	}
	data, err := HAR(verdict.Results{Checks: []verdict.Check{flood}}, rec, false)
	if n := strings.Count(string(data), `"startedDateTime"`); err != nil || n != harFailures || !strings.Contains(string(data), "the first 1,000 exchanges of failures") {
		t.Errorf("%d exchanges (%v)", n, err)
	}
}
