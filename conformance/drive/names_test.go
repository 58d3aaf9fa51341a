package drive_test

import (
	"testing"

	"petconform/conformance/drive"
)

// TestNearest suggests a name only when it is near.
func TestNearest(t *testing.T) {
	for name, want := range map[string]string{"list-limit-defalt": "list-limit-default", "LIST-55": "LIST-5", "getpett": "getPet",
		"auth-mising-list": "auth-missing-list", "nope": "", "typo": "", "or": "", "": "", "list": ""} {
		if got := drive.Nearest(name, drive.Names()); got != want {
			t.Errorf("%q: %q is suggested; %q is wanted", name, got, want)
		}
	}
}
