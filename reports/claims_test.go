package reports

import (
	"strings"
	"testing"

	"petconform/spec/verdict"
)

// TestClaimsAreNotBelieved: what results.json says of a run without recordings is told and decides nothing, and a file
// that is too large to be petconform's is not parsed, wherever it comes from.
func TestClaimsAreNotBelieved(t *testing.T) {
	data := `{"schema": "` + verdict.Schema + `", "kind": "check", "verdict": "conforms", "run": "r-1", "target": {"build": "2.14.0"}}`
	run, err := Opening{}.OpenFiles(Files{ResultsFile: []byte(data)})
	if err != nil {
		t.Fatal(err)
	}
	res, why := run.Results, "claims CONFORMS, which cannot be judged again: there is no recording.jsonl"
	if res.Verdict != verdict.NoVerdict || res.Target.Build != "2.14.0" || !strings.Contains(res.Unjudged, why) {
		t.Errorf("%q of %q: %s; no verdict is wanted, since the file %s", res.Verdict, res.Target.Build, res.Unjudged, why)
	}
	_, err = Opening{}.OpenFiles(Files{ResultsFile: make([]byte, maxResults+1)})
	if err == nil || !strings.Contains(err.Error(), "results.json is larger than 64 MiB") {
		t.Errorf("%v; an error with 64 MiB is wanted", err)
	}
	_, err = Opening{}.OpenFiles(Files{ResultsFile: []byte(`{"schema": "other"}`)})
	if err == nil || !strings.Contains(err.Error(), "name the folder of a run") {
		t.Errorf("the file of another program: %v; an error that asks for a run is wanted", err)
	}
}
