// Package freedoms is the table of what is free in the reference service: lawful variants that use what the interface leaves open.
package freedoms

import (
	"fmt"
	"slices"

	. "petconform/spec/reference/internal/behaviour"
)

// Freedom is a lawful variant that can be switched on: the service differs and still keeps the interface.
type Freedom struct {
	// Name is in kebab case and never changes.
	Name string
	// Open are the requirements of level open, or the clauses and standards, that allow the variant.
	Open []string
	// Says is how the service differs.
	Says string
	// Part names the part of the service that differs. Two freedoms of one part exclude each other.
	Part string

	apply Change
}

// aVariant is a row of a table: a freedom that lacks what its group has.
type aVariant struct {
	Freedom
	notes []variantNote
}

// variantNote sets a field of a freedom.
type variantNote func(*Freedom)

func variant(name, says string, apply Change, notes ...variantNote) aVariant {
	return aVariant{Freedom{Name: name, Says: says, apply: apply}, notes}
}

// variants gives each row the notes of its group. A note of the row itself counts more.
func variants(notes ...variantNote) func(rows ...aVariant) []Freedom {
	return func(rows ...aVariant) []Freedom {
		all := make([]Freedom, len(rows))
		for i, row := range rows {
			all[i] = row.Freedom
			for _, note := range slices.Concat(notes, row.notes) {
				note(&all[i])
			}
		}
		return all
	}
}

func open(all ...string) variantNote { return func(f *Freedom) { f.Open = all } }
func part(name string) variantNote   { return func(f *Freedom) { f.Part = name } }

// All lists every freedom, in a fixed order.
func All() []Freedom {
	return slices.Concat(storeRows, bodyRows, createRows, readRows, wireRows, rateRows, elsewhereRows)
}

// AtRest lists the freedoms that a load run contradicts, since it is asked to confirm that the limits apply.
func AtRest() []Freedom { return restRows }

// Pairs lists every two freedoms of different parts.
func Pairs() [][2]Freedom {
	all := All()
	var pairs [][2]Freedom
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.Part != b.Part {
				pairs = append(pairs, [2]Freedom{a, b})
			}
		}
	}
	return pairs
}

// Apply switches freedoms on by their names, at most one of each part.
func Apply(b *Behaviour, names []string) error {
	taken := map[string]string{}
	known := append(All(), restRows...)
	for _, name := range names {
		f, err := ByName("freedom", name, known, func(f Freedom) string { return f.Name })
		if err != nil {
			return err
		}
		if other := taken[f.Part]; other != "" {
			return fmt.Errorf("the freedoms %s and %s both change the %s; use one of them", other, name, f.Part)
		}
		taken[f.Part] = name
	}
	// In the order of the table: a body is compressed after it was written in another way.
	for _, f := range known {
		if taken[f.Part] == f.Name {
			f.apply(b)
		}
	}
	return nil
}
