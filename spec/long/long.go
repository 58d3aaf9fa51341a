// Package long keeps `go test ./...` short. A test that has a matrix runs the first row of each kind, where a kind is what
// the matrix proves once: a requirement, a check, a freedom, a promise. PETCONFORM_LONG=1 runs all rows, and the tests that
// have no short form. .ci/run sets it.
package long

import (
	"os"
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

// Rows chooses the rows that a test runs: each that has a kind which none before it has. The order stays.
func Rows[T any](t testing.TB, all []T, kinds func(T) []string) (some []T) {
	t.Helper()
	if Wanted() {
		return all
	}
	met := map[string]bool{}
	for _, row := range all {
		before := len(met)
		for _, k := range kinds(row) {
			met[k] = true
		}
		if len(met) > before {
			some = append(some, row)
		}
	}
	t.Logf("LEFT OUT: %d of %d rows, which prove what the others do. %s=1 runs them.", len(all)-len(some), len(all), variable)
	return some
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

// Times returns how often a test repeats something.
func Times(t testing.TB, short, long int) int {
	t.Helper()
	if Wanted() {
		return long
	}
	t.Logf("LEFT OUT: %d of %d times. %s=1 runs them.", long-short, long, variable)
	return short
}
