package invalid

import (
	"slices"
	"strings"

	"petconform/spec"
)

// Broken is a body with the requirement that a service breaks if it accepts it.
type Broken struct {
	Breaks spec.ID
	Text   string
}

// Generated returns the bodies of generated requests that a service must refuse with 400, the rare ones first.
func Generated() (all []Broken, rare int) {
	var others []Broken
	for _, b := range bodies {
		for _, text := range b.rare {
			all = append(all, Broken{b.breaks, text})
		}
		for _, text := range b.others {
			others = append(others, Broken{b.breaks, text})
		}
		for _, v := range slices.Concat(b.quick, b.full) {
			others = append(others, Broken{b.breaks, v.Text})
		}
	}
	others = slices.DeleteFunc(others, func(b Broken) bool { return len(b.Text) > LargeBody || slices.Contains(all, b) })
	return append(all, others...), len(all)
}

// UnknownIDs are int64s that few services assign: the positions of a list's beginning and, in Python, its end, and the
// bounds of the integers that services may store: 404. 1 is not among them: a store may have that animal and show it in
// no page.
var UnknownIDs = []string{
	"0", "-1", "2147483648", "4294967296", "9007199254740993", "9223372036854775807", "-9223372036854775808",
	"-2147483649",
}

// NoInt64 are petIds that are not int64s, escaped for a path: 400 or 404.
var NoInt64 = []string{
	"h%C3%BCndin", strings.Repeat("9", 300), "1.5", "abc", "1e0", "9223372036854775808", "-9223372036854775809",
	"18446744073709551617", "%20", "null", "1,2",
	"0x1", "NaN", "%E2%91%A0", "%zz", "%FF",
}
