package checks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"petconform/conformance/checks"
	"petconform/spec"
	"petconform/spec/rules"
)

// published are the last ids of each group at the last release. An id never changes and never vanishes: results, waivers and
// histories refer to it.
var published = map[string]int{
	"SERVICE": 6, "PET": 5, "LIST": 16, "CREATE": 22, "GET": 8, "ORDERS": 1, "AUTH": 9, "ERROR": 7, "RATE": 23, "EVENTS": 1, "VERSION": 2, "CLIENT": 16,
}

func TestNoPublishedIDVanishes(t *testing.T) {
	for group, last := range published {
		for i := 1; i <= last; i++ {
			if !known(group, i) {
				t.Errorf("%s-%d is gone from the ledger", group, i)
			}
		}
	}
	for _, r := range slices.Concat(spec.TheLedger().Requirements, spec.TheLedger().Clients) {
		group, number, _ := strings.Cut(string(r.ID), "-")
		if i, err := strconv.Atoi(number); err != nil || i > 1 && !known(group, i-1) {
			t.Errorf("%s does not follow %s-%d; a new requirement has the next number of its group", r.ID, group, i-1)
		}
	}
}

func known(group string, i int) bool {
	_, ok := spec.TheLedger().Find(spec.ID(group + "-" + strconv.Itoa(i)))
	return ok
}

// TestEveryCheckIsInTheCatalogue: a check that stands in a file and not in catalogue.go would never be sent.
func TestEveryCheckIsInTheCatalogue(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range checks.All() {
		listed[c.ID] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	literal, found := regexp.MustCompile(`\bID: +"([a-z0-9-]+)"`), 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllStringSubmatch(string(data), -1) {
			if found++; !listed[m[1]] && !strings.HasSuffix(m[1], "-") && !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s has the check %s, and catalogue.go does not list it", name, m[1])
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d checks were found in the files", found)
	}
}

// TestTheLedgerAndTheChecksAgree finds a statement that claims a proof that nothing gives, and a check that proves what the
// ledger does not know or says is proved otherwise.
func TestTheLedgerAndTheChecksAgree(t *testing.T) {
	byCheck, byRule := map[spec.ID][]string{}, map[spec.ID][]string{}
	ids := map[string]bool{}
	add := func(id string, proves []spec.ID, proved map[spec.ID][]string) {
		if ids[id] {
			t.Errorf("two checks or rules are called %s", id)
		}
		ids[id] = true
		for _, p := range proves {
			if _, ok := spec.TheLedger().Find(p); !ok {
				t.Errorf("%s proves %s, which the ledger does not know", id, p)
			}
			proved[p] = append(proved[p], id)
		}
	}
	for _, c := range checks.All() {
		add(c.ID, c.Requirements(), byCheck)
	}
	for _, r := range rules.All() {
		add(r.ID, r.Proves, byRule)
	}
	count := map[spec.Level]int{}
	for _, r := range spec.TheLedger().Requirements {
		count[r.Level]++
		is := spec.ByNothing
		switch {
		case len(byCheck[r.ID]) > 0:
			is = spec.ByCheck
		case len(byRule[r.ID]) > 0:
			is = spec.ByRule
		case r.Proof == spec.ByLoad, r.Proof == spec.ByTwo:
			is = r.Proof // load and reports/compare have tests of their own
		}
		if r.Proof == spec.ByNet && slices.Equal(byRule[r.ID], []string{"openapi-document"}) {
			is = spec.ByNet
		}
		if is != r.Proof {
			t.Errorf("the ledger says that %s is proved by: %s; checks %v and rules %v prove it, so it is: %s", r.ID, r.Proof, byCheck[r.ID], byRule[r.ID], is)
		}
	}
	t.Logf("%d musts, %d shoulds, %d open; %d checks and %d rules", count[spec.Must], count[spec.Should], count[spec.Open],
		len(checks.All()), len(rules.All()))
}

// TestEveryCheckIsComplete holds what the runner relies on.
func TestEveryCheckIsComplete(t *testing.T) {
	var ids []string
	for _, c := range checks.All() {
		ids = append(ids, c.ID)
	}
	for _, c := range checks.All() {
		if c.Title == "" || (c.Judge == nil) != (c.Proves == "") || c.Send == nil && c.Further == nil && !c.Reads || c.Creates > c.Requests {
			t.Errorf("%s lacks a title, a judge, what it proves, or what it sends", c.ID)
		}
		for _, id := range slices.Concat(c.Needs, c.After) {
			if !slices.Contains(ids, id) {
				t.Errorf("%s comes after %s, which is no check", c.ID, id)
			}
		}
	}
}
