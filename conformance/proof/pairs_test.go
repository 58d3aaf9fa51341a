package proof_test

import (
	"slices"
	"testing"

	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference/freedoms"
	"petconform/spec/verdict"
)

// untellable are pairs in which no run can tell whether a refused request left an animal behind, with the reason.
var untellable = map[[2]string]string{
	{"ids-irregular", "many-animals"}:    "a new animal without a status is on a later page, whose way is not shown, and ids leave more gaps than a standard run asks for",
	{"ids-beyond-2-53", "many-animals"}:  "new animals are on a later page, and ids leave more gaps than a quick run asks for",
	{"many-animals", "others-create"}:    "new animals are on a later page, and ids between the run's own are of other clients, more than a quick run asks for",
	{"ids-with-gaps", "many-animals"}:    "new animals are on a later page, and ids leave more gaps than a quick run asks for",
	{"ids-near-the-end", "many-animals"}: "new animals are on a later page, and ids count down",
	{"ids-random", "many-animals"}:       "new animals are on a later page, whose way is not shown, and have ids that nobody can guess",
}

// atTimes are pairs of which a run may tell less than all, by the order in which the service takes simultaneous requests, with the reason.
var atTimes = map[[2]string]string{
	{"one-replica-lags", "others-come-and-go"}: "an animal of others that a listing lacks is gone, or one replica does not show it yet",
}

// TestPairsOfFreedomsConform: two liberties taken at once are still lawful.
func TestPairsOfFreedomsConform(t *testing.T) {
	ofEach := long.Rows(t, freedoms.Pairs(), func(p [2]freedoms.Freedom) []string { return []string{p[0].Name, p[1].Name} })
	each(t, ofEach, func(p [2]freedoms.Freedom) string { return p[0].Name + "+" + p[1].Name }, func(t *testing.T, p [2]freedoms.Freedom) {
		if names := [2]string{p[0].Name, p[1].Name}; untellable[names] != "" {
			r, _ := against(t, proof.Service{Freedoms: names[:]})
			if r.Verdict != verdict.NoVerdict || !slices.Equal(r.Inconclusive, []spec.ID{"CREATE-12", "AUTH-6"}) {
				t.Errorf("%s, %v could not be told; no verdict for CREATE-12 and AUTH-6 is wanted", r.Verdict, r.Inconclusive)
			}
			return
		}
		s := proof.Service{Freedoms: []string{p[0].Name, p[1].Name}}
		if atTimes[[2]string{p[0].Name, p[1].Name}] != "" {
			if r, _ := against(t, s); r.Verdict == verdict.Deviates || len(r.Failed(spec.Must, spec.Should)) > 0 {
				t.Errorf("a lawful service gets %q: %v", r.Verdict, r.Reasons)
			}
			return
		}
		lawful(t, s)
	})
}
