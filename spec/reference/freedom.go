package reference

import (
	"fmt"
	"slices"
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

	apply func(*behaviour)
}

// open lists what allows a freedom.
func open(all ...string) []string { return all }

// Freedoms lists every freedom, in a fixed order.
func Freedoms() []Freedom {
	return slices.Concat(storeFreedoms, bodyFreedoms, createFreedoms, readFreedoms, wireFreedoms, rateFreedoms, elsewhereFreedoms)
}

// FreedomsAtRest lists the freedoms that a load run contradicts, since it is asked to confirm that the limits apply.
func FreedomsAtRest() []Freedom { return restFreedoms }

// FreedomPairs lists every two freedoms of different parts.
func FreedomPairs() [][2]Freedom {
	all := Freedoms()
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

// variants gives each row the clauses and the part of common, where the row has none of its own.
func variants(common Freedom, rows []Freedom) []Freedom {
	for i := range rows {
		row := &rows[i]
		if row.Open == nil {
			row.Open = common.Open
		}
		if row.Part == "" {
			row.Part = common.Part
		}
	}
	return rows
}

func applyFreedoms(b *behaviour, names []string) error {
	taken := map[string]string{}
	for _, name := range names {
		f, err := byName("freedom", name, append(Freedoms(), restFreedoms...), func(f Freedom) string { return f.Name })
		if err != nil {
			return err
		}
		if other := taken[f.Part]; other != "" {
			return fmt.Errorf("the freedoms %s and %s both change the %s; use one of them", other, name, f.Part)
		}
		taken[f.Part] = name
		f.apply(b)
	}
	return nil
}
