package run_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/conformance/proof"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/long"
	"petconform/spec/reference/freedoms"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// oneByOne makes a run whose checks are sent as their specs run, in a bubble of its own.
func oneByOne(t *testing.T, s proof.Service, labelled ...string) (r verdict.Results, rec *exchange.Recording) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cfg, err := s.Config()
		if err == nil {
			r, rec, err = run.OneByOne(context.Background(), cfg, labelled...)
		}
		noError(t, err)
	})
	return r, rec
}

// TestEachFreedomConformsOneByOne: a lawful service conforms too when each check is sent as its spec runs.
func TestEachFreedomConformsOneByOne(t *testing.T) {
	for _, f := range long.Freedoms(t, append(freedoms.All(), freedoms.AtRest()...)) {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			if r, _ := oneByOne(t, proof.Service{Freedoms: []string{f.Name}}); r.Verdict != verdict.Conforms {
				t.Errorf("a lawful service gets %q: %v", r.Verdict, r.Reasons)
			}
		})
	}
}

// TestEachRequirementAlone: a run of one requirement sends the few requests that it needs, and judges it.
func TestEachRequirementAlone(t *testing.T) {
	const most = 60 // AUTH-6 and CREATE-12 look for what 45 refused requests have left behind
	whole, _ := oneByOne(t, proof.Service{Animals: 30})
	for i, q := range spec.TheLedger().Requirements {
		if q.Proof == spec.ByLoad || q.Proof.Beyond() || whole.Requirements[i].Verdict == verdict.NotRun {
			continue
		}
		r, rec := oneByOne(t, proof.Service{Animals: 30}, string(q.ID))
		for _, got := range r.Requirements {
			if got.ID == q.ID && got.Verdict != whole.Requirements[i].Verdict {
				t.Errorf("%s alone is %s (%s), in a whole run %s", q.ID, got.Verdict, got.Reason, whole.Requirements[i].Verdict)
			}
		}
		if r.Requests > most {
			t.Errorf("%s alone costs %d requests; at most %d are wanted", q.ID, r.Requests, most)
		}
		if !rec.Meta.Filtered {
			t.Errorf("%s alone is not called a part", q.ID)
		}
	}
}

// TestWhatIsNotPlannedIsJudged: a whole run of which the failed check, or every rule, was taken out of the plan does not conform.
func TestWhatIsNotPlannedIsJudged(t *testing.T) {
	for deviation, taken := range map[string]func(id string) bool{
		"auth-basic-accepted": func(id string) bool { return id == "auth-scheme-get" },
		"rate-none-on-404": func(id string) bool {
			return slices.ContainsFunc(rules.All(), func(r rules.Rule) bool { return r.ID == id })
		},
	} {
		r, rec := oneByOne(t, proof.Service{Deviations: []string{deviation}})
		if r.Verdict != verdict.Deviates || rec.Meta.Filtered {
			t.Fatalf("%s: %s", deviation, r.Verdict)
		}
		rec.Meta.Planned = slices.DeleteFunc(rec.Meta.Planned, taken)
		if r := judge.Recording(rec); r.Verdict == verdict.Conforms {
			t.Errorf("%s: a recording whose plan was changed conforms", deviation)
		}
	}
}

// TestNothingToFill: in a store that has 21 animals create-fill sends nothing, so that it proves nothing.
func TestNothingToFill(t *testing.T) {
	r, _ := oneByOne(t, proof.Service{Animals: 30}, "create-fill")
	if r.Verdict != verdict.NoVerdict || r.Part == nil || !strings.HasPrefix(r.Counted(), "0 of ") || r.Part.Holds {
		t.Errorf("%s, %+v", r.Verdict, r.Part)
	}
}

// TestEachSampleIsAChecksName: every rule has samples, all of which are checks, and only what a rule proves has any.
func TestEachSampleIsAChecksName(t *testing.T) {
	known, proved := map[string]bool{}, map[spec.ID]bool{}
	for _, c := range plan.All() {
		known[c.ID] = true
	}
	for _, r := range judge.Rules() {
		if len(judge.OfRule(r).Sends) == 0 {
			t.Errorf("%s has no samples", r.ID)
		}
		for _, id := range r.Proves {
			proved[id] = true
		}
	}
	for _, r := range spec.TheLedger().Requirements {
		if len(r.Samples) > 0 && !proved[r.ID] {
			t.Errorf("%s has samples, and no rule proves it", r.ID)
		}
		for _, c := range r.Samples {
			if !known[c] {
				t.Errorf("the samples of %s name %s, which is not a check", r.ID, c)
			}
		}
	}
}

// TestUnwantedAnimalsAreMarked: an animal that was created without a name, by a request that has to be refused, is marked.
func TestUnwantedAnimalsAreMarked(t *testing.T) {
	r, rec := oneByOne(t, proof.Service{Deviations: []string{"name-not-required"}})
	marked := 0
	for _, c := range r.Created {
		by := rec.Exchanges[c.Exchange-1].Check
		if c.Unwanted != (by == "create-name-missing") {
			t.Errorf("animal %s, %q, created by %s: unwanted %v", c.ID, c.Name, by, c.Unwanted)
		}
		if c.Unwanted {
			marked++
		}
	}
	if marked == 0 {
		t.Error("no animal is marked")
	}
}

// TestAnswersToOthersShowNoListing: a next page that another operation names says nothing of a listing. A store of five
// animals, or of 20, does not show that a listing without a limit stops at 20.
func TestAnswersToOthersShowNoListing(t *testing.T) {
	linked := func(next http.RoundTripper) http.RoundTripper {
		return everything(func(r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			if err == nil && !strings.HasSuffix(r.URL.Path, "/pets") {
				resp.Header.Set("Link", `</v1/store/orders?page=2>; rel="next"`)
			}
			return resp, err
		})
	}
	for animals, want := range map[int]verdict.Verdict{5: verdict.NotRun, 20: verdict.NotRun, 21: verdict.Passed} {
		r, _ := against(t, proof.Service{Animals: animals, ReadOnly: true, Through: linked})
		for _, c := range r.Checks {
			if c.ID == "list-limit-default" && c.Verdict != want {
				t.Errorf("%d animals: list-limit-default is %s, %s; want %s", animals, c.Verdict, c.Evidence, want)
			}
		}
	}
}
