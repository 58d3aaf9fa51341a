package spec

import (
	"slices"
	"strings"
)

// Nearest returns the known names that a misspelt one may have meant: one letter is wrong, missing or too many. To
// "list-limit-defalt" list-limit-default is near; to "nope" open is not.
func Nearest(name string, known []string) []string {
	return slices.DeleteFunc(slices.Clone(known), func(k string) bool {
		a, b := strings.ToLower(name), strings.ToLower(k)
		for a != "" && b != "" && a[0] == b[0] {
			a, b = a[1:], b[1:]
		}
		for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
			a, b = a[:len(a)-1], b[:len(b)-1]
		}
		return max(len(a), len(b)) > 1
	})
}
