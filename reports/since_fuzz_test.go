package reports

import (
	"testing"

	"petconform/reports/internal/test/sample"
	"petconform/spec/verdict"
)

// FuzzSince compares a run with what may be the results of an earlier one, as --since and diff do: that ends with a summary of a bounded
// size.
func FuzzSince(f *testing.F) {
	now := sample.New().Results
	first := func(res verdict.Results) verdict.Results {
		res.Checks, res.Requirements, res.Observations = res.Checks[:2], res.Requirements[:2], nil
		return res
	}
	now = first(now)
	for _, before := range []sample.Run{sample.Good(), sample.New(), sample.Foul()} {
		data, err := Marshal(first(before.Results))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before, err := ParseResults(data)
		if err != nil {
			return
		}
		if n := len(rendered(t, Input{Results: now, Previous: &Input{Results: before}}, SummaryFile)); n > 100*len(data)+1<<20 {
			t.Errorf("%d bytes of an earlier run make a summary of %d", len(data), n)
		}
	})
}
