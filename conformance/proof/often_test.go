package proof_test

import (
	"slices"
	"strings"
	"testing"

	"petconform/spec/verdict"
)

// nowAndThen are deviations that show on some of like requests, whatever is sent.
var nowAndThen = strings.Fields(`list-every-third-empty list-every-fifth-empty list-every-third-without-new get-every-third-unknown
	list-fails-while-creating get-fails-now-and-then closed-now-and-then rate-none-now-and-then auth-one-of-three-checks-nothing auth-valid-key-refused-now-and-then
	create-fails-after-twelve-refusals auth-valid-key-refused-after-401`)

// seldom are deviations of which a run may meet too few to say how often they show.
var seldom = strings.Fields(`auth-one-of-three-checks-nothing list-every-tenth-empty create-fails-now-and-then rate-none-now-and-then get-of-one-replica-removed get-of-one-replica-gone
	filter-after-limit-by-one-replica`)

// holdOften holds a finding to saying how often it shows, if that is not always, and to nothing of the kind otherwise.
func holdOften(t *testing.T, deviation string, r verdict.Results) {
	t.Helper()
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			known := slices.Contains(nowAndThen, deviation)
			if f.Often != "" && !known && !slices.Contains(seldom, deviation) {
				t.Errorf("%s: %s is told as %q", c.ID, f.Requirement, f.Often)
			}
			if f.Often == "" && known && !slices.Contains(seldom, deviation) && slices.Contains(r.Failed("must"), f.Requirement) {
				t.Errorf("%s: %s does not say how often it shows", c.ID, f.Requirement)
			}
		}
	}
}
