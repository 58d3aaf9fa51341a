package freedoms

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// refusedLimit answers a limit that is out of range or not an integer in another way than with 400.
func refusedLimit(instead func(value string) (int, *Refusal)) Change {
	return func(b *Behaviour) {
		read := b.Limit
		b.Limit = func(value string, given bool) (int, *Refusal) {
			if n, refused := read(value, given); refused == nil {
				return n, nil
			}
			return instead(value)
		}
	}
}

// unknownFilter answers an unknown status filter in another way than with 400.
func unknownFilter(as spec.PetStatus, refused *Refusal) Change {
	return func(b *Behaviour) {
		b.StatusFilter = func(value string) (spec.PetStatus, *Refusal) {
			if s := spec.PetStatus(value); s.Valid() {
				return s, nil
			}
			return as, refused
		}
	}
}

// orders answers GET /store/orders.
func orders(status int, mediaType, body string) Change {
	return func(b *Behaviour) {
		b.Orders = func(c *Call) Answer {
			if status >= 400 {
				return b.Refuse(c, Refused(status, "no_orders", "There are no orders here."))
			}
			return Answer{Status: status, MediaType: mediaType, Body: []byte(body)}
		}
	}
}

// deprecation writes the headers Deprecation and Sunset of getPet; "" leaves one out.
func deprecation(deprecated, sunset string) Change {
	return func(b *Behaviour) {
		b.Sunset = func(c *Call) {
			c.SetHeader("Deprecation", deprecated)
			c.SetHeader("Sunset", sunset)
		}
	}
}

func sunsetAt(after time.Duration) Change {
	return deprecation(DeprecationValue, spec.Removal.Add(after).UTC().Format(http.TimeFormat))
}

// beforeListing runs first when the query of a listing is read.
func beforeListing(check func(c *Call) *Refusal) Change {
	return func(b *Behaviour) {
		read := b.Understand[spec.ListPets]
		b.Understand[spec.ListPets] = func(c *Call) *Refusal {
			if refused := check(c); refused != nil {
				return refused
			}
			return read(c)
		}
	}
}

func refuseUnknownParameters(c *Call) *Refusal {
	for name := range c.Request.URL.Query() {
		if name != "limit" && name != "status" {
			return Invalid("parameter_unknown", "There is no such parameter.")
		}
	}
	return nil
}

// dropDoubled leaves a query that is not percent-encoded alone: it is refused afterwards.
func dropDoubled(c *Call) *Refusal {
	if query, err := url.ParseQuery(c.Request.URL.RawQuery); err == nil {
		for name, values := range query {
			query[name] = values[:1]
		}
		c.Request.URL.RawQuery = query.Encode()
	}
	return nil
}

func clampedLimit(value string) (int, *Refusal) {
	if n, err := strconv.Atoi(value); err == nil {
		return min(max(n, spec.MinLimit), spec.MaxLimit), nil
	}
	return spec.DefaultLimit, nil
}

