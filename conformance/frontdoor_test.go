package conformance_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"petconform/conformance"
	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec/verdict"
)

// TestAHandler is what somebody else's test of a handler looks like. TestTheFrontDoor runs it with a deviation.
func TestAHandler(t *testing.T) {
	var deviations []string
	if d := os.Getenv("PETCONFORM_TEST_DEVIATION"); d != "" {
		deviations = append(deviations, d)
	}
	service, key := handler(deviations...)
	if os.Getenv("PETCONFORM_TEST_KEY") == "refused" {
		key = "another-key"
	}
	cfg := conformance.Serving(service, key)
	cfg.Skip = strings.Fields(os.Getenv("PETCONFORM_TEST_SKIP"))
	conformance.Test(t, cfg)
}

// TestTheFrontDoor: a deviating handler fails in the subtest that finds it, one subtest can be run alone, and a name that no
// subtest has is no success.
func TestTheFrontDoor(t *testing.T) {
	for _, c := range []struct {
		name, deviation, run string
		ok                   bool
		says                 []string
		key                  string
	}{
		{"a handler that conforms", "", "^TestAHandler$", true, []string{"--- PASS: TestAHandler/list-limit-default"}, ""},
		{"one that deviates", "limit-defaults-to-10", "^TestAHandler$", false,
			[]string{"--- FAIL: TestAHandler/list-limit-default", "LIST-5 (Endpoints / listPets, limit)", "GET /pets, credential: key", "→ 200", "Expected: 20 animals",
				"Actual:   10 animals", "Hint:     Usually the default page size", "go test -run '^TestAHandler$/^list-limit-default$'", "DEVIATES", "go test -artifacts"}, ""},
		{"a name that is skipped and does not exist", "limit-defaults-to-10 SKIP LIST-99", "^TestAHandler$", false, []string{"LIST-99"}, ""},
		{"one that deviates, skipped", "list-categories-rounded SKIP LIST-10", "^TestAHandler$", true, []string{"PART HOLDS"}, ""},
		{"one subtest", "", "^TestAHandler$/^list-limit-default$", true, []string{"PART HOLDS"}, ""},
		{"one subtest that fails", "limit-defaults-to-10", "^TestAHandler$/^list-limit-default$", false, []string{"--- FAIL: TestAHandler/list-limit-default"}, ""},
		{"a misspelt subtest", "", "^TestAHandler$/^list-limit-defalt$", false, []string{"nothing was selected"}, ""},
		{"one subtest with a key that is refused", "", "^TestAHandler$/^list-limit-default$", false, []string{"NO VERDICT", "refuses the key"}, "refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run="+c.run)
			deviation, skip, _ := strings.Cut(c.deviation, " SKIP ")
			cmd.Env = append(os.Environ(), "PETCONFORM_TEST_DEVIATION="+deviation, "PETCONFORM_TEST_SKIP="+skip, "PETCONFORM_TEST_KEY="+c.key)
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

// fullDisk takes so many bytes and no more.
type fullDisk struct{ left int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.left {
		return 0, syscall.ENOSPC
	}
	d.left -= len(p)
	return len(p), nil
}

// TestAFullDisk: a run whose recording can't be written ends, says why, and makes no verdict, wherever the disk is full.
func TestAFullDisk(t *testing.T) {
	service, key := handler()
	for left := 600; left < 60_000; left += 3_000 {
		cfg := conformance.Serving(service, key)
		cfg.Recording = &fullDisk{left}
		rec, err := run.Send(t.Context(), cfg)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%d bytes: %v is wanted, not %v", left, syscall.ENOSPC, err)
		}
		if rec == nil {
			continue
		}
		if r := judge.Recording(rec); r.Verdict != verdict.NoVerdict || !strings.Contains(r.Reasons.String(), "could not be written") {
			t.Errorf("%d bytes: no verdict is wanted, not %s: %v", left, r.Verdict, r.Reasons)
		}
	}
}

// TestAStopIsTold: a recording that says that there was no service to judge, where there was one, is of a run that was stopped.
func TestAStopIsTold(t *testing.T) {
	rec, err := run.Send(t.Context(), conformance.Serving(handler()))
	if err != nil {
		t.Fatal(err)
	}
	if r := judge.Recording(rec); r.Verdict != verdict.Conforms {
		t.Fatalf("%s: %v", r.Verdict, r.Reasons)
	}
	rec.End.Stopped, rec.End.NoTarget = "enough", true
	if r := judge.Recording(rec); r.Verdict != verdict.NoVerdict || r.NothingJudged() || !strings.Contains(r.Reasons.String(), "the run was aborted: enough") {
		t.Errorf("no verdict is wanted, because of the stop, not %s: %v", r.Verdict, r.Reasons)
	}
}
