package proof_test

import (
	"slices"
	"strings"
	"testing"

	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/verdict"
)

// TestRetryAfterInMilliseconds: another client of the key brings the 429 that a run paces itself to avoid. RATE-5 is
// named, and not only that the run would have to wait for hours.
func TestRetryAfterInMilliseconds(t *testing.T) {
	s := proof.Service{Plan: spec.Free, Freedoms: []string{"others-use-the-key"}}
	r, _ := against(t, s)
	if named := r.Failed(spec.Must); len(named) > 0 {
		t.Errorf("a lawful service is said to break %v", named)
	}
	s.Deviations = []string{"retry-after-milliseconds"}
	r, _ = against(t, s)
	if named := r.Failed(spec.Must); !slices.Equal(named, []spec.ID{"RATE-5"}) || r.Verdict != verdict.Deviates {
		t.Errorf("%s, %v; RATE-5 alone is wanted: %v", r.Verdict, named, r.Reasons)
	}
	if text := textOf(r, "RATE-5"); !strings.Contains(text, "a thousand times") {
		t.Errorf("the finding is %q", text)
	}
}
