package reference

import (
	"fmt"
	"slices"
)

// Freedom is a lawful variant that can be switched on: the service then differs and still keeps the interface.
type Freedom struct {
	// Name is kebab-case and never changes.
	Name string
	// Open are the requirements, of level open, or the clauses and standards that leave the freedom.
	Open []string
	// Says is how the service differs.
	Says string
	// Part names the part that is exchanged. Two freedoms with the same part exclude each other.
	Part string

	apply func(*behaviour)
}

// open lists what leaves a freedom.
func open(all ...string) []string { return all }

// Freedoms lists every freedom, in an order that stays.
func Freedoms() []Freedom {
	return slices.Concat(storeFreedoms, createFreedoms, readFreedoms, wireFreedoms, rateFreedoms, elsewhereFreedoms)
}

// FreedomsAtRest lists the freedoms that a load run contradicts, since it is asked to confirm that the limits apply.
func FreedomsAtRest() []Freedom { return restFreedoms }

// FreedomPairs lists every two freedoms that can be had at the same time.
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

func applyFreedoms(b *behaviour, names []string) error {
	all := append(Freedoms(), restFreedoms...)
	taken := map[string]string{}
	for _, name := range names {
		i := slices.IndexFunc(all, func(f Freedom) bool { return f.Name == name })
		if i < 0 {
			return unknownName("freedom", name, freedomNames())
		}
		part := all[i].Part
		if other := taken[part]; other != "" {
			return fmt.Errorf("the freedoms %s and %s both exchange the %s; one of them is wanted", other, name, part)
		}
		taken[part] = name
		all[i].apply(b)
	}
	return nil
}

func freedomNames() []string {
	var names []string
	for _, f := range Freedoms() {
		names = append(names, f.Name)
	}
	return names
}
