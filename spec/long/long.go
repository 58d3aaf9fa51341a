// Package long keeps `go test ./...` short. A test that has a matrix runs the first row of each kind, where a kind is what
// the matrix proves once: a requirement, a check, a freedom, a promise. PETCONFORM_LONG=1 runs all rows, and the tests that
// have no short form. .ci/run sets it.
package long

import (
	"os"
	"slices"
	"testing"

	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
)

const variable = "PETCONFORM_LONG"

// Wanted reports whether all rows run.
func Wanted() bool { return os.Getenv(variable) != "" }

// Only skips a test that has no short form. Why is what it would take.
func Only(t testing.TB, why string) {
	t.Helper()
	if !Wanted() {
		t.Skipf("LEFT OUT: %s. %s=1 runs it.", why, variable)
	}
}

// Rows chooses the rows that a test runs. A row that has none of the kinds of the rows before it comes in first; then each
// that has a kind which is still missing. The order stays.
func Rows[T any](t testing.TB, all []T, kinds func(T) []string) []T {
	t.Helper()
	if Wanted() {
		return all
	}
	met, chosen := map[string]bool{}, make([]bool, len(all))
	choose := func(enough func(missing, kinds int) bool) {
		for i, row := range all {
			of := kinds(row)
			missing := slices.DeleteFunc(slices.Clone(of), func(k string) bool { return met[k] })
			if enough(len(missing), len(of)) {
				chosen[i] = true
			}
			for _, k := range of {
				met[k] = met[k] || chosen[i]
			}
		}
	}
	choose(func(missing, kinds int) bool { return missing == kinds })
	choose(func(missing, _ int) bool { return missing > 0 })
	var some []T
	for i, row := range all {
		if chosen[i] {
			some = append(some, row)
		}
	}
	t.Logf("LEFT OUT: %d of %d rows, which prove what the others do. %s=1 runs them.", len(all)-len(some), len(all), variable)
	return some
}

// Deviations chooses the first one for each requirement and each kind of run that meets it.
func Deviations(t testing.TB, all []deviations.Deviation) []deviations.Deviation {
	t.Helper()
	return Rows(t, all, Broken)
}

// Broken are the kinds of a deviation: what it breaks, in a run that meets it.
func Broken(d deviations.Deviation) []string {
	var kinds []string
	for _, id := range d.Breaks {
		kinds = append(kinds, string(d.Needs)+" "+string(id))
	}
	return kinds
}

// Freedoms chooses the first one for each clause that leaves something open.
func Freedoms(t testing.TB, all []freedoms.Freedom) []freedoms.Freedom {
	t.Helper()
	return Rows(t, all, func(f freedoms.Freedom) []string { return []string{f.Open} })
}

// Pairs chooses pairs of freedoms, so that each freedom is in one.
func Pairs(t testing.TB) [][2]freedoms.Freedom {
	t.Helper()
	return Rows(t, freedoms.Pairs(), func(p [2]freedoms.Freedom) []string { return []string{p[0].Name, p[1].Name} })
}

// Times returns how often a test repeats something.
func Times(t testing.TB, short, long int) int {
	t.Helper()
	if Wanted() {
		return long
	}
	t.Logf("LEFT OUT: %d of %d times. %s=1 runs them.", long-short, long, variable)
	return short
}
