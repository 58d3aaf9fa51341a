package reports

import (
	"io/fs"
	"strings"
	"testing"

	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestDiffers: what a whole recording shows otherwise than results.json is told, apart from waivers; that of a run which
// was interrupted need not show all that results.json says.
func TestDiffers(t *testing.T) {
	results := func(run verdict.Run, one verdict.Verdict) verdict.Results {
		return verdict.Results{Verdict: run, Checks: []verdict.Check{{ID: "one", Kind: verdict.Active, Verdict: one}}}
	}
	shown, whole := results(verdict.Deviates, verdict.Failed), &exchange.Recording{End: &exchange.End{}}
	for name, row := range map[string]struct {
		said verdict.Results
		rec  *exchange.Recording
		want int
	}{
		"the same":     {shown, whole, 0},
		"waived":       {results(verdict.Deviates, verdict.Waived), whole, 0},
		"no failure":   {results(verdict.Conforms, verdict.Passed), whole, 2},
		"no recording": {results(verdict.Conforms, verdict.Passed), nil, 2},
		"interrupted":  {results(verdict.Conforms, verdict.Passed), &exchange.Recording{End: &exchange.End{Stopped: "interrupted"}}, 0},
		"killed":       {results(verdict.Conforms, verdict.Passed), &exchange.Recording{}, 0},
	} {
		if got := (recorded{claimed: &row.said}).differs(Input{Results: shown, Recording: row.rec}); len(got) != row.want {
			t.Errorf("%s: %q; %d differences are wanted", name, got, row.want)
		}
	}
}

// TestClaimsAreBounded: a file of claims that is too large to be petconform's is not parsed, wherever it comes from.
func TestClaimsAreBounded(t *testing.T) {
	for name, want := range map[string]string{ResultsFile: "64 MiB", ReleaseFile: "1 MiB"} {
		_, err := Opening{}.OpenFiles(func(file string) ([]byte, error) {
			if file != name {
				return nil, fs.ErrNotExist
			}
			return make([]byte, largest(name)+1), nil
		})
		if err == nil || !strings.Contains(err.Error(), name+" is larger than "+want) {
			t.Errorf("%s: %v; an error with %s is wanted", name, err, want)
		}
	}
}
