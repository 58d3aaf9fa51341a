package cause_test

import (
	"context"
	"os"
	"testing"
	"testing/synctest"

	"petconform/conformance/proof"
	"petconform/reports/cause"
)

// stride picks every so many of the deviations for an everyday run; PETCONFORM_ALL_PAIRS=1 takes them all.
const stride = 5

// several are the deviations that show as more than one cause, with the reason.
var several = map[string]string{
	"json-lines":          "a listing of one animal is a JSON value that is no array, and one of two is no JSON value",
	"closed-now-and-then": "it breaks off on any operation, and the run meets it on one, two or more",
	"pet-only-id-on-201":  "each member that a 201 lacks has a requirement of its own",
}

// TestADeviationIsOneCause: what one fault of the service breaks is told once.
func TestADeviationIsOneCause(t *testing.T) {
	for i, d := range proof.Standard() {
		if i%stride != 0 && several[d.Name] == "" && os.Getenv("PETCONFORM_ALL_PAIRS") == "" {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r, _, err := proof.Against(context.Background(), proof.Service{Deviations: []string{d.Name}})
				if err != nil {
					t.Fatal(err)
				}
				causes := cause.Of(r)
				if len(causes) == 0 || len(causes) > 1 && several[d.Name] == "" {
					t.Errorf("%d causes; one is wanted", len(causes))
					for _, c := range causes {
						t.Logf("%s: %v in %v", c.Title, c.Requirements, c.Checks())
					}
				}
			})
		})
	}
}
