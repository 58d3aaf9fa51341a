package conformance_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"petconform/conformance"
)

// TestAHandler is what somebody else's test of a handler looks like. TestTheFrontDoor runs it with a deviation.
func TestAHandler(t *testing.T) {
	var deviations []string
	if d := os.Getenv("PETCONFORM_TEST_DEVIATION"); d != "" {
		deviations = append(deviations, d)
	}
	service, key := handler(deviations...)
	conformance.Test(t, conformance.Serving(service, key))
}

// TestTheFrontDoor: a deviating handler fails in the subtest that finds it, one subtest can be run alone, and a name that no
// subtest has is no success.
func TestTheFrontDoor(t *testing.T) {
	for _, c := range []struct {
		name, deviation, run string
		ok                   bool
		says                 []string
	}{
		{"a handler that conforms", "", "^TestAHandler$", true, []string{"--- PASS: TestAHandler/list-limit-default"}},
		{"one that deviates", "limit-defaults-to-10", "^TestAHandler$", false,
			[]string{"--- FAIL: TestAHandler/list-limit-default", "LIST-5 (Endpoints / listPets, limit)", "Expected: 20 animals", "Actual:   10 animals", "DEVIATES"}},
		{"one subtest", "", "^TestAHandler$/^list-limit-default$", true, []string{"PART: 1 of 89 checks and rules"}},
		{"one subtest that fails", "limit-defaults-to-10", "^TestAHandler$/^list-limit-default$", false, []string{"--- FAIL: TestAHandler/list-limit-default"}},
		{"a misspelt subtest", "", "^TestAHandler$/^list-limit-defalt$", false, []string{"nothing was selected"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run="+c.run)
			cmd.Env = append(os.Environ(), "PETCONFORM_TEST_DEVIATION="+c.deviation)
			out, err := cmd.CombinedOutput()
			if (err == nil) != c.ok {
				t.Errorf("%v; success %v is wanted", err, c.ok)
			}
			for _, s := range c.says {
				if !strings.Contains(string(out), s) {
					t.Errorf("%q is wanted in\n%s", s, out)
				}
			}
		})
	}
}
