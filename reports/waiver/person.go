package waiver

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
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

// usualTogether are the scripts of Japanese, Korean and Chinese names, which may have Latin letters too.
var usualTogether = map[string]bool{"Latin": true, "Han": true, "Hiragana": true, "Katakana": true, "Hangul": true, "Bopomofo": true}

// oneScript returns an error for a name without a letter, and for one of several scripts, such as Latin with Cyrillic:
// many of their letters look alike, and the same name in the eyes of a reader would be two people.
func oneScript(as, name string) error {
	found := map[string]bool{}
	for _, r := range norm.NFKC.String(name) {
		for script, runes := range unicode.Scripts {
			if unicode.IsLetter(r) && unicode.Is(runes, r) && script != "Common" && script != "Inherited" {
				found[script] = true
			}
		}
	}
	scripts := slices.Sorted(maps.Keys(found))
	switch unusual := func(script string) bool { return !usualTogether[script] }; {
	case len(scripts) == 0:
		return fmt.Errorf("%s: %q is no name: it has no letter", as, name)
	case len(scripts) > 1 && slices.ContainsFunc(scripts, unusual):
		return fmt.Errorf("%s: %q mixes letters of the scripts %s, some of which look alike; write the name in one script",
			as, name, strings.Join(scripts, " and "))
	}
	return nil
}

func (w Waiver) twoPeople() error {
	err := cmp.Or(oneScript("owner", w.Owner), oneScript("approver", w.Approver))
	if err == nil && SamePerson(w.Owner, w.Approver) {
		err = fmt.Errorf("owner and approver are both %q; they must be two people", w.Owner)
	}
	return err
}
