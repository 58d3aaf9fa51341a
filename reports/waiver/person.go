package waiver

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// SamePerson reports whether two names read alike: by their letters and digits, in whatever case and width they are
// written. Spaces, punctuation and what is invisible make no other person.
func SamePerson(a, b string) bool { return read(a) == read(b) }

func read(name string) string {
	name = norm.NFKC.String(cases.Fold().String(norm.NFKC.String(name)))
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || !unicode.In(r, unicode.L, unicode.M, unicode.N) {
			return -1
		}
		return r
	}, name)
}
