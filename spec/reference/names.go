package reference

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"petconform/spec"
)

// byName returns the item with that name, or an error that suggests up to three similar names.
func byName[T any](what, name string, all []T, nameOf func(T) string) (T, error) {
	names := make([]string, len(all))
	for i, item := range all {
		names[i] = nameOf(item)
	}
	if i := slices.Index(names, name); i >= 0 {
		return all[i], nil
	}
	var none T
	return none, unknownName(what, name, names)
}

func unknownName(what, name string, known []string) error {
	distance := func(k string) int {
		d, near := spec.Near(name, k)
		switch {
		case strings.Contains(k, name) && name != "":
			return 1
		case !near:
			return math.MaxInt
		}
		return d
	}
	similar := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return distance(k) == math.MaxInt })
	if len(similar) == 0 {
		return fmt.Errorf("unknown %s %q; petconform list %ss names them all", what, name, what)
	}
	slices.SortStableFunc(similar, func(a, b string) int { return distance(a) - distance(b) })
	similar = slices.DeleteFunc(similar[:min(len(similar), 3)], func(k string) bool { return distance(k) > distance(similar[0])+1 })
	return fmt.Errorf("unknown %s %q; did you mean %s?", what, name, strings.Join(similar, " or "))
}
