package reference

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"petconform/spec"
)

// outOfRange makes a freedom that answers a limit which is out of range, or no integer, otherwise than with 400.
func outOfRange(name, says string, instead func(value string) (int, *refusal)) Freedom {
	return Freedom{
		Name: name, Open: open("LIST-13"), Says: says, Part: "limit out of range",
		apply: func(b *behaviour) {
			read := b.limit
			b.limit = func(value string, given bool) (int, *refusal) {
				if n, refused := read(value, given); refused == nil {
					return n, nil
				}
				return instead(value)
			}
		},
	}
}

// unknownFilter makes a freedom that answers an unknown status filter otherwise than with 400.
func unknownFilter(name, says string, instead func() (spec.PetStatus, *refusal)) Freedom {
	return Freedom{
		Name: name, Open: open("LIST-14"), Says: says, Part: "unknown status filter",
		apply: func(b *behaviour) {
			b.statusFilter = func(value string) (spec.PetStatus, *refusal) {
				if s := spec.PetStatus(value); s.Valid() {
					return s, nil
				}
				return instead()
			}
		},
	}
}

// ordering makes a freedom that answers GET /store/orders otherwise.
func ordering(name, says string, status int, mediaType, body string) Freedom {
	return Freedom{
		Name: name, Open: open("ORDERS-1"), Says: says, Part: "orders",
		apply: func(b *behaviour) {
			b.orders = func(c *call) answer {
				if status >= 400 {
					return b.refuse(c, &refusal{status: status, code: "no_orders", message: "There are no orders here."})
				}
				return answer{status, mediaType, []byte(body)}
			}
		},
	}
}

// announced makes a freedom that tells of getPet's removal otherwise.
func announced(name, says string, announce func(c *call)) Freedom {
	return Freedom{Name: name, Open: open("GET-7"), Says: says, Part: "deprecation headers", apply: func(b *behaviour) { b.sunset = announce }}
}

// sunsetAt announces the removal by that time.
func sunsetAt(t time.Time) func(c *call) {
	return func(c *call) {
		c.setHeader("Deprecation", deprecationValue)
		c.setHeader("Sunset", t.UTC().Format(http.TimeFormat))
	}
}

func tooManyOrFew() *refusal {
	return &refusal{status: http.StatusUnprocessableEntity, code: "limit", message: "The limit is out of range."}
}

var readFreedoms = []Freedom{
	outOfRange("limit-clamped", "A limit out of range counts as the nearest one within it.", func(value string) (int, *refusal) {
		n, err := strconv.Atoi(value)
		if err != nil {
			return spec.DefaultLimit, nil
		}
		return min(max(n, spec.MinLimit), spec.MaxLimit), nil
	}),
	outOfRange("limit-defaulted", "A limit out of range counts as none.", func(string) (int, *refusal) { return spec.DefaultLimit, nil }),
	outOfRange("limit-422", "A limit out of range is answered 422.", func(string) (int, *refusal) { return 0, tooManyOrFew() }),
	unknownFilter("unknown-filter-422", "A status filter outside the enumeration is answered 422.", func() (spec.PetStatus, *refusal) {
		return "", &refusal{status: http.StatusUnprocessableEntity, code: "status", message: "There is no such status."}
	}),
	unknownFilter("unknown-filter-empty", "A status filter outside the enumeration finds nothing.", func() (spec.PetStatus, *refusal) { return "no such status", nil }),
	unknownFilter("unknown-filter-ignored", "A status filter outside the enumeration counts as none.", func() (spec.PetStatus, *refusal) { return "", nil }),
	{
		Name: "unknown-parameters-refused", Open: open("LIST-17"), Part: "unknown parameters",
		Says: "A query parameter that listPets does not name is answered 400.",
		apply: func(b *behaviour) {
			read := b.understand[spec.ListPets]
			b.understand[spec.ListPets] = func(c *call) *refusal {
				for name := range c.request.URL.Query() {
					if name != "limit" && name != "status" {
						return invalid("parameter_unknown", "There is no such parameter.")
					}
				}
				return read(c)
			}
		},
	},
	{
		Name: "doubled-parameters-accepted", Open: open("LIST-17"), Part: "doubled parameters",
		Says: "Of a parameter that is given twice the first one counts.",
		apply: func(b *behaviour) {
			read := b.understand[spec.ListPets]
			b.understand[spec.ListPets] = func(c *call) *refusal {
				// A query that is not percent-encoded is left to read, which refuses it.
				if query, err := url.ParseQuery(c.request.URL.RawQuery); err == nil {
					for name, values := range query {
						query[name] = values[:1]
					}
					c.request.URL.RawQuery = query.Encode()
				}
				return read(c)
			}
		},
	},
	{
		Name: "malformed-petid-400", Open: open("GET-8"), Part: "malformed petId",
		Says: "A petId that is no int64 is answered 400.",
		apply: func(b *behaviour) {
			b.parsePetID = func(raw string) (int64, *refusal) {
				id, err := strconv.ParseInt(raw, 10, 64)
				if err != nil {
					return 0, invalid("petid_invalid", "A petId is an int64.")
				}
				return id, nil
			}
		},
	},
	ordering("orders-empty", "GET /store/orders answers an empty list.", http.StatusOK, mediaJSON, "[]"),
	ordering("orders-object", "GET /store/orders answers an object.", http.StatusOK, mediaJSON, `{"orders":[],"total":0}`),
	ordering("orders-204", "GET /store/orders answers 204.", http.StatusNoContent, "", ""),
	ordering("orders-404", "GET /store/orders answers 404.", http.StatusNotFound, "", ""),
	ordering("orders-403", "GET /store/orders is not for every key: 403.", http.StatusForbidden, "", ""),
	ordering("orders-501", "GET /store/orders is not there yet: 501.", http.StatusNotImplemented, "", ""),
	announced("removal-not-announced", "getPet has neither Deprecation nor Sunset.", func(*call) {}),
	announced("removal-in-sunset-only", "getPet has Sunset and no Deprecation.", func(c *call) { c.setHeader("Sunset", sunsetValue) }),
	announced("removal-in-deprecation-only", "getPet has Deprecation and no Sunset.", func(c *call) { c.setHeader("Deprecation", deprecationValue) }),
	announced("removal-at-noon", "Sunset is at noon of the day.", sunsetAt(spec.Removal.Add(12*time.Hour))),
	announced("removal-in-the-last-second", "Sunset is the last second of the day.", sunsetAt(spec.Removal.Add(24*time.Hour-time.Second))),
	announced("removal-in-another-zone", "Sunset is the beginning of the day east of Greenwich.", sunsetAt(spec.Removal.Add(-2*time.Hour))),
}
