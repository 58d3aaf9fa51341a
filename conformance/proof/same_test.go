package proof_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"petconform/conformance/check"
	"petconform/conformance/checks"
	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/long"
	"petconform/spec/verdict"
)

// sameTwice are services with several deviations each.
var sameTwice = [][]string{
	{"error-page-on-400", "invalid-422"},
	{"name-not-required", "category-not-required", "status-any-accepted", "category-text-accepted", "name-number-accepted"},
	{"auth-no-key-accepted", "error-declared-text", "list-names-lower-case"},
	{"get-works-once", "miss-200-null", "error-bodiless-on-401"},
	{"filter-finds-nothing", "list-10-at-most", "rate-reset-past", "gateway-415-text"},
	{"create-namesakes-refused", "create-emoji-refused", "body-comments-ignored", "error-problem-on-400"},
	everythingTaken,
}

// createsRefused are the deviations of sameTwice that create what they have to refuse.
var createsRefused = map[string]bool{"name-not-required": true, "auth-no-key-accepted": true, "create-namesakes-refused": true}

// TestTheSameSeedTellsTheSame: with one request at a time, two runs with the same seed send the same requests and tell the same
// findings, word by word. With several at a time the service decides in which order it takes simultaneous requests: the numbers of
// exchanges, the ids of some animals and their order in a listing vary, and so may what a finding quotes of a response. Where it also
// creates what it has to refuse, all ids vary, and so may which animals are fetched, how many, and how many requests that leaves to
// the spare checks. The other requests, the findings and what they expect do not.
func TestTheSameSeedTellsTheSame(t *testing.T) {
	for _, deviations := range sameTwice {
		for _, concurrency := range []int{1, 8} {
			name := fmt.Sprintf("%s, %d at a time", strings.Join(deviations[:2], " and "), concurrency)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				words := func(s string) string { return s }
				if concurrency > 1 {
					words = func(s string) string { return digits.ReplaceAllString(s, "#") }
				}
				s := proof.Service{Deviations: deviations, Concurrency: concurrency, Seed: 11}
				fetches := concurrency == 1 || !createsRefused[deviations[0]]
				first, firstRec := against(t, s)
				second, secondRec := against(t, s)
				compare(t, "requests", sentBy(firstRec, words, fetches), sentBy(secondRec, words, fetches))
				compare(t, "findings", toldBy(first, words, concurrency == 1), toldBy(second, words, concurrency == 1))
				if len(first.Failed(spec.Must)) == 0 {
					t.Error("nothing was found, so nothing was compared")
				}
			})
		}
	}
}

// TestTenRunsTellTheSame: ten runs with the default seed give ten times the same verdict and name the same requirements.
func TestTenRunsTellTheSame(t *testing.T) {
	services := []proof.Service{{}, {Freedoms: refusals}, {Freedoms: []string{"replica-lags"}}, {Freedoms: []string{"ids-random"}, Animals: 150},
		{Deviations: []string{"name-boolean-accepted"}}, {Deviations: []string{"category-empty-text-accepted"}}}
	for _, deviations := range sameTwice {
		services = append(services, proof.Service{Deviations: deviations})
	}
	runs := long.Times(t, 3, 10)
	each(t, services, func(s proof.Service) string { return strings.Join(append(s.Deviations, s.Freedoms...), " and ") }, func(t *testing.T, s proof.Service) {
		var first string
		for n := range runs {
			r, _ := against(t, s)
			said := fmt.Sprint(r.Verdict, r.Failed(spec.Must, spec.Should))
			if n == 0 {
				first = said
			} else if said != first {
				t.Errorf("run %d says %s, the first one %s", n+1, said, first)
			}
		}
	})
}

var digits = regexp.MustCompile(`[0-9]+`)

func compare(t *testing.T, what string, first, second []string) {
	t.Helper()
	for i := range max(len(first), len(second)) {
		if i >= len(first) || i >= len(second) || first[i] != second[i] {
			t.Fatalf("%s differ at %d:\n%s\n%s", what, i, strings.Join(first[i:min(i+1, len(first))], ""), strings.Join(second[i:min(i+1, len(second))], ""))
		}
	}
}

func sentBy(rec *exchange.Recording, words func(string) string, fetches bool) []string {
	var all []string
	for _, x := range rec.Exchanges {
		spare := slices.ContainsFunc(checks.All(), func(c check.Check) bool { return c.ID == x.Check && c.Spare })
		if (x.Operation == spec.GetPet || spare) && !fetches {
			continue
		}
		all = append(all, words(fmt.Sprintf("%s %s: %s %s %s", x.Check, x.Step, x.Request.Method, x.Request.Path, x.Request.Body)))
	}
	slices.Sort(all)
	return all
}

// toldBy returns the warnings and findings. Those of requests that were sent side by side come in the order in which the service took
// them, so without quotes they are sorted.
func toldBy(r verdict.Results, words func(string) string, quotes bool) []string {
	all := slices.Clone(r.Warnings)
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			if !quotes {
				f.Actual = ""
			}
			all = append(all, words(fmt.Sprintf("%s %s %s: %s; expected %s; actual %s", c.ID, c.Verdict, f.Requirement, f.Message, f.Expected, f.Actual)))
		}
	}
	if !quotes {
		slices.Sort(all)
	}
	return all
}
