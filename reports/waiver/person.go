package waiver

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mtibben/confusables"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// SamePerson reports whether two names look alike: by their letters and digits, in whatever case, width and script they
// are written. Spaces, punctuation, accents and what is invisible make no other person.
func SamePerson(a, b string) bool { return skeleton(a) == skeleton(b) }

// skeleton is that of UTS 39 in whatever case: I looks like l, and is i, so that these three are one letter.
func skeleton(name string) string {
	for range 2 { // other letters look alike in the other case
		name = strings.Map(func(r rune) rune {
			switch {
			case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Inherited) || !unicode.In(r, unicode.L, unicode.M, unicode.N):
				return -1
			case r == 'i':
				return 'l'
			}
			return r
		}, norm.NFKD.String(name))
		name = cases.Fold().String(confusables.Skeleton(name))
	}
	return name
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
		err = fmt.Errorf("the owner %q and the approver %q look alike; they must be two people", w.Owner, w.Approver)
	}
	return err
}
