package compare

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
	"petconform/spec/verdict"
)

func TestRuns(t *testing.T) {
	good, bad := sample.Good().Results, sample.New().Results
	d := Runs(good, bad)
	if len(d.NewlyFailing) != 4 || len(d.Regressions()) != 3 || len(d.Fixed) != 0 || len(d.Other) != 1 || len(d.Observations) != 1 {
		t.Errorf("%+v", d)
	}
	if c := Runs(good, bad).Other[0]; c.Is != verdict.Inconclusive {
		t.Errorf("%s → %s; a run that can't tell is neither failing nor fixed", c.Was, c.Is)
	}
	back := Runs(bad, good)
	if len(back.Fixed) != 4 || back.Regressed() {
		t.Errorf("the other way: fixed %v, newly failing %v", back.Fixed, back.NewlyFailing)
	}
	same := Runs(bad, bad)
	if !same.Quiet() || len(same.StillFailing) != 4 || same.Regressed() {
		t.Errorf("with itself: %+v", same)
	}
	fewer := bad
	fewer.Checks = bad.Checks[1:]
	if d := Runs(bad, fewer); len(d.Removed) != 1 || len(d.Added) != 0 {
		t.Errorf("one check fewer: removed %v, added %v", d.Removed, d.Added)
	}
	failing := bad
	failing.Checks = []verdict.Check{{ID: "alone", Title: "Alone", Verdict: verdict.Failed}}
	var b bytes.Buffer
	if err := Runs(fewer, failing).Text(&b, 80); err != nil || !strings.Contains(b.String(), "  alone: Alone\n      failed\n") {
		t.Errorf("a new check that fails: %v\n%s", err, b.String())
	}
}

// TestOtherPlans: a plan that one of the runs did not load is told once; its phases are neither new nor removed checks.
func TestOtherPlans(t *testing.T) {
	free, both := sample.Good().WithLoad("Free").Results, sample.Good().WithLoad("Free", "Pro").Results
	both.Checks = append(both.Checks, verdict.Check{ID: "load-pro-fill", Kind: verdict.Phase, Verdict: verdict.Passed})
	for _, row := range []struct {
		old, now verdict.Results
		want     string
	}{
		{both, free, "the older run loaded the plan Pro, and the newer one did not"},
		{free, both, "the newer run loaded the plan Pro, and the older one did not"},
	} {
		d := Runs(row.old, row.now)
		if len(d.Added)+len(d.Removed) > 0 || len(d.Remarks) != 1 || d.Remarks[0] != row.want {
			t.Errorf("added %v, removed %v, remarks %q; %q alone is wanted", d.Added, d.Removed, d.Remarks, row.want)
		}
	}
}

// TestClaimed: a run that was not judged makes nothing newly failing, fixed, new or removed, and says why.
func TestClaimed(t *testing.T) {
	good, bad := sample.Good().Results, sample.New().Results
	claimed := good
	claimed.Unjudged, claimed.Checks, claimed.Observations = "there is no recording", nil, nil
	for _, row := range []struct {
		name     string
		old, now verdict.Results
	}{{"the older run", claimed, bad}, {"the newer run", bad, claimed}} {
		d := Runs(row.old, row.now)
		var b strings.Builder
		if err := d.Text(&b, 80); err != nil || d.Regressed() || !d.Quiet() || strings.Contains(b.String(), "nothing changed") ||
			!strings.Contains(strings.Join(strings.Fields(b.String()), " "), row.name+" is claimed, not judged again: there is no recording") {
			t.Errorf("%s: %v, %+v\n%s", row.name, err, d, b.String())
		}
	}
}

func TestRemarks(t *testing.T) {
	old, now := sample.Good().Results, sample.New().Results
	now.Target.URL, now.LedgerDigest, now.Tool, now.Strict, now.Kind = "https://other.example/v1", "x", "petconform 9", true, "load"
	now.Started = old.Started.Add(-1)
	if d := Runs(old, now); len(d.Remarks) != 6 {
		t.Errorf("%d remarks; each difference of the runs themselves is wanted: %q", len(d.Remarks), d.Remarks)
	}
}

func TestLatencies(t *testing.T) {
	a, b := sample.Good().Recording, sample.Good().Recording
	for i := range b.Exchanges {
		b.Exchanges[i].Done *= 2
	}
	all := Latencies(InChecks(a), InChecks(b))
	if len(all) == 0 {
		t.Fatal("no latency was compared")
	}
	for _, l := range all {
		if l.NewP50 != 2*l.OldP50 || l.NewP99 != 2*l.OldP99 || l.OldN < enough {
			t.Errorf("%+v; twice the time is wanted", l)
		}
	}
}

// TestUnderLoad: the plans that both runs loaded, with the times and the numbers of each.
func TestUnderLoad(t *testing.T) {
	a, b := sample.Good().WithLoad("Free", "Pro"), sample.Good()
	slower := sample.Load("Pro", "Business")
	slower.Plans[0].AcceptedMS.P99 *= 3
	b = b.With(slower)
	all := Latencies(UnderLoad(a.Results), UnderLoad(b.Results))
	if len(all) != 1 || all[0].Plan != "Pro" || all[0].NewP99 != 3*all[0].OldP99 || all[0].OldN == 0 || all[0].Name() != "load, Pro" {
		t.Errorf("%+v; Pro alone is wanted, with three times the time", all)
	}
	if all := Latencies(UnderLoad(sample.Good().Results), UnderLoad(b.Results)); len(all) != 0 {
		t.Errorf("%+v; nothing is wanted beside a run without a load", all)
	}
}

// TestText: hostile strings stay on their lines, and the JSON comes back.
func TestText(t *testing.T) {
	d := Runs(sample.Good().Results, sample.Foul().Results)
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
