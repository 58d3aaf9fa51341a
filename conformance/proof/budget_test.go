package proof_test

import (
	"slices"
	"strings"
	"testing"

	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/verdict"
)

// everythingTaken are the deviations of a server that looks neither at keys nor at bodies.
var everythingTaken = []string{"name-not-required", "category-not-required", "name-number-accepted", "name-null-accepted", "name-array-accepted",
	"name-boolean-accepted", "name-object-accepted", "category-text-accepted", "category-boolean-accepted", "category-null-accepted", "category-array-accepted",
	"category-fraction-cut", "category-overflow-largest", "status-any-accepted", "status-number-accepted", "status-boolean-accepted", "status-array-accepted",
	"body-text-behind-ignored", "body-comments-ignored", "body-trailing-comma-ignored", "body-nan-as-0", "body-array-of-one-accepted",
	"auth-no-key-accepted", "auth-any-key-accepted", "auth-bare-key-accepted"}

// TestTheBudgetOfCreations: a server that takes everything uses up the creations, and every requirement has had its first request by then.
// What was given up is told.
func TestTheBudgetOfCreations(t *testing.T) {
	r, _ := against(t, proof.Service{Deviations: everythingTaken})
	if n := len(r.Created); n > mostCreates {
		t.Errorf("%d animals were created, at most %d are wanted", n, mostCreates)
	}
	named := r.Failed(spec.Must)
	for _, id := range []spec.ID{"CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10", "CREATE-11", "AUTH-2", "AUTH-3", "AUTH-4"} {
		if !slices.Contains(named, id) {
			t.Errorf("%s is not named", id)
		}
	}
	for _, q := range r.Requirements {
		if slices.Contains([]spec.ID{"CREATE-1", "CREATE-3", "CREATE-4", "CREATE-14", "CREATE-15"}, q.ID) && q.Verdict == verdict.NotRun {
			t.Errorf("%s did not run", q.ID)
		}
	}
	if !slices.ContainsFunc(r.Warnings, func(w string) bool {
		return strings.Contains(w, "did not send all cases: ") && strings.Contains(w, "create-body-invalid (")
	}) {
		t.Errorf("what was given up is not told: %v", r.Warnings)
	}
}
