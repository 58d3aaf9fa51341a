package record

import (
	"math"
	"strconv"
	"strings"
)

// Number is a whole number of a header, or Absent.
type Number int64

// Absent says that the header is missing or not a whole number. In the second case Record.Header has its text.
const Absent Number = math.MinInt64

// IsZero lets encoding/json leave an absent number out.
func (n Number) IsZero() bool { return n == Absent }

// Known says whether there is a number.
func (n Number) Known() bool { return n != Absent }

// numberOf reads a header field in the spelling of strconv.FormatInt. A field in another spelling is kept as text.
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
