package deviations

import (
	"regexp"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	. "petconform/spec/reference/internal/behaviour"
)

// The changes that services make to names, bodies and numbers.

// like selects texts that a pattern matches, and replacing replaces what it matches.
func like(pattern string) func(text string) bool { return regexp.MustCompile(pattern).MatchString }

func replacing(pattern, by string) func(string) string {
	re := regexp.MustCompile(pattern)
	return func(s string) string { return re.ReplaceAllString(s, by) }
}

// Characters beyond ASCII, beyond Latin-1 and beyond the Basic Multilingual Plane.
const foreign, beyondLatin, emoji = `[^\x00-\x7f]`, `[^\x00-\xff]`, `[^\x00-\x{ffff}]`

func latin1(body []byte) []byte {
	out, _ := encoding.ReplaceUnsupported(charmap.ISO8859_1.NewEncoder()).Bytes(body)
	return out
}

// The changes of numbers: of animals, of requests.

func plus(k int64) func(int64) int64        { return func(n int64) int64 { return n + k } }
func times(by, per int64) func(int64) int64 { return func(n int64) int64 { return n * by / per } }
func atLeast(k int64) func(int64) int64     { return func(n int64) int64 { return max(n, k) } }
func atMost(k int64) func(int64) int64      { return func(n int64) int64 { return min(n, k) } }
func exactly(k int64) func(int64) int64     { return Constant(k) }

func equal(k int64) func(int64) bool { return func(n int64) bool { return n == k } }
func between(low, high int64) func(int64) bool {
	return func(n int64) bool { return low <= n && n <= high }
}

// throughFloat converts an int64 to a float64 and back.
func throughFloat(n int64) int64 { return int64(float64(n)) }

func wrap32Bits(n int64) int64  { return int64(int32(n)) }
func beyond32Bits(n int64) bool { return n != wrap32Bits(n) }
