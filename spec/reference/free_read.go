package reference

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"petconform/spec"
)

// refusedLimit answers a limit that is out of range or not an integer in another way than with 400.
func refusedLimit(instead func(value string) (int, *refusal)) func(*behaviour) {
	return func(b *behaviour) {
		read := b.limit
		b.limit = func(value string, given bool) (int, *refusal) {
			if n, refused := read(value, given); refused == nil {
				return n, nil
			}
			return instead(value)
		}
	}
}

// unknownFilter answers an unknown status filter in another way than with 400.
func unknownFilter(as spec.PetStatus, refused *refusal) func(*behaviour) {
	return func(b *behaviour) {
		b.statusFilter = func(value string) (spec.PetStatus, *refusal) {
			if s := spec.PetStatus(value); s.Valid() {
				return s, nil
			}
			return as, refused
		}
	}
}

// orders answers GET /store/orders.
func orders(status int, mediaType, body string) func(*behaviour) {
	return func(b *behaviour) {
		b.orders = func(c *call) answer {
			if status >= 400 {
				return b.refuse(c, &refusal{status: status, code: "no_orders", message: "There are no orders here."})
			}
			return answer{status, mediaType, []byte(body)}
		}
	}
}

// deprecation writes the headers Deprecation and Sunset of getPet; "" leaves one out.
func deprecation(deprecated, sunset string) func(*behaviour) {
	return func(b *behaviour) {
		b.sunset = func(c *call) {
			c.setHeader("Deprecation", deprecated)
			c.setHeader("Sunset", sunset)
		}
	}
}

func sunsetAt(after time.Duration) func(*behaviour) {
	return deprecation(deprecationValue, spec.Removal.Add(after).UTC().Format(http.TimeFormat))
}

// beforeListing runs first when the query of a listing is read.
func beforeListing(check func(c *call) *refusal) func(*behaviour) {
	return func(b *behaviour) {
		read := b.understand[spec.ListPets]
		b.understand[spec.ListPets] = func(c *call) *refusal {
			if refused := check(c); refused != nil {
				return refused
			}
			return read(c)
		}
	}
}

func refuseUnknownParameters(c *call) *refusal {
	for name := range c.request.URL.Query() {
		if name != "limit" && name != "status" {
			return invalid("parameter_unknown", "There is no such parameter.")
		}
	}
	return nil
}

// dropDoubled leaves a query that is not percent-encoded alone: it is refused afterwards.
func dropDoubled(c *call) *refusal {
	if query, err := url.ParseQuery(c.request.URL.RawQuery); err == nil {
		for name, values := range query {
			query[name] = values[:1]
		}
		c.request.URL.RawQuery = query.Encode()
	}
	return nil
}

func clampedLimit(value string) (int, *refusal) {
	if n, err := strconv.Atoi(value); err == nil {
		return min(max(n, spec.MinLimit), spec.MaxLimit), nil
	}
	return spec.DefaultLimit, nil
}

