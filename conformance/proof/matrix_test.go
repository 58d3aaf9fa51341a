package proof_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance/plan"
	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// TestMain lets the heap grow to five times what is in use: these tests allocate much and keep little, and take a third less CPU so.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// against runs in a bubble of its own, where waiting takes no time.
func against(t *testing.T, s proof.Service) (r verdict.Results, rec *exchange.Recording) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		if r, rec, err = proof.Against(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	})
	return r, rec
}

// each runs f for each item, side by side.
func each[T any](t *testing.T, items []T, name func(T) string, f func(*testing.T, T)) {
	t.Helper()
	t.Run("each", func(t *testing.T) {
		for _, item := range items {
			t.Run(name(item), func(t *testing.T) {
				t.Parallel()
				f(t, item)
			})
		}
	})
}

// standard are the deviations that a standard run has to meet.
func standard() []deviations.Deviation {
	return slices.DeleteFunc(deviations.All(), func(d deviations.Deviation) bool {
		return d.Needs != deviations.Standard && d.Needs != deviations.Animals
	})
}

// weigh returns the requirements that a deviation breaks and that a run does not name, and those that are named too.
func weigh(d deviations.Deviation, r verdict.Results) (missed, undeclared []spec.ID) {
	named := r.Failed(spec.Must)
	without := func(all []spec.ID, others ...spec.ID) []spec.ID {
		return slices.DeleteFunc(slices.Clone(all), func(id spec.ID) bool { return slices.Contains(others, id) })
	}
	return without(d.Breaks, named...), without(named, append(d.May, d.Breaks...)...)
}

// TestEachDeviationIsNamed is one side of the matrix: each fault is found, by the requirements that it declares and no other.
// Afterwards each check and rule that proves a must has to have caught something.
func TestEachDeviationIsNamed(t *testing.T) {
	var mu sync.Mutex
	caught, precision, requests := map[string]bool{}, []int{}, []int{}
	each(t, standard(), func(d deviations.Deviation) string { return d.Name }, func(t *testing.T, d deviations.Deviation) {
		r, rec := against(t, proof.Service{Deviations: []string{d.Name}})
		missed, undeclared := weigh(d, r)
		for _, id := range missed {
			t.Errorf("%s is not named; the run says %s, %v", id, r.Verdict, r.Reasons)
		}
		for _, id := range undeclared {
			t.Errorf("%s is named too, and is not what the deviation breaks:\n%s", id, textOf(r, id))
		}
		for _, c := range r.Checks {
			for _, id := range c.Because {
				if q, _ := r.Requirement(id); q.Verdict != verdict.Failed {
					t.Errorf("%s is inconclusive because of %s, which has not failed", c.ID, id)
				}
			}
		}
		if r.Verdict != verdict.Deviates {
			t.Errorf("the run says %q: %v", r.Verdict, r.Reasons)
		}
		mu.Lock()
		defer mu.Unlock()
		precision = append(precision, len(r.Failed(spec.Must)))
		requests = append(requests, r.Requests)
		if took := rec.End.Ended.Sub(rec.Meta.Started); took > longestWhenBroken || r.Requests > mostWhenBroken {
			t.Errorf("%s and %d requests; at most %s and %d are wanted", took, r.Requests, longestWhenBroken, mostWhenBroken)
		}
		for _, c := range r.Checks {
			caught[c.ID] = caught[c.ID] || c.Verdict == verdict.Failed
		}
	})
	if len(precision) < len(standard()) { // -run chose some
		return
	}
	slices.Sort(requests)
	slices.Sort(precision)
	t.Logf("%d deviations; requirements named for each: median %d, maximum %d; requests: median %d, maximum %d", len(precision),
		precision[len(precision)/2], precision[len(precision)-1], requests[len(requests)/2], requests[len(requests)-1])
	for _, id := range provesMusts() {
		if !caught[id] && reachedElsewhere[id] == "" {
			t.Errorf("%s has caught no deviation", id)
		}
	}
}

