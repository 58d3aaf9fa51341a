package behaviour

import (
	"fmt"
	"strings"

	"petconform/spec"
)

// ByName returns the item with that name, or an error that suggests similar names.
func ByName[T any](what, name string, all []T, nameOf func(T) string) (none T, err error) {
	var known []string
	for _, item := range all {
		if nameOf(item) == name {
			return item, nil
		}
		known = append(known, nameOf(item))
	}
	if similar := spec.Nearest(name, known); len(similar) > 0 {
		return none, fmt.Errorf("unknown %s %q; did you mean %s?", what, name, strings.Join(similar, " or "))
	}
	return none, fmt.Errorf("unknown %s %q; petconform list %ss names them all", what, name, what)
}