var readRows = slices.Concat(
	variants(open("LIST-13"), part("limit out of range"))(
		variant("limit-clamped", "A limit out of range is replaced by the nearest one within it.",
			refusedLimit(clampedLimit)),
		variant("limit-defaulted", "A limit out of range is ignored.",
			refusedLimit(func(string) (int, *Refusal) { return spec.DefaultLimit, nil })),
		variant("limit-422", "A limit out of range is answered 422.", refusedLimit(func(string) (int, *Refusal) {
			return 0, Refused(422, "limit", "The limit is out of range.")
		})),
	),
	variants(open("LIST-14"), part("unknown status filter"))(
		variant("unknown-filter-422", "An unknown status filter is answered 422.",
			unknownFilter("", Refused(422, "status", "There is no such status."))),
		variant("unknown-filter-empty", "An unknown status filter lists no animals.",
			unknownFilter("no such status", nil)),
		variant("unknown-filter-ignored", "An unknown status filter is ignored.", unknownFilter("", nil)),
		variant("unknown-filter-by-prefix", "A status filter lists the animals whose status begins with it.",
			func(b *Behaviour) {
				unknownFilter("", nil)(b)
				Hide(func(c *Call, p spec.Pet) bool {
					return !strings.HasPrefix(string(p.Status), c.Request.URL.Query().Get("status"))
				})(b)
			}),
	),
	variants(open("Endpoints / listPets: the answer to other or repeated parameters is not shown"))(
		variant("unknown-parameters-refused", "A query parameter that listPets does not have is answered 400.",
			beforeListing(refuseUnknownParameters), part("unknown parameters")),
		variant("doubled-parameters-accepted", "If a parameter is given twice, the first one counts.",
			beforeListing(dropDoubled), part("doubled parameters")),
	),
	variants()(
		variant("malformed-petid-400", "A petId that is not an int64 is answered 400.",
			Asked(func(id int64, refused *Refusal) (int64, *Refusal) {
				if refused != nil {
					refused = Invalid("petid_invalid", "A petId is an int64.")
				}
				return id, refused
			}), open("GET-8"), part("malformed petId")),
	),
	variants()(
		variant("misses-cached-briefly", "The 404 of an id is repeated for 300 ms.", func(b *Behaviour) {
			var missed sync.Map
			Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
				at, was := missed.Load(c.ID)
				if was && c.Now.Sub(at.(time.Time)) < 300*time.Millisecond {
					return pet, false
				}
				if !found {
					missed.Store(c.ID, c.Now)
				}
				return pet, found
			})(b)
		}, open("Endpoints / createPet: when an animal can be read is not shown"), part("misses")),
	),
	variants(open("ORDERS-1"), part("orders"))(
		variant("orders-empty", "GET /store/orders answers an empty array.", orders(200, MediaJSON, "[]")),
		variant("orders-object", "GET /store/orders answers an object.",
			orders(200, MediaJSON, `{"orders":[],"total":0}`)),
		variant("orders-204", "GET /store/orders answers 204.", orders(204, "", "")),
		variant("orders-404", "GET /store/orders answers 404.", orders(404, "", "")),
		variant("orders-403", "GET /store/orders answers 403, as it does not allow every key.", orders(403, "", "")),
		variant("orders-501", "GET /store/orders answers 501, as it is not implemented.", orders(501, "", "")),
	),
	variants(open("GET-7"), part("deprecation headers"))(
		variant("removal-not-announced", "getPet has neither Deprecation nor Sunset.", deprecation("", "")),
		variant("removal-in-sunset-only", "getPet has Sunset and no Deprecation.", deprecation("", SunsetValue)),
		variant("removal-in-deprecation-only", "getPet has Deprecation and no Sunset.",
			deprecation(DeprecationValue, "")),
		variant("removal-at-noon", "Sunset is at noon of 5 December 2030.", sunsetAt(12*time.Hour)),
		variant("removal-in-the-last-second", "Sunset is the last second of 5 December 2030.",
			sunsetAt(24*time.Hour-time.Second)),
		variant("removal-in-another-zone",
			"Sunset is the beginning of 5 December 2030 in a time zone two hours east of Greenwich.",
			sunsetAt(-2*time.Hour)),
		variant("removal-as-an-iso-day", "Deprecation and Sunset are ISO dates.",
			deprecation("2026-01-01", "2030-12-05")),
	),
)

// routeAs routes a request as another one.
func routeAs(change func(r *http.Request) *http.Request) Change {
	return func(b *Behaviour) {
		route := b.Route
		b.Route = func(c *Call) {
			sent := c.Request
			c.Request = change(sent)
			route(c)
			c.Request = sent
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

var elsewhereRows = variants(open("Endpoints: other paths and methods are not named"), part("elsewhere"))(
	variant("head-answered", "HEAD is answered like GET, without a body.", routeAs(headAsGet), part("head")),
	variant("slash-at-the-end", "A slash at the end of a path is ignored.",
		routeAs(withoutSlash), part("slash at the end")),
	variant("unknown-paths-without-key",
		"A path or method that the interface does not name is answered before the key is checked.",
		func(b *Behaviour) { b.OpenElsewhere = true },
		open("Authentication: every operation requires the key; other paths are no operations")),
	variant("other-methods-404", "A method that a path does not have is answered 404.", func(b *Behaviour) {
		b.Act[spec.Elsewhere] = func(*Call) *Refusal { return NotFound("There is nothing here.") }
	}, open("Endpoints: other methods are not named")),
	variant("removed-on-time", "getPet is removed at the beginning of 5 December 2030.",
		func(b *Behaviour) { b.Removed = func(now time.Time) bool { return !now.Before(spec.Removal) } },
		open("Versioning: getPet is to be removed on 5 December 2030"), part("removal")),
)
