package run_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/verdict"
)

// maintenances are what a target answers that is taken down for longer than a run waits.
var maintenances = map[string]func(*http.Request) (*http.Response, error){
	"503 for an hour": gateway(503, "text/plain", "maintenance", "Retry-After", "3600"),
	"502":             gateway(502, "text/html", "<h1>Bad Gateway</h1>"),
	"refused":         func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNREFUSED },
	"reset":           func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNRESET },
	"closed":          func(*http.Request) (*http.Response, error) { return nil, io.EOF },
}

// begins runs against a target that is taken down before it answers its request from, while others are in flight.
func begins(t *testing.T, deep bool, deviations []string, answer func(*http.Request) (*http.Response, error), from int) verdict.Results {
	t.Helper()
	r, took := duringOutage(t, deviations, &outage{answer: answer, deep: deep, delays: rand.New(rand.NewPCG(uint64(from), 1)),
		down: func(n, _ int, _ spec.Operation, _ time.Duration) bool { return n >= from }})
	if took > 6*time.Minute {
		t.Errorf("the run took %s; --max-wait is 5 min", took)
	}
	return r
}

// TestAMaintenanceThatBegins: what came in an outage that the run could not wait out is not judged, whichever request
// it begins with and whatever was in flight.
func TestAMaintenanceThatBegins(t *testing.T) {
	step := 40 / long.Times(t, 5, 40)
	for name, answer := range maintenances {
		for _, deep := range []bool{false, true} {
			for from := 1; from <= 40; from += step {
				if deep && from%8 != 0 { // a full run begins with the same requests
					continue
				}
				t.Run(fmt.Sprintf("%s from request %d, full: %t", name, from, deep), func(t *testing.T) {
					t.Parallel()
					r := begins(t, deep, nil, answer, from)
					told := strings.Contains(r.Reasons.String(), "the target has an outage")
					if from == 1 { // nothing was ever there
						told = strings.Contains(r.Reasons.String(), "there is no service to judge")
					} else if failed := failedOf(r); len(failed) > 0 {
						t.Errorf("%v are accused", failed)
					}
					if r.Verdict != verdict.NoVerdict || !told {
						t.Errorf("%s, %v; no verdict for an outage is wanted", r.Verdict, r.Reasons)
					}
				})
			}
		}
	}
}

// TestAMaintenanceHidesNoDeviation: a service that was seen to deviate before deviates, and in nothing else.
func TestAMaintenanceHidesNoDeviation(t *testing.T) {
	step := 40 / long.Times(t, 5, 40)
	for name, answer := range maintenances {
		for from := 2; from <= 40; from += step {
			t.Run(fmt.Sprintf("%s from request %d", name, from), func(t *testing.T) {
				t.Parallel()
				r := begins(t, false, []string{"rate-limit-word"}, answer, from)
				if failed := failedOf(r); r.Verdict != verdict.Deviates || !slices.Equal(failed, []spec.ID{"RATE-2"}) {
					t.Errorf("%s, %v; RATE-2 alone is wanted", r.Verdict, r.Reasons)
				}
			})
		}
	}
}

// TestAnOperationThatFailsLast is no outage of the target: a run that ends with it shows that others are answered.
func TestAnOperationThatFailsLast(t *testing.T) {
	for check, fails := range map[string]spec.Operation{
		"auth-missing-create": spec.CreatePet, "create-name-missing": spec.CreatePet, "get-unknown": spec.GetPet, "get-existing": spec.GetPet,
	} {
		for _, name := range []string{"503 for an hour", "502"} {
			r, _ := duringOutage(t, nil, &outage{answer: maintenances[name],
				down: func(_, _ int, op spec.Operation, _ time.Duration) bool { return op == fails }}, check)
			if failed := failedOf(r); r.Verdict != verdict.Deviates || len(failed) != 1 || len(r.Warnings) > 0 {
				t.Errorf("%s of %s: %s, %v, %v; one requirement and no outage are wanted", name, check, r.Verdict, failed, r.Warnings)
			}
		}
	}
}

func failedOf(r verdict.Results) []spec.ID {
	var failed []spec.ID
	for _, q := range r.Requirements {
		if q.Verdict == verdict.Failed {
			failed = append(failed, q.ID)
		}
	}
	return failed
}
