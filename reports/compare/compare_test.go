package compare

import (
	"bytes"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
	"petconform/spec/verdict"
)

// of is a sample as a run to compare.
func of(r sample.Run) Run { return Run{r.Results, r.Recording} }

func TestRuns(t *testing.T) {
	good, bad := of(sample.Good()), of(sample.New())
	part, stopped := bad, bad
	part.Results.Part, stopped.Results.Reasons, stopped.Results.Verdict = &verdict.Part{}, verdict.Reasons{"stopped"}, verdict.NoVerdict
	claimed := good
	claimed.Unjudged, claimed.Checks, claimed.Observations = "there is no recording", nil, nil
	for _, row := range []struct {
		name                                string
		old, now                            Run
		failing, musts, fixed, still, other int
		says                                string
	}{
		{"worse", good, bad, 4, 3, 0, 0, 1, "newly failing (4)"},
		{"better", bad, good, 0, 0, 4, 0, 1, "fixed (4)"},
		{"the same", bad, bad, 0, 0, 0, 4, 0, "nothing changed"},
		{"what a part left out", good, part, 4, 3, 0, 0, 0, "newly failing (4)"},
		{"what a run did not reach", good, stopped, 4, 3, 0, 0, 0, "newly failing (4)"},
		{"before, it was not judged", claimed, bad, 0, 0, 0, 0, 0, "was not judged again: there is no recording"},
		{"now, it was not judged", bad, claimed, 0, 0, 0, 0, 0, "was not judged again: there is no recording"},
	} {
		d := Runs(row.old, row.now)
		if got := []int{len(d.Of(NewlyFailing)), len(d.Regressions()), len(d.Of(Fixed)), len(d.Of(StillFailing)), len(d.Of(Other))}; got[0] != row.failing ||
			got[1] != row.musts || got[2] != row.fixed || got[3] != row.still || got[4] != row.other {
			t.Errorf("%s: %d; newly failing, musts of these, fixed, still failing and others", row.name, got)
		}
		var b strings.Builder
		if err := d.Text(&b, 80); err != nil || !strings.Contains(strings.Join(strings.Fields(b.String()), " "), row.says) {
			t.Errorf("%s: %v; %q is wanted in\n%s", row.name, err, row.says, b.String())
		}
	}
}

// TestMoreIsNoDifference: a full run sees more values of a kind than a quick one; another value is a difference.
func TestMoreIsNoDifference(t *testing.T) {
	for _, row := range []struct {
		old, now string
		deep     bool
		want     int
	}{{"a, b", "a, b, c", true, 0}, {"a, b, c", "b", true, 0}, {"a, b", "a, b, c", false, 1}, {"a, b", "a, x", true, 1}} {
		old, now := of(sample.Good()), of(sample.Good())
		old.Observations = []verdict.Observation{{Requirement: "ERROR-6", Key: "code of a 400", Value: row.old}}
		now.Observations = []verdict.Observation{{Requirement: "ERROR-6", Key: "code of a 400", Value: row.now}}
		now.Recording.Meta.Deep = row.deep
		if got := Runs(old, now).Observations; len(got) != row.want {
			t.Errorf("%q, then %q, full %t: %v", row.old, row.now, row.deep, got)
		}
	}
}

// TestText: hostile strings stay on their lines.
func TestText(t *testing.T) {
	d := Runs(of(sample.Good()), of(sample.Foul()))
	var b bytes.Buffer
	if err := d.Text(&b, 80); err != nil || bytes.ContainsAny(b.Bytes(), "\x1b\x00") || !strings.Contains(b.String(), string(d.Changes[0].ID)) {
		t.Errorf("%v\n%s", err, &b)
	}
}
