package reports

import (
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
	"petconform/spec/verdict"
)

// TestSchemaErrorIsBrief, however often a file breaks the schema: it has at most 2 KB, on one line, and names the first place.
func TestSchemaErrorIsBrief(t *testing.T) {
	for name, row := range map[string]struct {
		times int
		wrong string
	}{"many places": {3000, "maybe"}, "a verdict of 40 KB": {20, strings.Repeat("ü", 20_000)}} {
		res := sample.Good().Results
		one := res.Requirements[0]
		one.Verdict = verdict.Verdict(row.wrong)
		for range row.times {
			res.Requirements = append(res.Requirements, one)
		}
		data, err := Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ParseResults(data)
		if err == nil || len(err.Error()) > 2<<10 || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "/requirements/") {
			t.Errorf("%s: %.3000v", name, err)
		}
	}
}
