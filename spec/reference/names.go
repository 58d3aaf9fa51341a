package reference

import (
	"fmt"
	"slices"
	"strings"
)

// unknownName says that there is no such name, and which ones are like it.
func unknownName(what, name string, known []string) error {
	type near struct {
		name string
		off  int
	}
	var all []near
	for _, k := range known {
		off := editDistance(name, k)
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

// editDistance counts the letters to add, leave out or exchange to make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
