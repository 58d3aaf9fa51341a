package reports

import (
	"strings"
	"testing"

	"petconform/spec/verdict"
)

// TestClaimsAreNoRun: results without a recording are no run, whatever they claim, and a file that is too large to be
// petconform's is not parsed, wherever it comes from.
func TestClaimsAreNoRun(t *testing.T) {
	const none = "there is no recording.jsonl and no load-recording.jsonl"
	for name, row := range map[string]struct{ results, says string }{
		"results":                {`{"schema": "` + verdict.Schema + `", "verdict": "conforms", "run": "r-1"}`, none},
		"those of other program": {`{"schema": "other"}`, none},
		"no JSON":                {"<html>", none},
		"too many":               {strings.Repeat(" ", maxResults+1), "results.json is larger than 64 MiB"},
	} {
		_, err := Opening{}.OpenFiles(Files{ResultsFile: []byte(row.results)})
		if err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v; %q is wanted", name, err, row.says)
		}
	}
}
