package spec

import "strings"

// EditDistance returns the number of bytes to insert, delete or replace to turn a into b. A misspelt name is near to the one that was
// meant.
func EditDistance(a, b string) int {
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

// Near reports whether a misspelt name is near to a known one: at most one letter in five differs, and one in a name of any length.
// Near("nope", "open") is false, and Near("list-limit-defalt", "list-limit-default") is true.
func Near(name, known string) (distance int, near bool) {
	distance = EditDistance(strings.ToLower(name), strings.ToLower(known))
	return distance, distance <= max(1, len(name)/5)
}
