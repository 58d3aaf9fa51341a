package reports_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"petconform/reports"
	"petconform/reports/internal/test/real"
	"petconform/reports/internal/test/sample"
	"petconform/spec/verdict"
)

func publishedSchema(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("results.schema.json")
	reports.NoError(t, err)
	return data
}

// validator returns what holds results.json to its published schema.
func validator(t *testing.T) func(data []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(publishedSchema(t)))
	reports.NoError(t, err)
	const name = "urn:petconform:results:1"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	reports.NoError(t, c.AddResource(name, doc))
	schema, err := c.Compile(name)
	reports.NoError(t, err)
	return func(data []byte) error {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return err
		}
		return schema.Validate(value)
	}
}

// TestResultsMatchTheirSchema: results.json of every sample, of the golden run and of live runs passes the published schema, and is
// read and written again without a change.
func TestResultsMatchTheirSchema(t *testing.T) {
	valid, all := validator(t), map[string][]byte{}
	written := func(name string, in reports.Input) {
		data, err := reports.Marshal(reports.Look(in).Results)
		reports.NoError(t, err)
		all[name] = data
	}
	for name, s := range map[string]sample.Run{"deviating": sample.New(), "conforming": sample.Good(), "load": sample.New().With(sample.Load("Free", "Pro")), "hostile": sample.Foul(),
		"client": sample.Client()} {
		written("sample: "+name, reports.Input{Results: s.Results, Recording: s.Recording})
		before := sample.Good()
		written("sample, since another: "+name, reports.Input{Results: s.Results, Recording: s.Recording, Previous: &reports.Input{Results: before.Results, Recording: before.Recording}})
	}
	written("no run", reports.Input{Results: verdict.Results{Schema: verdict.Schema, Kind: "check", Verdict: verdict.NoVerdict, Requirements: []verdict.Requirement{},
		Checks: []verdict.Check{}, Created: []verdict.Created{}}})
	written("live: conforming", real.Check(t))
	written("live: deviating", real.Check(t, "limit-ignored"))
	written("live: load", real.Load(t, nil))
	golden, err := os.ReadFile(filepath.Join("testdata", "golden", "results.json"))
	reports.NoError(t, err)
	all["golden"] = golden
	for name, data := range all {
		if err := valid(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var back verdict.Results
		if err := json.Unmarshal(data, &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again, _ := reports.Marshal(back); !bytes.Equal(data, again) {
			t.Errorf("%s: read and written again, the results are others", name)
		}
	}
	for from, to := range map[string]string{`"verdict": "deviates"`: `"verdict": "fine"`, `"requests": `: `"requests": -`, `"id": "list-5"`: `"id": "<b>"`, `results/1`: `results/2`} {
		data := all["sample: deviating"]
		if other := bytes.Replace(data, []byte(from), []byte(to), 1); bytes.Equal(other, data) || valid(other) == nil {
			t.Errorf("the schema takes %s for results, or the sample has no %s", to, from)
		}
	}
}

// TestSchemaNamesEveryMember: what the results carry and the schema does not describe would be read by nobody.
func TestSchemaNamesEveryMember(t *testing.T) {
	var schema map[string]any
	reports.NoError(t, json.Unmarshal(publishedSchema(t), &schema))
	def := func(name string) map[string]any {
		return schema["$defs"].(map[string]any)[name].(map[string]any)["properties"].(map[string]any)
	}
	top := schema["properties"].(map[string]any)
	for _, row := range []struct {
		of    any
		known map[string]any
	}{{verdict.Results{}, top}, {verdict.Span{}, def("span")}, {verdict.Target{}, def("target")}, {verdict.Part{}, top["part"].(map[string]any)["properties"].(map[string]any)}, {verdict.Requirement{}, def("requirement")},
		{verdict.Check{}, def("check")}, {verdict.Finding{}, def("finding")}, {verdict.Case{}, def("case")}, {verdict.Observation{}, def("observation")}, {verdict.Created{}, def("created")}} {
		for f := range reflect.TypeOf(row.of).Fields() {
			if !f.IsExported() {
				continue // it is not written
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if row.known[name] == nil {
				t.Errorf("%T.%s: the schema has no %q", row.of, f.Name, name)
			}
		}
	}
}
