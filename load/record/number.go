package record

import (
	"math"
	"strconv"
	"strings"
)

// Number is the whole number in a header, or Absent.
type Number int64

// Absent means that the header is missing or not a whole number. If it is not a whole number, Record.Header has its text.
const Absent Number = math.MinInt64

// IsZero reports whether n is Absent, so that encoding/json omits it.
func (n Number) IsZero() bool { return n == Absent }

// Known reports whether n is not Absent.
func (n Number) Known() bool { return n != Absent }

// numberOf parses a header that has exactly the text that strconv.FormatInt writes. It returns Absent for "+5", "05" and several fields.
func numberOf(values []string) Number {
	if len(values) != 1 || len(values[0]) > 19 {
		return Absent
	}
	digits := strings.TrimPrefix(values[0], "-")
	if digits == "" || digits[0] == '+' || digits[0] == '-' || digits[0] == '0' && len(values[0]) > 1 {
		return Absent
	}
	n, err := strconv.ParseInt(values[0], 10, 64)
	if err != nil {
		return Absent
	}
	return Number(n)
}
