package spec

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 animals", 1: "1 animal", 2: "2 animals", 999: "999 animals", 1000: "1,000 animals", 1234567: "1,234,567 animals", -1000: "-1,000 animals"} {
		if got := Count(n, "animal"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
