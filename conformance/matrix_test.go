package conformance_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

// day is a day before getPet's removal; inside a bubble the clock itself stands in the year 2000.
var day = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

// service says what a run is made against.
type service struct {
	deviations, freedoms []string
	seed                 int
	plan                 spec.Plan
	concurrency          int
}

// runAgainst makes a standard run against the reference service, in a bubble of its own, and judges it.
func runAgainst(t *testing.T, s service) (results verdict.Results, rec *exchange.Recording) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		key := exchange.NewSecret("pet-Key-0123456789-abcdef")
		if s.plan.PerMinute == 0 {
			s.plan = spec.Business
		}
		if s.concurrency == 0 {
			s.concurrency = conformance.DefaultConcurrency
		}
		svc, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "own", Secret: key, Plan: s.plan}},
			Deviations: s.deviations, Freedoms: s.freedoms, Seed: s.seed})
		if err != nil {
			t.Fatal(err)
		}
		defer svc.Close()
		sel, err := conformance.Select(nil, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		rec, err = conformance.Send(context.Background(), conformance.Config{
			Base: &url.URL{Scheme: "http", Host: "reference.example", Path: "/v1"}, Key: key, Selection: sel,
			CategoryID: conformance.DefaultCategoryID, MaxCreates: conformance.DefaultMaxCreates, Concurrency: s.concurrency,
			AsOf: day, Seed: 7, Run: "matrix", Patience: conformance.DefaultPatience, Tool: "petconform/test",
			Transport: inprocess.Transport{Handler: svc}})
		if rec == nil {
			t.Fatal(err)
		}
		results = conformance.JudgeRecording(rec)
	})
	return results, rec
}

// named gives the requirements that a run found broken, of those levels.
func named(r verdict.Results, levels ...spec.Level) []spec.ID {
	var ids []spec.ID
	for _, q := range r.Requirements {
		if q.Verdict == verdict.Failed && slices.Contains(levels, q.Level) {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

// parallel runs f for each item on both cores.
func parallel[T any](t *testing.T, items []T, name func(T) string, f func(*testing.T, T)) {
	t.Helper()
	for _, item := range items {
		t.Run(name(item), func(t *testing.T) {
			t.Parallel()
			f(t, item)
		})
	}
}

// standard are the deviations that a standard conformance run has to meet.
func standard() []reference.Deviation {
	return slices.DeleteFunc(reference.Deviations(), func(d reference.Deviation) bool {
		return d.Needs != reference.Standard && d.Needs != reference.Animals
	})
}

// TestEachDeviationIsNamed is one side of the matrix: each fault is found, by the requirements that it declares, and no other.
func TestEachDeviationIsNamed(t *testing.T) {
	parallel(t, standard(), func(d reference.Deviation) string { return d.Name }, func(t *testing.T, d reference.Deviation) {
		r, _ := runAgainst(t, service{deviations: []string{d.Name}})
		got := named(r, spec.Must)
		for _, id := range d.Breaks {
			if !slices.Contains(got, id) {
				t.Errorf("%s is not named; the run says %s, %v %v", id, r.Verdict, got, r.Reasons)
			}
		}
		for _, id := range got {
			if !slices.Contains(d.Breaks, id) && !slices.Contains(d.May, id) {
				t.Errorf("%s is named too, and is not what the deviation breaks:\n%s", id, textOf(r, id))
			}
		}
	})
}

func textOf(r verdict.Results, id spec.ID) string {
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			if f.Requirement == id {
				return fmt.Sprintf("%s: %s\n  Expected: %s\n  Actual:   %s (exchange %d)", c.ID, f.Message, f.Expected, f.Actual, f.Exchange)
			}
		}
	}
	return ""
}

// TestEachFreedomConforms is the other side: each lawful variant conforms, and no should is held against it either.
func TestEachFreedomConforms(t *testing.T) {
	parallel(t, reference.Freedoms(), func(f reference.Freedom) string { return f.Name }, func(t *testing.T, f reference.Freedom) {
		lawful(t, service{freedoms: []string{f.Name}})
	})
}

func lawful(t *testing.T, s service) {
	t.Helper()
	r, _ := runAgainst(t, s)
	if r.Verdict != verdict.Conforms {
		t.Errorf("a lawful service gets %q: %v", r.Verdict, r.Reasons)
	}
	for _, id := range named(r, spec.Must, spec.Should) {
		t.Errorf("%s is named:\n%s", id, textOf(r, id))
	}
}

// TestThePlainServiceConforms in stores of several sizes and on every plan, the smallest of which needs a wait.
func TestThePlainServiceConforms(t *testing.T) {
	var services []service
	for _, seed := range []int{0, 1, 19, 20, 21, 99, 100, 101, 250} {
		services = append(services, service{seed: seed})
	}
	for _, plan := range []spec.Plan{spec.Free, spec.Pro, spec.Business} {
		services = append(services, service{plan: plan}, service{plan: plan, concurrency: 1})
	}
	parallel(t, services, func(s service) string { return fmt.Sprintf("%d animals, %s, %d", s.seed, s.plan.Name, s.concurrency) },
		func(t *testing.T, s service) {
			lawful(t, s)
			_, rec := runAgainst(t, s)
			for _, x := range rec.Exchanges {
				if x.Limited() {
					t.Errorf("exchange %d was answered 429: the run did not pace itself", x.N)
				}
			}
		})
}

// TestEachMustHasADeviation finds the gaps: a must that a run can reach and that no deviation breaks, and a check or rule
// that catches nothing.
func TestEachMustHasADeviation(t *testing.T) {
	broken := map[spec.ID]bool{}
	for _, d := range reference.Deviations() {
		for _, id := range d.Breaks {
			broken[id] = true
		}
	}
	for _, r := range spec.TheLedger().Requirements {
		if r.Level == spec.Must && r.Proof != spec.ByNothing && !broken[r.ID] {
			t.Errorf("no deviation breaks %s: %s", r.ID, r.Statement)
		}
	}
}
