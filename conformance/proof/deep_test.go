package proof_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
	"petconform/spec/verdict"
)

// TestTheCostOfADeepRun: about a thousand requests, and no more creations than a standard run.
func TestTheCostOfADeepRun(t *testing.T) {
	r, rec := against(t, proof.Service{Deep: true})
	t.Logf("%d requests, %d creates, %s", r.Requests, len(r.Created), rec.End.Ended.Sub(rec.Meta.Started))
	if r.Verdict != verdict.Conforms {
		t.Errorf("the plain service gets %q: %v", r.Verdict, r.Reasons)
	}
	if r.Requests < plan.FullRequests*9/10 || r.Requests > plan.FullRequests || len(r.Created) > mostCreates {
		t.Errorf("%d requests and %d creates; about %d and at most %d are wanted", r.Requests, len(r.Created), plan.FullRequests, mostCreates)
	}
}

// TestAFullRunHasAnAnimalForEachRow: also on a service that accepts whatever is open.
func TestAFullRunHasAnAnimalForEachRow(t *testing.T) {
	lenient := []string{"any-media-type", "null-status-accepted", "surrogates-replaced", "whole-numbers-in-any-form"}
	rec := lawful(t, proof.Service{Freedoms: lenient, Deep: true})
	delete(rec.End.GaveUp, judge.ExploreID) // sequences create what is left
	if n := len(history.Of(rec).Created()); len(rec.End.GaveUp) > 0 || n > mostCreates {
		t.Errorf("%d animals were created; no animal was left for %v", n, rec.End.GaveUp)
	}
}

// TestAFullRunIsSentSideBySide: where each answer takes 150 ms and no limit has to be waited for.
func TestAFullRunIsSentSideBySide(t *testing.T) {
	large := spec.Plan{Name: "Large", PerMinute: 100_000, PerDay: 1 << 40}
	r, rec := against(t, proof.Service{Deep: true, Latency: 150 * time.Millisecond, Plan: large})
	took := rec.End.Ended.Sub(rec.Meta.Started)
	if t.Logf("%d requests in %s", r.Requests, took); took > 25*time.Second || r.Verdict != verdict.Conforms {
		t.Errorf("%s, %v; at most 25 s are wanted", took, r.Verdict)
	}
}

// TestARunKeepsToItsRoomForBodies: where a full run would not fit into what a run keeps of bodies, it goes on as a quick
// one, and says so.
func TestARunKeepsToItsRoomForBodies(t *testing.T) {
	r, _ := against(t, proof.Service{Freedoms: []string{"pet-with-80-photos"}, Deep: true})
	if r.Verdict != verdict.Conforms || r.Requests <= plan.QuickRequests || !strings.Contains(r.Size, "quick one") {
		t.Errorf("%d requests were sent, and the run says %s, %q: %v", r.Requests, r.Verdict, r.Size, r.Reasons)
	}
}

// TestADeepRunNamesWhatAQuickOneLeavesOut: one full run sends every row.
func TestADeepRunNamesWhatAQuickOneLeavesOut(t *testing.T) {
	all := slices.DeleteFunc(deviations.All(), func(d deviations.Deviation) bool {
		return d.Needs != deviations.Full
	})
	all = long.Rows(t, all, func(d deviations.Deviation) []string { return []string{string(d.Needs)} }) // a deep run takes as long as eight others
	each(t, all, func(d deviations.Deviation) string { return d.Name }, func(t *testing.T, d deviations.Deviation) {
		r, _ := against(t, proof.Service{Deviations: []string{d.Name}, Deep: true})
		if missed, undeclared := weigh(d, r); len(missed)+len(undeclared) > 0 {
			t.Errorf("%v are not named, %v are named too", missed, undeclared)
		}
	})
}

// TestADeepRunAccusesNoLawfulService makes a deep run on each freedom. In short it is one, as TestEachFreedomConforms has them all.
func TestADeepRunAccusesNoLawfulService(t *testing.T) {
	all := long.Rows(t, append(freedoms.All(), freedoms.AtRest()...), func(freedoms.Freedom) []string { return []string{"a deep run"} })
	each(t, all, func(f freedoms.Freedom) string { return f.Name }, func(t *testing.T, f freedoms.Freedom) {
		if n := len(lawful(t, proof.Service{Freedoms: []string{f.Name}, Deep: true}).Exchanges); n > plan.MostRequests {
			t.Errorf("%d requests; at most %d are wanted", n, plan.MostRequests)
		}
	})
}
