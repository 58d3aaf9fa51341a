package behaviour

import (
	"fmt"
	"strings"

	"petconform/spec"
)

// ByName returns the item with that name, or an error that suggests up to three similar names: those that begin with it
// or have its words, or else those that differ in one letter. To "limit-defaults" limit-defaults-to-10 is similar; to
// "foo" json-footer-behind is not.
func ByName[T any](what, name string, all []T, nameOf func(T) string) (none T, err error) {
	var known, similar []string
	for _, item := range all {
		switch n := nameOf(item); {
		case n == name:
			return item, nil
		case name != "" && (strings.HasPrefix(n, name) || strings.Contains("-"+n+"-", "-"+name+"-")):
			similar = append(similar, n)
			fallthrough
		default:
			known = append(known, n)
		}
	}
	if len(similar) == 0 {
		similar = spec.Nearest(name, known)
	}
	if len(similar) == 0 {
		return none, fmt.Errorf("unknown %s %q; petconform list %ss names them all", what, name, what)
	}
	similar = similar[:min(len(similar), 3)]
	return none, fmt.Errorf("unknown %s %q; did you mean %s?", what, name, strings.Join(similar, " or "))
}
