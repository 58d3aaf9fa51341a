package compare

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"petconform/conformance/proof"
)

// TestNotTestedBefore: a failure that rests on a request which only one of the runs sent is not a change of the service; one that
// rests on a request which both sent is. The animals of the two runs have other ids.
func TestNotTestedBefore(t *testing.T) {
	quick, other := proof.Service{}, proof.Service{Seed: 3}
	full := proof.Service{Deep: true, Only: []string{"create-category-invalid", "create-status-invalid"}}
	sequences := proof.Service{Deep: true, Only: []string{"explore", "listing-served"}}
	for _, row := range []struct {
		name     string
		old, now proof.Service
		deviates []string // in both runs
		appears  []string // in the later one
		// The requirements of each kind; nil if there is none.
		failing, fixed, untested, notAgain []string
	}{
		{name: "full after quick", old: quick, now: full, deviates: []string{"category-false-accepted"}, untested: []string{"CREATE-9"}},
		{name: "quick after full", old: full, now: quick, deviates: []string{"category-false-accepted"}, notAgain: []string{"CREATE-9"}},
		{name: "another seed", old: quick, now: other, deviates: []string{"category-false-accepted"}},
		{name: "generated sequences", old: quick, now: sequences, deviates: []string{"deep-limit-64-refused"}, untested: []string{"LIST-3"}},
		{name: "changed, full after quick", old: quick, now: full, appears: []string{"status-false-accepted"}, failing: []string{"CREATE-10"}},
		{name: "changed, another seed", old: quick, now: other, appears: []string{"limit-defaults-to-19"}, failing: []string{"LIST-5"}},
		{name: "changed, of the animals", old: quick, now: quick, appears: []string{"get-sold-hidden"}, failing: []string{"GET-1"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.old.Deviations = row.deviates
			row.now.Deviations, row.now.Animals = slices.Concat(row.deviates, row.appears), 30
			d := Runs(run(t, row.old), run(t, row.now))
			for _, part := range []struct {
				name      string
				got, want []string
			}{{"newly failing", ids(d.Of(NewlyFailing)), row.failing}, {"fixed", ids(d.Of(Fixed)), row.fixed},
				{"not tested before", ids(d.Of(NotBefore)), row.untested}, {"not tested again", ids(d.Of(NotAgain)), row.notAgain}} {
				if !slices.Equal(part.got, part.want) {
					t.Errorf("%s: %q; %q is wanted", part.name, part.got, part.want)
				}
			}
		})
	}
}

// ran keeps the run of each service, since the rows share some.
var ran sync.Map

func run(t *testing.T, s proof.Service) (r Run) {
	t.Helper()
	name := fmt.Sprint(s)
	if kept, known := ran.Load(name); known {
		return kept.(Run)
	}
	synctest.Test(t, func(t *testing.T) {
		var err error
		if r.Results, r.Recording, err = proof.Against(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	})
	ran.Store(name, r)
	return r
}

func ids(all []Change) (ids []string) {
	for _, c := range all {
		ids = append(ids, string(c.ID))
	}
	return ids
}
