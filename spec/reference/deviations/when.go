package deviations

import (
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// Which requests: by what createPet sends.

func named(pattern string) When {
	is := like(pattern)
	return func(c *Call) bool { return is(c.Draft.Name) }
}

func bodied(pattern string) When {
	is := like(pattern)
	return func(c *Call) bool { return is(string(c.Body)) }
}

func sends(s spec.PetStatus) When { return func(c *Call) bool { return c.Draft.Status == s } }

// larger selects bodies of more than so many bytes, and unusualType those of a media type that is neither JSON nor
// text.
func larger(bytes int64) When { return func(c *Call) bool { return c.Request.ContentLength > bytes } }

func unusualType(c *Call) bool {
	media, _, _ := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	return media != "" && media != MediaJSON && !strings.HasPrefix(media, "text/")
}

func chunked(c *Call) bool { return slices.Contains(c.Request.TransferEncoding, "chunked") }

// By headers and the address.

// header selects the requests whose header is like that.
func header(name, pattern string) When {
	is := like(pattern)
	return func(c *Call) bool { return is(c.Request.Header.Get(name)) }
}

var notAccepting = header("Accept", "^"+MediaJSON+"$").Not()

func notASCII(c *Call) bool {
	query, _ := url.QueryUnescape(c.Request.URL.RawQuery)
	return like(foreign)(c.Request.URL.Path + query)
}

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

func pet(is func(p spec.Pet) bool) When { return func(c *Call) bool { return is(c.Pet) } }

func has(s spec.PetStatus) When   { return pet(func(p spec.Pet) bool { return p.Status == s }) }
func id(is func(int64) bool) When { return pet(func(p spec.Pet) bool { return is(p.ID) }) }
func called(pattern string) When  { return pet(func(p spec.Pet) bool { return like(pattern)(p.Name) }) }
func of(is func(int64) bool) When { return pet(func(p spec.Pet) bool { return is(p.CategoryID) }) }
func ofOthers(c *Call) bool       { return c.Pet.ID <= int64(c.Service.Seed) } // it was there before the first request

// Which of several.

// again selects the calls for which something has the value that it had the last time.
func again(of func(c *Call) (what, value any)) When {
	var last sync.Map
	return func(c *Call) bool {
		what, value := of(c)
		before, known := last.Swap(what, value)
		return known && before == value
	}
}

// seen selects the calls of which something was met before, and sameAnswer those that are answered as the last time.
func seen(what func(c *Call) any) When {
	return again(func(c *Call) (any, any) { return what(c), true })
}

func sameAnswer() When {
	return again(func(c *Call) (any, any) { return c.Request.RequestURI, string(c.Answer.Body) })
}

// byThird selects what one of three replicas answers.
func byThird() When { return Every(3) }
