package spec

import (
	"slices"
	"strings"
)

// editDistance returns the number of bytes to insert, delete or replace to turn a into b.
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

// Nearest returns the known names that a misspelt one may have meant, the nearest first: at most one letter in five
// differs, and one in a name of any length, and at most one more than in the nearest. To "list-limit-defalt"
// list-limit-default is near; to "nope" open is not.
func Nearest(name string, known []string) []string {
	distance := func(k string) int { return editDistance(strings.ToLower(name), strings.ToLower(k)) }
	near := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return distance(k) > max(1, len(name)/5) })
	slices.SortStableFunc(near, func(a, b string) int { return distance(a) - distance(b) })
	return slices.DeleteFunc(near, func(k string) bool { return distance(k) > distance(near[0])+1 })
}
