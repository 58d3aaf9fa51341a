package cause_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"petconform/conformance/explore"
	"petconform/conformance/proof"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/reports/cause"
	"petconform/reports/rerun"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
	"petconform/spec/verdict"
)

// several are the deviations that show as more than one cause, with the reason.
var several = map[string]string{
	"json-lines":               "a listing of one animal is a JSON value that is no array, and one of two is no JSON value",
	"closed-now-and-then":      "it breaks off on any operation, and the run meets it on one, two or more",
	"cut-short-on-errors":      "it breaks off on any operation, and the run meets it on one or two before it stops",
	"json-backslash-unescaped": "a backslash and the letter after it are another character, or no JSON",
	"json-latin1":              "a letter that Latin-1 does not have becomes another one, and the others are not UTF-8",
	"pet-only-id-on-201":       "each member that a 201 lacks has a requirement of its own",
}

// explored are deviations that the generated sequences of a run find too.
var explored = []string{"auth-no-key-accepted", "auth-key-prefix-accepted", "auth-invalid-key-403", "get-every-third-unknown", "get-miss-remembered"}

// seed is the whole run's, and another that of a command that names none.
const seed, another = run.DefaultSeed, run.DefaultSeed

// TestADeviationIsOneCause: what one fault of the service breaks is told once, and the command that the cause ends with shows it again,
// against a service that has just begun.
func TestADeviationIsOneCause(t *testing.T) {
	all := slices.DeleteFunc(deviations.All(), func(d deviations.Deviation) bool {
		return !slices.Contains([]deviations.Need{deviations.Standard, deviations.Animals, deviations.Full}, d.Needs)
	})
	broken := func(d deviations.Deviation) []string { // whatever the run, since a full one takes as long as eight others
		return strings.Fields(strings.Trim(fmt.Sprint(d.Breaks), "[]"))
	}
	for _, d := range long.Rows(t, all, broken) {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				causes := shownAgain(t, d, seed)
				copied := func(c cause.Cause) bool { return strings.Contains(c.Title, "is a copy of") }
				if slices.ContainsFunc(causes, copied) && !strings.Contains(d.Name, "cached") {
					t.Errorf("%q, and no cache is at fault", causes[0].Title)
				}
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

// TestGeneratedSequencesShowTheSameCause: what generated sequences find too is told once.
func TestGeneratedSequencesShowTheSameCause(t *testing.T) {
	for _, name := range explored {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				causes := cause.Of(against(t, proof.Service{Deviations: []string{name}, Seed: seed, Concurrency: 1, Explore: 300}))
				if len(causes) != 1 || !causes[0].Shows(explore.CheckID) {
					t.Errorf("%d causes; one is wanted, which %s shows too", len(causes), explore.CheckID)
					for _, c := range causes {
						t.Logf("%s: %v in %v", c.Title, c.Requirements, c.Checks())
					}
				}
			})
		})
	}
}

// TestASeedIsNamedWhereItMatters: what another seed may not send is shown again with the seed of the run.
func TestASeedIsNamedWhereItMatters(t *testing.T) {
	for _, d := range long.Deviations(t, deviations.All()) {
		if d.Needs != deviations.Varied {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				for s := range uint64(20) {
					if len(shownAgain(t, d, 100+s)) > 0 {
						return
					}
				}
				t.Error("no seed names it")
			})
		})
	}
}

// shownAgain makes a whole run, and one with the command of each of its causes, which it returns.
func shownAgain(t *testing.T, d deviations.Deviation, seed uint64) []cause.Cause {
	t.Helper()
	whole := against(t, proof.Service{Deviations: []string{d.Name}, Seed: seed, Deep: d.Needs == deviations.Full})
	return again(t, whole, checked(t), d.Name)
}

// again runs the command of each cause, which it returns, against the service with the deviation, where it has to show the cause. Once the
// fault is mended, the same command holds and exits with 0.
func again(t *testing.T, whole verdict.Results, run func(string, ...string) verdict.Results, deviation string) []cause.Cause {
	t.Helper()
	causes := cause.Of(whole)
	for _, c := range causes {
		shows := func(line string) bool {
			return slices.ContainsFunc(run(line, deviation).Failed(spec.Must), func(id spec.ID) bool {
				return slices.ContainsFunc(c.Places, func(p cause.Place) bool { return p.Finding.Requirement == id })
			})
		}
		alone := func(p cause.Place) bool { return shows(strings.Join(rerun.Check(whole, p.Alone()), " ")) }
		sometimes := slices.ContainsFunc(c.Places, func(p cause.Place) bool { return p.Finding.Often != "" })
		line, first := strings.Join(rerun.Check(whole, c.Again()...), " "), c.Places[0].Finding
		t.Log(line)
		// A few requests to a service that has just begun may miss what shows now and then: other checks send others, and who
		// mends it runs the line again.
		if !shows(line) && (!sometimes || !slices.ContainsFunc(slices.Concat(c.Places, c.Places), alone)) {
			t.Errorf("%s: %s does not show %s again", c.Title, line, first.Requirement)
		}
		in := reports.Input{Results: run(line), Scanned: true}
		in.Policy.AcceptPart = strings.HasSuffix(line, " --accept-part")
		if out := reports.Weigh(in).Decision; out.Code != verdict.ExitConforms {
			t.Errorf("%s: after the mend, %s exits with %d: %s %v", c.Title, line, out.Code, out.Headline, in.Results.Reasons)
		}
	}
	return causes
}

// checked makes the run of a command line.
func checked(t *testing.T) func(string, ...string) verdict.Results {
	return func(line string, deviations ...string) verdict.Results {
		return against(t, service(line, deviations...))
	}
}

func against(t *testing.T, s proof.Service) verdict.Results {
	t.Helper()
	r, _, err := proof.Against(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// service reads a command line.
func service(line string, deviations ...string) proof.Service {
	s := proof.Service{Deviations: deviations, Seed: another}
	words := strings.Fields(line)
	for i, w := range words[:len(words)-1] {
		switch w {
		case "--only":
			s.Only = strings.Split(words[i+1], ",")
		case "--seed":
			s.Seed, _ = strconv.ParseUint(words[i+1], 10, 64)
		case "--explore":
			s.Explore, _ = strconv.Atoi(words[i+1])
		case "--deep":
			s.Deep = true
		}
	}
	return s
}