// TestThePartThatFailsIsShown: of a request with several odd things, the finding shows the one that fails.
func TestThePartThatFailsIsShown(t *testing.T) {
	for _, row := range []struct{ deviation, check, path, body string }{
		{"auth-after-status-filter", "auth-first-list", "/pets?status=unheard-of", ""},
		{"auth-after-parameters", "auth-first-list", "/pets?limit=0", ""},
		{"members-in-any-case", "create-name-missing", "/pets", `{"NAME":"petconform-proof-create-name-missing-name-in-other-forms-1","categoryId":1}`},
		{"members-in-any-case", "create-category-missing", "/pets", `{"name":"petconform-proof-create-category-missing-category-in-other-forms-1","categoryid":1}`},
		{"name-in-capitals-fails", "create-category", "/pets", `{"name":"PETCONFORM-PROOF-AVAILABLE","categoryId":1,"status":"available"}`},
	} {
		r, rec := against(t, proof.Service{Deviations: []string{row.deviation}})
		c, _ := r.Check(row.check)
		if len(c.Findings) != 1 {
			t.Fatalf("%s: %+v; one finding is wanted", row.deviation, c.Findings)
		}
		if got := rec.Exchanges[c.Findings[0].Exchange-1].Request; got.Path != row.path || string(got.Body) != row.body {
			t.Errorf("%s: the finding shows %s %s; %s %s is wanted", row.deviation, got.Path, got.Body, row.path, row.body)
		}
	}
}

// TestARowThatMayBeRefusedIsTakenApart: what else it has is shown all the same.
func TestARowThatMayBeRefusedIsTakenApart(t *testing.T) {
	for _, row := range []struct {
		freedom, deviation string
		breaks             spec.ID
	}{
		{"categories-checked-422", "name-nan-as-null", "CREATE-3"},
		{"categories-checked-422", "name-in-capitals-fails", "CREATE-1"},
		{"unknown-members-refused", "name-proto-fails", "CREATE-1"},
	} {
		r, rec := against(t, proof.Service{Freedoms: []string{row.freedom}, Deviations: []string{row.deviation}})
		if named := r.Failed(spec.Must); !slices.Contains(named, row.breaks) {
			t.Errorf("%s and %s: %v is named, in %d requests; %s is wanted", row.freedom, row.deviation, named, len(rec.Exchanges), row.breaks)
		}
	}
}

// byCase stands in front of a service and knows one header in one case only.
type byCase struct {
	name string
	next http.RoundTripper
}

func (f byCase) RoundTrip(req *http.Request) (*http.Response, error) {
	in := req.Clone(req.Context())
	maps.DeleteFunc(in.Header, func(name string, _ []string) bool { return name != f.name && strings.EqualFold(name, f.name) })
	return f.next.RoundTrip(in)
}

// TestNamesOfHeadersInLowerCase: a handler of net/http does not learn in which case a name was sent, so that no deviation has this fault.
func TestNamesOfHeadersInLowerCase(t *testing.T) {
	for name, breaks := range map[string]spec.ID{"Authorization": "AUTH-1", "Content-Type": "CREATE-1"} {
		r, rec := against(t, proof.Service{Freedoms: []string{"media-type-required"}, Animals: 1,
			Through: func(service http.RoundTripper) http.RoundTripper { return byCase{name, service} }})
		if named := r.Failed(spec.Must); !slices.Equal(named, []spec.ID{breaks}) {
			t.Errorf("%s: %v is named; %s is wanted", name, named, breaks)
		}
		for _, c := range r.Checks {
			for _, f := range c.Findings {
				if sent := rec.Exchanges[f.Exchange-1].Request.Header; sent.Get("User-Agent") != "" {
					t.Errorf("%s: the finding shows a request with %v", name, sent)
				}
			}
		}
	}
}

// TestWhatWasCreatedIsNotLeftBehind: getPet shows each animal with another id, or each has a twin. In one run of some one animal has the
// name "null", which a refused createPet may have left behind.
func TestWhatWasCreatedIsNotLeftBehind(t *testing.T) {
	each(t, []string{"get-answers-another-id", "store-adds-two"}, strings.Clone, func(t *testing.T, deviation string) {
		for seed := range uint64(long.Times(t, 5, 30)) {
			r, _ := against(t, proof.Service{Deviations: []string{deviation}, Seed: 1 + seed})
			if named := r.Failed(spec.Must); slices.Contains(named, "CREATE-12") || len(named) == 0 {
				t.Errorf("seed %d: %v; CREATE-12 is not wanted:\n%s", 1+seed, named, textOf(r, "CREATE-12"))
			}
		}
	})
}

