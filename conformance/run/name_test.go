package run_test

import (
	"slices"
	"strings"
	"testing"

	"petconform/conformance/run"
	"petconform/spec/exchange"
)

// TestNewName: the name of a run begins with none of the characters that would make a part of a key of it.
func TestNewName(t *testing.T) {
	const key = "staging-petconform-7f3a9c21"
	var first []string
	for range 400 { // one name in 32 begins with 7
		name := run.NewName(exchange.NewSecret(key))
		if first = append(first, name[:1]); exchange.NewRedactor(exchange.NewSecret(key)).Found([]byte("petconform-" + name)) {
			t.Errorf("petconform-%s has a part of the key %s", name, key)
		}
	}
	if slices.Sort(first); len(slices.Compact(first)) < 10 {
		t.Errorf("the names begin with %s alone", strings.Join(slices.Compact(first), ", "))
	}
	if name := run.NewName(exchange.NewSecret("petconform-")); len(name) != 6 {
		t.Errorf("with a key that each name has: %q", name)
	}
}
