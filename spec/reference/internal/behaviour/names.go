package behaviour

import (
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
)

// ByName returns the item with that name, or an error that suggests up to three similar names.
func ByName[T any](what, name string, all []T, nameOf func(T) string) (T, error) {
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
	similar := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return name == "" || !strings.Contains(k, name) })
	if len(similar) == 0 {
		similar = spec.Nearest(name, known)
	}
	if len(similar) == 0 {
		return fmt.Errorf("unknown %s %q; petconform list %ss names them all", what, name, what)
	}
	return fmt.Errorf("unknown %s %q; did you mean %s?", what, name, strings.Join(similar[:min(len(similar), 3)], " or "))
}
