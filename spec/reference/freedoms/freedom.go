// Package freedoms is the table of what is free in the reference service: lawful variants that use what the interface
// leaves open.
package freedoms

import (
	"fmt"

	. "petconform/spec/reference/internal/behaviour"
)

// Freedom is a lawful variant that can be switched on: the service differs and still keeps the interface.
type Freedom struct {
	Name string // in kebab case and never changes
	// Part names the part of the service that differs. Two freedoms of one part exclude each other.
	Part string
	// Open is the requirement of level open, or the clause or standard, that allows the variant.
	Open string
	Says string // how the service differs

	apply Change
}

// table collects freedoms: first a part of the service, and what leaves it open, then its variants.
type table struct {
	all        []Freedom
	name, open string
}

func (t *table) part(name, open string) { t.name, t.open = name, open }

func (t *table) variant(name, says string, changes ...Change) {
	t.all = append(t.all, Freedom{Name: name, Part: t.name, Open: t.open, Says: says, apply: Together(changes...)})
}

// refused is a variant that answers some requests, which are right, with a status.
func (t *table) refused(name, what string, status int, is When) {
	t.variant(name, fmt.Sprintf("%s is answered %d.", what, status), is.Refuse(status))
}

func made(rows ...func(*table)) []Freedom {
	var t table
	for _, add := range rows {
		add(&t)
	}
	return t.all
}

// All lists every freedom, in a fixed order.
func All() []Freedom {
	return made(storeRows, createRows, nameRows, readRows, bodyRows, headerRows, connectionRows, rateRows, elsewhereRows)
}

// AtRest lists the freedoms that a load run contradicts, since it is asked to confirm that the limits apply.
func AtRest() []Freedom { return made(restRows) }

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
	known := append(All(), AtRest()...)
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
