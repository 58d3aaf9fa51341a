package compare

import (
	"slices"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
	"petconform/spec/verdict"
)

func of(r sample.Run) Run { return Run{r.Results, r.Recording} }

func TestRuns(t *testing.T) {
	good, bad := of(sample.Good()), of(sample.New())
	part, stopped := bad, bad
	part.Results.Part, stopped.Results.Reasons, stopped.Results.Verdict = &verdict.Part{}, verdict.Reasons{"stopped"}, verdict.NoVerdict
	for _, row := range []struct {
		name                                   string
		old, now                               Run
		failing, musts, fixed, still, doubtful int
		says                                   string
	}{
		{"worse", good, bad, 4, 3, 0, 0, 1, "newly failing (4)"},
		{"better", bad, good, 0, 0, 4, 0, 0, "fixed (4)"},
		{"the same", bad, bad, 0, 0, 0, 4, 0, "nothing fails newly, and nothing was fixed"},
		{"what a part left out", good, part, 4, 3, 0, 0, 0, "newly failing (4)"},
		{"what a run did not reach", good, stopped, 4, 3, 0, 0, 0, "newly failing (4)"},
	} {
		d := Runs(row.old, row.now)
		got := []int{len(d.Of(NewlyFailing)), len(d.Regressions()), len(d.Of(Fixed)), len(d.Of(StillFailing)), len(d.Of(Doubtful))}
		if !slices.Equal(got, []int{row.failing, row.musts, row.fixed, row.still, row.doubtful}) {
			t.Errorf("%s: %d; newly failing, musts of these, fixed, still failing and inconclusive now", row.name, got)
		}
		if text := d.Text(80); !strings.Contains(strings.Join(strings.Fields(text), " "), row.says) {
			t.Errorf("%s: %q is wanted in\n%s", row.name, row.says, text)
		}
	}
}

// TestMoreIsNoDifference: a full run sees more values of a kind than a quick one; another value is a difference.
func TestMoreIsNoDifference(t *testing.T) {
	for _, row := range []struct {
		old, now string
		want     int
	}{{"a, b", "a, b, c", 0}, {"a, b, c", "b", 0}, {"a, b", "a, x", 1}} {
		old, now := of(sample.Good()), of(sample.Good())
		old.Observations = []verdict.Observation{{Requirement: "ERROR-6", Key: "code of a 400", Value: row.old}}
		now.Observations = []verdict.Observation{{Requirement: "ERROR-6", Key: "code of a 400", Value: row.now}}
		if got := Runs(old, now).Observations; len(got) != row.want {
			t.Errorf("%q, then %q: %v", row.old, row.now, got)
		}
	}
}
