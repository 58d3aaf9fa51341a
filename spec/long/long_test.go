package long

import (
	"slices"
	"strings"
	"testing"
)

func TestRows(t *testing.T) {
	rows := []string{"a", "a b", "b", "c d", "d e", "a", "e"}
	for value, want := range map[string][]string{
		"":  {"a", "b", "c d", "e"}, // each letter is in one, and "a b" and "d e" have a letter that is in another
		"1": rows,
	} {
		t.Setenv(variable, value)
		if got := Rows(t, rows, strings.Fields); !slices.Equal(got, want) {
			t.Errorf("%s=%s: %q; %q is wanted", variable, value, got, want)
		}
	}
	t.Setenv(variable, "")
	if got, want := Rows(t, []string{"a b", "b c", "c"}, strings.Fields), []string{"a b", "c"}; !slices.Equal(got, want) {
		t.Errorf("%q; %q is wanted", got, want)
	}
	if got, want := Rows(t, []string{"a b", "b c"}, strings.Fields), []string{"a b", "b c"}; !slices.Equal(got, want) {
		t.Errorf("%q; %q is wanted, as c is missing otherwise", got, want)
	}
}
