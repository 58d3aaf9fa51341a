package compare

import (
	"slices"
	"testing"

	"petconform/conformance/proof"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestNotTestedBefore: a failure that rests on a request which only one of the runs sent is not a change of the service; one that
// rests on a request which both sent is. The animals of the two runs have other ids.
func TestNotTestedBefore(t *testing.T) {
	quick, full, other := proof.Service{}, proof.Service{Deep: true}, proof.Service{Seed: 3}
	for _, row := range []struct {
		name     string
		old, now proof.Service
		deviates []string // in both runs
		appears  []string // in the later one
		// The checks of each part; nil if there is none.
		failing, fixed, untested, notAgain []string
	}{
		{name: "full after quick", old: quick, now: full, deviates: []string{"category-false-accepted"}, untested: []string{"create-category-invalid"}},
		{name: "quick after full", old: full, now: quick, deviates: []string{"category-false-accepted"}, notAgain: []string{"create-category-invalid"}},
		{name: "another seed", old: quick, now: other, deviates: []string{"category-false-accepted"}},
		{name: "generated sequences", old: quick, now: full, deviates: []string{"deep-limit-64-refused"}, untested: []string{"listing-served"}},
		{name: "changed, full after quick", old: quick, now: full, appears: []string{"status-false-accepted"}, failing: []string{"create-status-invalid"}},
		{name: "changed, another seed", old: quick, now: other, appears: []string{"limit-defaults-to-19"}, failing: []string{"list-limit-default"}},
		{name: "changed, of the animals", old: quick, now: quick, appears: []string{"get-sold-hidden"}, failing: []string{"get-existing"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.old.Deviations = row.deviates
			row.now.Deviations, row.now.Animals = slices.Concat(row.deviates, row.appears), 30
			old, then := run(t, row.old)
			now, today := run(t, row.now)
			d := Runs(old, now)
			d.SetApart(old, now, then, today)
			for _, part := range []struct {
				name      string
				got, want []string
			}{{"newly failing", ids(d.NewlyFailing), row.failing}, {"fixed", ids(d.Fixed), row.fixed},
				{"not tested before", ids(d.Untested), row.untested}, {"not tested again", ids(d.NotAgain), row.notAgain}} {
				if !slices.Equal(part.got, part.want) {
					t.Errorf("%s: %q; %q is wanted", part.name, part.got, part.want)
				}
			}
		})
	}
}

func run(t *testing.T, s proof.Service) (verdict.Results, *exchange.Recording) {
	t.Helper()
	results, rec, err := proof.Against(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return results, rec
}

func ids(all []Change) (ids []string) {
	for _, c := range all {
		ids = append(ids, c.Check)
	}
	return ids
}
