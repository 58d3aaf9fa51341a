// Package freedoms is the table of what is free in the reference service: lawful variants that use what the interface
// leaves open.
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

// variants makes the rows of a group.
var variants = Table[Freedom]

func variant(name, says string, apply Change, notes ...Note[Freedom]) Row[Freedom] {
	return Row[Freedom]{Of: Freedom{Name: name, Says: says, apply: apply}, Notes: notes}
}

func open(all ...string) Note[Freedom] { return func(f *Freedom) { f.Open = all } }
func part(name string) Note[Freedom]   { return func(f *Freedom) { f.Part = name } }

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
