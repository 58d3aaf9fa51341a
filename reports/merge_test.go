package reports

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/reports/internal/test/sample"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

func TestMerge(t *testing.T) {
	check, load := sample.New(), sample.Good().With(sample.Load("Free"))
	load.Results.Target = check.Results.Target
	load.Results.Kind, load.Results.Target.Way = "load", []string{"through the proxy http://proxy.example:3128"}
	load.Results.Started, load.Results.Ended = load.Results.Started.Add(time.Hour), load.Results.Ended.Add(time.Hour) // a pause lies between the two
	in, err := Merge(check.Results, load.Results)
	NoError(t, err)
	if len(in.Load) == 0 || in.Requests != check.Results.Requests+load.Results.Requests {
		t.Errorf("load %d bytes, %d requests", len(in.Load), in.Requests)
	}
	if took := in.Took(); took != check.Results.Took()+load.Results.Took() || took < time.Second {
		t.Errorf("both took %s; %s and %s are wanted together", took, check.Results.Took(), load.Results.Took())
	}
	if reached := in.Target.Way.String(); reached != "directly, through the proxy http://proxy.example:3128" {
		t.Errorf("the target was reached %s; directly by the check, and through the proxy by the load", reached)
	}
	if in.Verdict != "deviates" {
		t.Errorf("the whole %s although a part deviates", in.Verdict)
	}
	other := sample.Good()
	if _, err := Merge(check.Results, other.Results); err == nil || !strings.Contains(err.Error(), "build") {
		t.Errorf("runs of two builds: %v; an error that says so is wanted", err)
	}
}

// TestMergeKeepsDoubts: what a load run cannot tell of a plan is not told by another run; a rule that one run shows is shown.
func TestMergeKeepsDoubts(t *testing.T) {
	doubted, told := sample.Good(), sample.Good().With(sample.Load("Free"))
	told.Results.Target = doubted.Results.Target
	for i, q := range doubted.Results.Requirements {
		if q.ID == "RATE-6" || q.ID == "RATE-1" {
			doubted.Results.Requirements[i].Verdict = verdict.Inconclusive
		}
	}
	in, err := Merge(doubted.Results, told.Results)
	load, _ := in.Requirement("RATE-6")
	rule, _ := in.Requirement("RATE-1")
	if err != nil || load.Verdict != verdict.Inconclusive || rule.Verdict != verdict.Passed {
		t.Errorf("%v: RATE-6 is %s, RATE-1 %s; inconclusive and passed are wanted", err, load.Verdict, rule.Verdict)
	}
}

// TestMergeOfPartsAndDoubts: what one run could not tell another may; a part stays one, whatever it is merged with.
func TestMergeOfPartsAndDoubts(t *testing.T) {
	run := func(change func(*verdict.Results)) verdict.Results {
		r := sample.Good().Results
		change(&r)
		return r
	}
	mark := func(r *verdict.Results, v verdict.Verdict) {
		for i := range r.Requirements {
			if r.Requirements[i].ID == "LIST-5" {
				r.Requirements[i].Verdict, r.Requirements[i].Reason = v, "why"
			}
		}
	}
	with := func(v verdict.Verdict, validity verdict.Validity) func(*verdict.Results) {
		return func(r *verdict.Results) {
			mark(r, v)
			r.Conclude(validity)
		}
	}
	whole, untold := with(verdict.Passed, verdict.Validity{}), with(verdict.Inconclusive, verdict.Validity{})
	part := with(verdict.Passed, verdict.Validity{Part: true})
	for _, row := range []struct {
		name string
		a, b func(*verdict.Results)
		want string
		open int
	}{
		{"two that hold", whole, whole, "CONFORMS", 0},
		{"neither could tell", untold, untold, "NO VERDICT", 1},
		{"one could tell", untold, whole, "CONFORMS", 0},
		{"a part and a whole", part, whole, "PART HOLDS", 0},
		{"two parts", part, part, "PART HOLDS", 0},
		{"a part that could not tell", with(verdict.Inconclusive, verdict.Validity{Part: true}), part, "PART HOLDS", 0},
		{"one that was stopped", with(verdict.Passed, verdict.Validity{Incomplete: []string{"stopped"}}), whole, "NO VERDICT", 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, err := Merge(run(row.a), run(row.b))
			NoError(t, err)
			if !strings.HasPrefix(r.Word, row.want) || len(r.Inconclusive) != row.open {
				t.Errorf("%q, untold %v (%v); %q and %d untold are wanted", r.Word, r.Inconclusive, r.Reasons, row.want, row.open)
			}
		})
	}
}

// TestMergeKeepsRecordingsApart: the exchange of a load's finding is in the load's recording. The one that has its number in the
// other recording is no evidence.
func TestMergeKeepsRecordingsApart(t *testing.T) {
	check, under := sample.Good(), sample.Good().With(sample.Load("Free"))
	under.Results.Target, under.Results.Kind = check.Results.Target, "load"
	phase := verdict.Check{ID: "load-free-overload", Kind: verdict.Phase, Title: "Beyond the plan, 429", Verdict: verdict.Failed, Requirements: []spec.ID{"RATE-6"}, Exchanges: []int{5, 9},
		Findings: []verdict.Finding{{Requirement: "RATE-6", Exchange: 5, Message: "request 61", Expected: "429", Actual: "200"}}}
	rule := verdict.Check{ID: "error-3", Kind: verdict.Passive, Title: "status", Verdict: verdict.Failed, Requirements: []spec.ID{"ERROR-3"}, Exchanges: []int{7}, Held: 1, Of: 2,
		Findings: []verdict.Finding{{Requirement: "ERROR-3", Exchange: 7, Message: "the status", Expected: "404", Actual: "400", Cases: []verdict.Case{{Sender: phase.ID, Exchanges: []int{7}}}}}}
	under.Results.Checks = []verdict.Check{phase, rule}
	loaded := &record.Recording{Lanes: []record.Lane{{Plan: "Free"}}}
	for _, n := range []int{5, 7} {
		loaded.Records = append(loaded.Records, &record.Record{N: n, Like: &exchange.Exchange{Request: exchange.Request{Method: "GET", Path: fmt.Sprintf("/pets?limit=%d", n)}}})
	}
	in, err := Merge(check.Results, under.Results)
	NoError(t, err)
	view := Look(Input{Results: in, Recording: check.Recording, Loaded: Named(loaded, under.Results)})
	c, _ := in.Check(phase.ID)
	card := view.cardOf(c.ID)
	if text := CardText(*card, Style{}); !strings.Contains(text, "Sent      #5 GET /pets?limit=5 ") || !strings.Contains(text, "petconform load --plan Free") || strings.Contains(text, "Curl") {
		t.Errorf("the place of the exchange and the plan are wanted:\n%s", text)
	}
	if !slices.Equal(c.Exchanges, phase.Exchanges) {
		t.Errorf("the phase has the exchanges %v; its own are wanted", c.Exchanges)
	}
	c, _ = in.Check(rule.ID)
	if text := CardText(*view.cardOf(c.ID), Style{}); !strings.Contains(text, "Sent      #7 GET /pets?limit=7 ") || slices.Contains(c.Exchanges, 7) {
		t.Errorf("of %v: the load's request is wanted:\n%s", c.Exchanges, text)
	}
}
