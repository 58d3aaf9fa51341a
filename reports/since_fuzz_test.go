package reports

import (
	"testing"

	"petconform/reports/internal/sample"
)

// FuzzSince compares a run with what may be the results of an earlier one, as --since and diff do: that ends with a report of a
// bounded size, or with an error.
func FuzzSince(f *testing.F) {
	now := sample.New()
	for _, before := range []sample.Run{sample.Good(), sample.New(), sample.Foul()} {
		res := before.Results
		res.Checks, res.Requirements = res.Checks[:min(len(res.Checks), 3)], res.Requirements[:min(len(res.Requirements), 3)]
		data, err := marshal(res)
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
		files, err := Render(Input{Results: now.Results, Recording: now.Recording, Previous: &Input{Results: before}})
		written := 0
		for _, a := range files {
			written += len(a.Data)
		}
		if err != nil || written > 100*len(data)+4<<20 {
			t.Errorf("%d bytes of an earlier run make a report of %d: %v", len(data), written, err)
		}
	})
}