// reachedElsewhere are checks and rules that catch nothing here, with the reason why they stay.
var reachedElsewhere = map[string]string{
	"retry-after":       "a quick run meets no 429; the load matrix does",
	"retried-is-served": "a quick run meets no 429; TestRetried of the rules has its cases",
	"remaining-later":   "it sends what the rule remaining-falls compares",
	"openapi-document":  "it speaks only where no other rule does; TestTheDocumentAgainstTheRules holds it against them",
	"list-at-once":      "only a full run sends it",
}

func provesMusts() (ids []string) {
	add := func(id string, proves []spec.ID) {
		if slices.ContainsFunc(proves, func(id spec.ID) bool { r, _ := spec.TheLedger().Find(id); return r.Level == spec.Must }) {
			ids = append(ids, id)
		}
	}
	for _, c := range plan.All() {
		add(c.ID, c.Requirements())
	}
	for _, r := range rules.All() {
		add(r.ID, r.Proves)
	}
	return ids
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
	each(t, append(freedoms.All(), freedoms.AtRest()...), func(f freedoms.Freedom) string { return f.Name }, func(t *testing.T, f freedoms.Freedom) {
		withinBudget(t, lawful(t, proof.Service{Freedoms: []string{f.Name}}))
	})
}

// atRest are freedoms of which a should is told: a check can't see whether limits apply, so that a Remaining that stands
// still is told.
var atRest = map[string]spec.ID{"limits-apply-elsewhere": "RATE-23"}

func lawful(t *testing.T, s proof.Service) *exchange.Recording {
	t.Helper()
	r, rec := against(t, s)
	if holds := r.Part != nil && r.Part.Holds; r.Verdict != verdict.Conforms && !(s.ReadOnly && holds) {
		t.Errorf("a lawful service gets %q: %v", r.Verdict, r.Reasons)
	}
	for _, id := range r.Failed(spec.Must, spec.Should) {
		if len(s.Freedoms) != 1 || atRest[s.Freedoms[0]] != id {
			t.Errorf("%s is named:\n%s", id, textOf(r, id))
		}
	}
	return rec
}

// TestThePlainServiceConforms in stores of several sizes and on every plan, the smallest of which needs a wait.
func TestThePlainServiceConforms(t *testing.T) {
	var services []proof.Service
	for _, animals := range []int{0, 1, 19, 20, 21, 80, 99, 100, 101, 250} {
		services = append(services, proof.Service{Animals: animals}, proof.Service{Animals: animals, ReadOnly: true})
	}
	for _, plan := range []spec.Plan{spec.Free, spec.Pro, spec.Business} {
		services = append(services, proof.Service{Plan: plan}, proof.Service{Plan: plan, Concurrency: 1}, proof.Service{Plan: plan, Concurrency: 64})
	}
	for _, latency := range []time.Duration{300 * time.Millisecond, time.Second, 3 * time.Second} {
		services = append(services, proof.Service{Latency: latency}, proof.Service{Latency: latency, Concurrency: 1, Plan: spec.Pro})
	}
	name := func(s proof.Service) string {
		return fmt.Sprintf("%d animals, %s, %d at a time, read-only %t, latency %s", s.Animals, s.Plan.Name, s.Concurrency, s.ReadOnly, s.Latency)
	}
	each(t, services, name, func(t *testing.T, s proof.Service) {
		for _, x := range lawful(t, s).Exchanges {
			if x.Limited() {
				t.Errorf("exchange %d was answered 429: the run did not pace itself", x.N)
			}
		}
	})
}

// TestEachMustHasADeviation finds the gaps: a must that a run can reach and that no deviation breaks.
func TestEachMustHasADeviation(t *testing.T) {
	broken := map[spec.ID]bool{}
	for _, d := range deviations.All() {
		for _, id := range d.Breaks {
			broken[id] = true
		}
	}
	for _, r := range spec.TheLedger().Requirements {
		if r.Level == spec.Must && !r.Proof.Beyond() && r.Proof != spec.ByNet && !broken[r.ID] {
			t.Errorf("no deviation breaks %s: %s", r.ID, r.Statement)
		}
	}
}
