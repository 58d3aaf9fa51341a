package long

import (
	"slices"
	"strings"
	"testing"
)

func TestRows(t *testing.T) {
	rows := []string{"a", "a b", "b", "c d", "d e", "a", "e"}
	for value, want := range map[string][]string{"": {"a", "a b", "c d", "d e"}, "1": rows} {
		t.Setenv(variable, value)
		if got := Rows(t, rows, strings.Fields); !slices.Equal(got, want) {
			t.Errorf("%s=%s: %q; %q is wanted", variable, value, got, want)
		}
	}
}
