package deviations

import (
	"regexp"
	"slices"
	"strconv"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// Which requests: by their texts, where a pattern matches them.

func text(of func(c *Call) string, pattern string) When {
	is := like(pattern)
	return func(c *Call) bool { return is(of(c)) }
}

func named(pattern string) When { return text(func(c *Call) string { return c.Draft.Name }, pattern) }
func bodied(pattern string) When {
	return text(func(c *Call) string { return string(c.Body) }, pattern)
}
func header(name, pattern string) When {
	return text(func(c *Call) string { return c.Request.Header.Get(name) }, pattern)
}

var notAccepting = header("Accept", "^"+MediaJSON+"$").Not()

// By what else is sent. larger selects bodies of more than so many bytes.

func sends(s spec.PetStatus) When { return func(c *Call) bool { return c.Draft.Status == s } }
func larger(bytes int64) When     { return func(c *Call) bool { return c.Request.ContentLength > bytes } }
func chunked(c *Call) bool        { return slices.Contains(c.Request.TransferEncoding, "chunked") }

var (
	withLimit    When = func(c *Call) bool { return c.Request.URL.Query().Has("limit") }
	withoutLimit      = withLimit.Not()
)

func limit(is func(n int64) bool) When {
	return func(c *Call) bool { return is(int64(c.Filter.Limit)) }
}

func filtersBy(s spec.PetStatus) When { return func(c *Call) bool { return c.Filter.Status == s } }

// asked selects the calls of getPet for an int64 like that.
func asked(is func(id int64) bool) When {
	return OnGet.And(func(c *Call) bool {
		id, err := strconv.ParseInt(c.PetID, 10, 64)
		return err == nil && is(id)
	})
}

// Which animals: the one that is created or fetched, or each of those that are found.

func has(s spec.PetStatus) When   { return func(c *Call) bool { return c.Pet.Status == s } }
func id(is func(int64) bool) When { return func(c *Call) bool { return is(c.Pet.ID) } }
func ofOthers(c *Call) bool       { return c.Pet.ID <= int64(c.Service.Seed) } // it was there before the first request

// Which of several.

// seen selects the calls of which something was met before.
func seen(what func(c *Call) any) When {
	var met sync.Map
	return func(c *Call) bool {
		_, before := met.LoadOrStore(what(c), true)
		return before
	}
}

// byThird selects what one of three replicas answers.
func byThird() When { return Every(3) }

// The changes that services make to names, bodies and numbers.

// like selects texts that a pattern matches, and replacing replaces what it matches.
func like(pattern string) func(text string) bool { return regexp.MustCompile(pattern).MatchString }

func replacing(pattern, by string) func(string) string {
	re := regexp.MustCompile(pattern)
	return func(s string) string { return re.ReplaceAllString(s, by) }
}

// Characters beyond ASCII, beyond Latin-1 and beyond the Basic Multilingual Plane.
const foreign, beyondLatin, emoji = `[^\x00-\x7f]`, `[^\x00-\xff]`, `[^\x00-\x{ffff}]`

// The changes of numbers: of animals, of requests.

func plus(k int64) func(int64) int64        { return func(n int64) int64 { return n + k } }
func times(by, per int64) func(int64) int64 { return func(n int64) int64 { return n * by / per } }
func atLeast(k int64) func(int64) int64     { return func(n int64) int64 { return max(n, k) } }
func exactly(k int64) func(int64) int64     { return Constant(k) }

func equal(k int64) func(int64) bool { return func(n int64) bool { return n == k } }
func between(low, high int64) func(int64) bool {
	return func(n int64) bool { return low <= n && n <= high }
}

// throughFloat converts an int64 to a float64 and back.
func throughFloat(n int64) int64 { return int64(float64(n)) }

func wrap32Bits(n int64) int64 { return int64(int32(n)) }
