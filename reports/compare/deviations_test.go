package compare

import (
	"context"
	"os"
	"slices"
	"testing"
	"testing/synctest"

	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference/deviations"
	"petconform/spec/verdict"
)

// stride picks every so many of the deviations for an everyday run; PETCONFORM_ALL_PAIRS=1 takes them all.
const stride = 20

// TestEachDeviationIsDrift: where a deviation breaks a must, the comparison with the plain reference service names that must and no other,
// whichever of the two is the first target. If the first one deviates, what a check meets is a finding, or there is no verdict, with the
// reason; if the second one does, the first one never deviates. What only a load, many seeds or generated sequences show is told by neither;
// -v lists these.
func TestEachDeviationIsDrift(t *testing.T) {
	whole := os.Getenv("PETCONFORM_ALL_PAIRS") != ""
	plain, recording := inBubble(t, proof.Service{})
	for i, d := range deviations.All() {
		if i%stride != 0 && !whole {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			other, there := inBubble(t, proof.Service{Deviations: []string{d.Name}})
			broken := decidedBy(plain, other.Failed(spec.Must))
			for place, r := range map[string]verdict.Results{"second": Targets(plain, recording, there), "first": Targets(other, there, recording)} {
				alike, told := requirement(t, r, proves), mustsTold(r)
				if !slices.Equal(told, broken) {
					t.Errorf("%s: the comparison names %v; %v are broken", place, told, broken)
				}
				meets := d.Needs == deviations.Standard || d.Needs == deviations.Animals
				switch {
				case place == "second" && (alike.Verdict == verdict.Failed || r.Verdict == verdict.Deviates):
					t.Errorf("second: %s is %s, the run %s: %v", proves, alike.Verdict, r.Verdict, r.Reasons)
				case place == "second" && alike.Verdict == verdict.Inconclusive:
					t.Logf("second: %s", alike.Reason)
				case place == "second":
				case alike.Verdict == verdict.Inconclusive && alike.Reason != "":
				case (alike.Verdict == verdict.Failed) != (len(broken) > 0):
					t.Errorf("%s: %s is %s, and %v are broken", place, proves, alike.Verdict, broken)
				case meets && alike.Verdict != verdict.Failed:
					t.Errorf("%s: %s is %s", place, proves, alike.Verdict)
				case text(r) == "  nothing\n":
					t.Logf("neither a finding nor a difference; needs: %s", d.Needs)
				}
			}
		})
	}
}

// mustsTold returns the musts that a comparison names.
func mustsTold(r verdict.Results) (ids []spec.ID) {
	for _, u := range r.Against.Requirements {
		if u.Level == spec.Must {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// decidedBy returns the requirements that hold in a run, of some.
func decidedBy(r verdict.Results, ids []spec.ID) (all []spec.ID) {
	for _, q := range r.Requirements {
		if q.Verdict == verdict.Passed && slices.Contains(ids, q.ID) {
			all = append(all, q.ID)
		}
	}
	return all
}

// inBubble makes a run in simulated time.
func inBubble(t *testing.T, s proof.Service) (r verdict.Results, rec *exchange.Recording) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		if r, rec, err = proof.Against(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	})
	return r, rec
}
