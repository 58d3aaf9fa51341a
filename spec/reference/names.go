package reference

import (
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
)

// unknownName says that there is no such name, and which ones are like it.
func unknownName(what, name string, known []string) error {
	type near struct {
		name string
		off  int
	}
	var all []near
	for _, k := range known {
		off := spec.EditDistance(name, k)
		if strings.Contains(k, name) && name != "" {
			off = 1
		}
		if off <= max(len(name)/3, 2) {
			all = append(all, near{k, off})
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("the %s %q is not known, and no name of one is like it", what, name)
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.off - b.off })
	var names []string
	for _, n := range all[:min(len(all), 3)] {
		if n.off <= all[0].off+1 {
			names = append(names, n.name)
		}
	}
	return fmt.Errorf("the %s %q is not known; is %s meant?", what, name, strings.Join(names, " or "))
}
