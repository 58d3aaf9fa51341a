package reports

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestDiffers: a verdict that a whole recording does not show is told; that of an interrupted run need not show it.
func TestDiffers(t *testing.T) {
	for name, row := range map[string]struct {
		said verdict.Run
		rec  *exchange.Recording
		want int
	}{
		"the same":     {verdict.Deviates, &exchange.Recording{End: &exchange.End{}}, 0},
		"another":      {verdict.Conforms, &exchange.Recording{End: &exchange.End{}}, 1},
		"no recording": {verdict.Conforms, nil, 1},
		"interrupted":  {verdict.Conforms, &exchange.Recording{End: &exchange.End{Stopped: "interrupted"}}, 0},
		"killed":       {verdict.Conforms, &exchange.Recording{}, 0},
	} {
		shown := Input{Results: verdict.Results{Verdict: verdict.Deviates}, Recording: row.rec}
		if got := (recorded{claimed: &verdict.Results{Verdict: row.said}}).compared(shown); len(got) != row.want {
			t.Errorf("%s: %q; %d differences are wanted", name, got, row.want)
		}
	}
}

// TestClaimsAreBounded: claims that are too large to be petconform's are not parsed, wherever they come from.
func TestClaimsAreBounded(t *testing.T) {
	_, err := Opening{}.OpenFiles(func(file string) ([]byte, error) {
		if file != ResultsFile {
			return nil, fs.ErrNotExist
		}
		return make([]byte, maxResults+1), nil
	})
	if err == nil || !strings.Contains(err.Error(), "results.json is larger than 64 MiB") {
		t.Errorf("%v; an error with 64 MiB is wanted", err)
	}
	_, err = Opening{}.OpenFiles(func(string) ([]byte, error) {
		return fmt.Appendf(nil, `{"schema": %q, "release": {"exitCode": 1%01000d}}`, verdict.Schema, 0), nil
	})
	if err == nil || len(err.Error()) > 2*mostQuoted {
		t.Errorf("%v; an error that quotes at most %d characters is wanted", err, mostQuoted)
	}
}
