package deviations

import (
	"regexp"
	"slices"
	"strconv"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// Which requests. larger selects bodies of more than so many bytes.

var notAccepting = HeaderLike("Accept", "^"+MediaJSON+"$").Not()

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

// replacing replaces what a pattern matches.
func replacing(pattern, by string) func(string) string {
	re := regexp.MustCompile(pattern)
	return func(s string) string { return re.ReplaceAllString(s, by) }
}

// Characters beyond ASCII and beyond Latin-1.
const foreign, beyondLatin = `[^\x00-\x7f]`, `[^\x00-\xff]`

// The changes of numbers: of animals, of requests.

func plus(k int64) func(int64) int64        { return func(n int64) int64 { return n + k } }
func times(by, per int64) func(int64) int64 { return func(n int64) int64 { return n * by / per } }

func equal(k int64) func(int64) bool { return func(n int64) bool { return n == k } }
func between(low, high int64) func(int64) bool {
	return func(n int64) bool { return low <= n && n <= high }
}

// throughFloat converts an int64 to a float64 and back.
func throughFloat(n int64) int64 { return int64(float64(n)) }
