package run_test

import (
	"testing"

	"petconform/conformance/run"
	"petconform/spec"
)

// TestNearest suggests a name only when it is near.
func TestNearest(t *testing.T) {
	for name, want := range map[string]string{"list-limit-defalt": "list-limit-default", "LIST-55": "LIST-5", "getpett": "getPet",
		"auth-mising-list": "auth-missing-list", "nope": "", "typo": "", "or": "", "": "", "list": ""} {
		if got := append(spec.Nearest(name, run.Names()), "")[0]; got != want {
			t.Errorf("%q: %q is suggested; %q is wanted", name, got, want)
		}
	}
}