var readFreedoms = slices.Concat(
	variants(Freedom{Open: open("LIST-13"), Part: "limit out of range"}, []Freedom{
		{Name: "limit-clamped", Says: "A limit out of range is replaced by the nearest one within it.", apply: refusedLimit(clampedLimit)},
		{Name: "limit-defaulted", Says: "A limit out of range is ignored.", apply: refusedLimit(func(string) (int, *refusal) { return spec.DefaultLimit, nil })},
		{Name: "limit-422", Says: "A limit out of range is answered 422.", apply: refusedLimit(func(string) (int, *refusal) {
			return 0, &refusal{status: unprocessable, code: "limit", message: "The limit is out of range."}
		})},
	}),
	variants(Freedom{Open: open("LIST-14"), Part: "unknown status filter"}, []Freedom{
		{Name: "unknown-filter-422", Says: "An unknown status filter is answered 422.", apply: unknownFilter("", &refusal{status: unprocessable, code: "status", message: "There is no such status."})},
		{Name: "unknown-filter-empty", Says: "An unknown status filter lists no animals.", apply: unknownFilter("no such status", nil)},
		{Name: "unknown-filter-ignored", Says: "An unknown status filter is ignored.", apply: unknownFilter("", nil)},
		{Name: "unknown-filter-by-prefix", Says: "A status filter lists the animals whose status begins with it.",
			apply: func(b *behaviour) {
				unknownFilter("", nil)(b)
				refind(func(c *call, _ filter, pets []spec.Pet) []spec.Pet {
					prefix := c.request.URL.Query().Get("status")
					return slices.DeleteFunc(pets, func(p spec.Pet) bool { return !strings.HasPrefix(string(p.Status), prefix) })
				})(b)
			}},
	}),
	variants(Freedom{Open: open("Endpoints / listPets: the answer to other or repeated parameters is not shown")}, []Freedom{
		{Name: "unknown-parameters-refused", Part: "unknown parameters", Says: "A query parameter that listPets does not have is answered 400.", apply: beforeListing(refuseUnknownParameters)},
		{Name: "doubled-parameters-accepted", Part: "doubled parameters", Says: "If a parameter is given twice, the first one counts.", apply: beforeListing(dropDoubled)},
	}),
	[]Freedom{{Name: "malformed-petid-400", Open: open("GET-8"), Part: "malformed petId", Says: "A petId that is not an int64 is answered 400.",
		apply: asked(func(id int64, refused *refusal) (int64, *refusal) {
			if refused != nil {
				refused = invalid("petid_invalid", "A petId is an int64.")
			}
			return id, refused
		})}},
	[]Freedom{{Name: "misses-cached-briefly", Open: open("Endpoints / createPet: when an animal can be read is not shown"), Part: "misses",
		Says: "The 404 of an id is repeated for 300 ms.", apply: func(b *behaviour) {
			var missed sync.Map
			refetch(func(c *call, id int64, pet spec.Pet, found bool) (spec.Pet, bool) {
				at, was := missed.Load(id)
				if was && c.now.Sub(at.(time.Time)) < 300*time.Millisecond {
					return pet, false
				}
				if !found {
					missed.Store(id, c.now)
				}
				return pet, found
			})(b)
		}}},
	variants(Freedom{Open: open("ORDERS-1"), Part: "orders"}, []Freedom{
		{Name: "orders-empty", Says: "GET /store/orders answers an empty array.", apply: orders(http.StatusOK, mediaJSON, "[]")},
		{Name: "orders-object", Says: "GET /store/orders answers an object.", apply: orders(http.StatusOK, mediaJSON, `{"orders":[],"total":0}`)},
		{Name: "orders-204", Says: "GET /store/orders answers 204.", apply: orders(http.StatusNoContent, "", "")},
		{Name: "orders-404", Says: "GET /store/orders answers 404.", apply: orders(http.StatusNotFound, "", "")},
		{Name: "orders-403", Says: "GET /store/orders answers 403, as it does not allow every key.", apply: orders(http.StatusForbidden, "", "")},
		{Name: "orders-501", Says: "GET /store/orders answers 501, as it is not implemented.", apply: orders(http.StatusNotImplemented, "", "")},
	}),
	variants(Freedom{Open: open("GET-7"), Part: "deprecation headers"}, []Freedom{
		{Name: "removal-not-announced", Says: "getPet has neither Deprecation nor Sunset.", apply: deprecation("", "")},
		{Name: "removal-in-sunset-only", Says: "getPet has Sunset and no Deprecation.", apply: deprecation("", sunsetValue)},
		{Name: "removal-in-deprecation-only", Says: "getPet has Deprecation and no Sunset.", apply: deprecation(deprecationValue, "")},
		{Name: "removal-at-noon", Says: "Sunset is at noon of 5 December 2030.", apply: sunsetAt(12 * time.Hour)},
		{Name: "removal-in-the-last-second", Says: "Sunset is the last second of 5 December 2030.", apply: sunsetAt(24*time.Hour - time.Second)},
		{Name: "removal-in-another-zone", Says: "Sunset is the beginning of 5 December 2030 in a time zone two hours east of Greenwich.", apply: sunsetAt(-2 * time.Hour)},
		{Name: "removal-as-an-iso-day", Says: "Deprecation and Sunset are ISO dates.", apply: deprecation("2026-01-01", "2030-12-05")},
	}),
)

// routeAs routes a request as another one.
func routeAs(change func(r *http.Request) *http.Request) func(*behaviour) {
	return func(b *behaviour) {
		route := b.route
		b.route = func(c *call) {
			sent := c.request
			c.request = change(sent)
			route(c)
			c.request = sent
		}
	}
}

func headAsGet(r *http.Request) *http.Request {
	as := *r
	if r.Method == http.MethodHead {
		as.Method = http.MethodGet
	}
	return &as
}

func withoutSlash(r *http.Request) *http.Request {
	as, url := *r, *r.URL
	as.URL = &url
	url.Path, url.RawPath = strings.TrimSuffix(url.Path, "/"), strings.TrimSuffix(url.RawPath, "/")
	return &as
}

var elsewhereFreedoms = variants(Freedom{Open: open("Endpoints: other paths and methods are not named"), Part: "elsewhere"}, []Freedom{
	{Name: "head-answered", Part: "head", Says: "HEAD is answered like GET, without a body.", apply: routeAs(headAsGet)},
	{Name: "slash-at-the-end", Part: "slash at the end", Says: "A slash at the end of a path is ignored.", apply: routeAs(withoutSlash)},
	{Name: "unknown-paths-without-key", Open: open("Authentication: every operation requires the key; other paths are no operations"),
		Says:  "A path or method that the interface does not name is answered before the key is checked.",
		apply: func(b *behaviour) { b.openElsewhere = true }},
	{Name: "other-methods-404", Open: open("Endpoints: other methods are not named"), Says: "A method that a path does not have is answered 404.", apply: func(b *behaviour) {
		b.act[spec.Elsewhere] = func(*call) *refusal { return notFound("There is nothing here.") }
	}},
	{Name: "removed-on-time", Open: open("Versioning: getPet is to be removed on 5 December 2030"), Part: "removal",
		Says:  "getPet is removed at the beginning of 5 December 2030.",
		apply: func(b *behaviour) { b.removed = func(now time.Time) bool { return !now.Before(spec.Removal) } }},
})
