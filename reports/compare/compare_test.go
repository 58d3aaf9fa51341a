package compare

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"petconform/load/judge"
	"petconform/reports/internal/test/sample"
	"petconform/spec/verdict"
)

// of is a sample as a run to compare.
func of(r sample.Run) Run {
	load, _ := judge.ParseReport(r.Results.Load) // a sample has a good one or none
	return Run{r.Results, r.Recording, load}
}

func TestRuns(t *testing.T) {
	good, bad := of(sample.Good()), of(sample.New())
	d := Runs(good, bad)
	if len(d.NewlyFailing) != 4 || len(d.Regressions()) != 3 || len(d.Fixed) != 0 || len(d.Other) != 1 || len(d.Observations) != 1 {
		t.Errorf("%+v", d)
	}
	if c := Runs(good, bad).Other[0]; c.Is != verdict.Inconclusive {
		t.Errorf("%s → %s; a run that can't tell is neither failing nor fixed", c.Was, c.Is)
	}
	back := Runs(bad, good)
	if len(back.Fixed) != 4 || len(back.Regressions()) > 0 {
		t.Errorf("the other way: fixed %v, newly failing %v", back.Fixed, back.NewlyFailing)
	}
	same := Runs(bad, bad)
	if !same.Quiet() || len(same.StillFailing) != 4 || len(same.Regressions()) > 0 {
		t.Errorf("with itself: %+v", same)
	}
	part, stopped := bad, bad
	part.Results.Part, stopped.Results.Reasons, stopped.Results.Verdict = &verdict.Part{}, verdict.Because("stopped"), verdict.NoVerdict
	for _, one := range []Run{part, stopped} {
		if d := Runs(good, one); len(d.Other) > 0 {
			t.Errorf("what differs because a run left something out is told as a change: %v", d.Other)
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
		if got := Targets(old, now).Observations; len(got) != row.want || len(Runs(old, now).Observations) != row.want {
			t.Errorf("%q, then %q, full %t: %v", row.old, row.now, row.deep, got)
		}
	}
}

// TestOtherPlans: a plan that one of the runs did not load is told once; its phases are neither new nor removed checks.
func TestOtherPlans(t *testing.T) {
	free, both := of(sample.Good().WithLoad("Free")), of(sample.Good().WithLoad("Free", "Pro"))
	both.Checks = append(both.Checks, verdict.Check{ID: "load-pro-fill", Kind: verdict.Phase, Verdict: verdict.Passed})
	for _, row := range []struct {
		old, now Run
		want     string
	}{
		{both, free, "the older run loaded the plan Pro, and the newer one did not"},
		{free, both, "the newer run loaded the plan Pro, and the older one did not"},
	} {
		d := Runs(row.old, row.now)
		if len(d.Remarks) != 1 || d.Remarks[0] != row.want {
			t.Errorf("remarks %q; %q alone is wanted", d.Remarks, row.want)
		}
	}
}

// TestClaimed: a run that was not judged makes nothing newly failing, fixed, new or removed, and says why.
func TestClaimed(t *testing.T) {
	good, bad := of(sample.Good()), of(sample.New())
	claimed := good
	claimed.Unjudged, claimed.Checks, claimed.Observations = "there is no recording", nil, nil
	for _, row := range []struct {
		name     string
		old, now Run
	}{{"the older run", claimed, bad}, {"the newer run", bad, claimed}} {
		d := Runs(row.old, row.now)
		var b strings.Builder
		if err := d.Text(&b, 80); err != nil || len(d.Regressions()) > 0 || !d.Quiet() || strings.Contains(b.String(), "nothing changed") ||
			!strings.Contains(strings.Join(strings.Fields(b.String()), " "), row.name+" is claimed, not judged again: there is no recording") {
			t.Errorf("%s: %v, %+v\n%s", row.name, err, d, b.String())
		}
	}
}

func TestRemarks(t *testing.T) {
	old, now := of(sample.Good()), of(sample.New())
	now.Target.URL, now.LedgerDigest, now.Tool, now.Strict, now.Kind = "https://other.example/v1", "x", "petconform 9", true, "load"
	now.Started = old.Started.Add(-1)
	if d := Runs(old, now); len(d.Remarks) != 5 {
		t.Errorf("%d remarks; each difference of the runs themselves is wanted: %q", len(d.Remarks), d.Remarks)
	}
}

// TestTimes: the operations and the plans that both runs have, with enough requests.
func TestTimes(t *testing.T) {
	a, b := sample.Good().WithLoad("Free", "Pro"), sample.Good()
	slower := sample.Load("Pro", "Business")
	slower.Plans[0].AcceptedMS.P99 *= 3
	b = b.With(slower)
	for i := range b.Recording.Exchanges {
		b.Recording.Exchanges[i].Done *= 2
	}
	all := Runs(of(a), of(b)).Times
	if len(all) != 4 || !strings.HasPrefix(all[0], "listPets: half within 8.0 ms, then 16.0 ms") || !strings.HasPrefix(all[3], "Pro: ") {
		t.Errorf("%q; three operations and Pro alone are wanted", all)
	}
}

// TestText: hostile strings stay on their lines, and the JSON comes back.
func TestText(t *testing.T) {
	d := Runs(of(sample.Good()), of(sample.Foul()))
	var b bytes.Buffer
	if err := d.Text(&b, 80); err != nil || bytes.ContainsAny(b.Bytes(), "\x1b\x00") || len(d.NewlyFailing) == 0 || !strings.Contains(b.String(), d.NewlyFailing[0].Check) {
		t.Errorf("%v\n%s", err, &b)
	}
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var back Diff
	if err := json.Unmarshal(data, &back); err != nil || len(back.NewlyFailing) != len(d.NewlyFailing) {
		t.Errorf("%v", err)
	}
}
