package record

import (
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"testing"
	"time"
)

// odd draws a record that no run would make.
func odd(dice *rand.Rand) *Record {
	pick := func(all ...int64) int64 { return all[dice.IntN(len(all))] }
	number := func() Number { return Number(pick(int64(Absent), 0, 1, -7, 1772600827, math.MaxInt64)) }
	span := func() time.Duration { return time.Duration(pick(0, 1, -1, 1234567, int64(time.Hour))) }
	r := &Record{N: int(pick(1, 1<<40)), Lane: int(pick(0, 999)), Phase: Phases()[dice.IntN(len(Phases()))], Round: int(pick(0, 1, 31)),
		Role: []Role{Look, AtReset, "", "\"<é\n"}[dice.IntN(4)], Other: dice.IntN(2) == 0, Connection: int(pick(0, 8)), Repeats: int(pick(0, 1, 2)),
		Planned: span(), Sent: span(), FirstByte: span(), Done: span(), Status: int(pick(0, 200, 429)), Shape: int(pick(0, 12)),
		Limit: number(), Remaining: number(), Reset: number(), RetryAfter: number(), Date: number()}
	if dice.IntN(2) == 0 {
		r.Header = http.Header{"Date": {"<yesterday>"}, "Retry-After": {"1", "2"}}
	}
	return r
}

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
