package deviations

import (
	"cmp"
	"net/url"
	"regexp"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	. "petconform/spec/reference/internal/behaviour"
)

// The changes that services make to names and numbers.

// like selects texts that a pattern matches, and replacing replaces what it matches.
func like(pattern string) func(text string) bool { return regexp.MustCompile(pattern).MatchString }

func replacing(pattern, by string) func(string) string {
	re := regexp.MustCompile(pattern)
	return func(s string) string { return re.ReplaceAllString(s, by) }
}

// Characters beyond ASCII, beyond Latin-1 and beyond the Basic Multilingual Plane.
const foreign, beyondLatin, emoji = `[^\x00-\x7f]`, `[^\x00-\xff]`, `[^\x00-\x{ffff}]`

// cutBytes keeps at most n bytes, of whole characters.
func cutBytes(n int) func(string) string {
	return func(s string) string {
		for len(s) > n {
			_, last := utf8.DecodeLastRuneInString(s)
			s = s[:len(s)-last]
		}
		return s
	}
}

// withoutAccents removes combining marks.
func withoutAccents(s string) string {
	plain, _, _ := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s)
	return plain
}

func percentDecoded(s string) string {
	plain, _ := url.PathUnescape(s)
	return cmp.Or(plain, s)
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
func throughFloat(n int64) int64 {
	f := float64(n)
	if f >= 1<<63 {
		return 1<<63 - 1
	}
	return int64(f)
}

func wrap32Bits(n int64) int64  { return int64(int32(n)) }
func beyond32Bits(n int64) bool { return n != wrap32Bits(n) }

// named and bodied select requests of createPet.
func named(pattern string) func(c *Call) bool {
	is := like(pattern)
	return func(c *Call) bool { return is(c.Draft.Name) }
}

func bodied(pattern string) func(c *Call) bool {
	is := like(pattern)
	return func(c *Call) bool { return is(string(c.Body)) }
}

// seen selects the calls of which something was met before.
func seen(what func(c *Call) any) func(c *Call) bool {
	key := new(byte)
	return func(c *Call) bool {
		_, again := Kept[sync.Map](c.Service, key).LoadOrStore(what(c), true)
		return again
	}
}
