package record

import (
	"strconv"
	"testing"
)

func TestOnlyPlainNumbersAreKeptAsNumbers(t *testing.T) {
	for text, plain := range map[string]bool{
		"0": true, "59": true, "-1": true, "1772600827": true, "9223372036854775807": true, "9223372036854775808": false,
		"": false, "-": false, "-0": false, "00": false, "05": false, "-05": false, "+5": false, "--5": false, "-+5": false,
		" 5": false, "5 ": false, "1_0": false, "0x1": false, "1e3": false, "-9223372036854775808": false,
	} {
		n := numberOf([]string{text})
		if n.Known() != plain || plain && strconv.FormatInt(int64(n), 10) != text {
			t.Errorf("%q: want known %t; got %d (%t)", text, plain, int64(n), n.Known())
		}
	}
	if numberOf(nil).Known() || numberOf([]string{"1", "2"}).Known() {
		t.Error("none and two are no number")
	}
}
