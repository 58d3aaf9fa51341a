package freedoms

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// otherLimit takes a limit that is out of range or not an integer as another one.
func otherLimit(instead func(value string) int) Change {
	return Before(func(c *Call) {
		query := c.Request.URL.Query()
		value := query.Get("limit")
		n, err := strconv.Atoi(value)
		if query.Has("limit") && (err != nil || n < spec.MinLimit || n > spec.MaxLimit) {
			c.SetQuery("limit", strconv.Itoa(instead(value)))
		}
	})
}

func clamped(value string) int {
	if n, err := strconv.Atoi(value); err == nil {
		return min(max(n, spec.MinLimit), spec.MaxLimit)
	}
	return spec.DefaultLimit
}

// deprecation writes the headers Deprecation and Sunset of getPet; "" leaves one out.
func deprecation(deprecated, sunset string) Change {
	return OnGet.And(Keyed).Then(
		Lacking("Deprecation", "Sunset", "Link"), Header("Deprecation", deprecated), Header("Sunset", sunset))
}

func sunsetAt(after time.Duration) Change {
	return deprecation(DeprecationValue, spec.Removal.Add(after).UTC().Format(http.TimeFormat))
}

func readRows(t *table) {
	t.part("limit out of range", "LIST-13")
	t.variant("limit-clamped", "A limit out of range is replaced by the nearest one within it.", otherLimit(clamped))
	t.variant("limit-defaulted", "A limit out of range is ignored.",
		otherLimit(func(string) int { return spec.DefaultLimit }))
	t.variant("limit-422", "A limit out of range is answered 422.",
		Refusing("limit_invalid").Then(WithStatus(422)))
	t.part("unknown status filter", "LIST-14")
	t.variant("unknown-filter-422", "An unknown status filter is answered 422.",
		Refusing("status_filter_invalid").Then(WithStatus(422)))
	t.variant("unknown-filter-empty", "An unknown status filter lists no animals.",
		Refusing("status_filter_invalid").Then(Replaced(200, MediaJSON, "[]")))
	t.variant("unknown-filter-ignored", "An unknown status filter is ignored.", Before(func(c *Call) {
		if status := c.Request.URL.Query().Get("status"); !spec.PetStatus(status).Valid() {
			c.SetQuery("status")
		}
	}))
	t.part("unknown parameters", "Endpoints / listPets: the answer to other or repeated parameters is not shown")
	t.variant("unknown-parameters-refused", "A query parameter that listPets does not have is answered 400.",
		OnList.And(func(c *Call) bool {
			query := c.Request.URL.Query()
			query.Del("limit")
			query.Del("status")
			return len(query) > 0
		}).Refuse(400))
	t.part("doubled parameters", "Endpoints / listPets: the answer to other or repeated parameters is not shown")
	t.variant("doubled-parameters-accepted", "If a parameter is given twice, the first one counts.", Before(func(c *Call) {
		for name, values := range c.Request.URL.Query() {
			if len(values) > 1 {
				c.SetQuery(name, values[0])
			}
		}
	}))
	t.part("malformed petId", "GET-8")
	t.variant("router-reads-integers", "A petId that is no integer is answered 404 by the router, without a key too.",
		OnGet.Of(401).And(malformed).Then(Lacking("Www-Authenticate"), WithStatus(404)))
	t.variant("malformed-petid-400", "A petId that is not an int64 is answered 400.",
		OnGet.Of(404).And(malformed).Then(WithStatus(400)))
	t.part("orders", "ORDERS-1")
	orders := On(spec.StoreOrders).And(Succeeded)
	t.variant("orders-204", "GET /store/orders answers 204.", orders.Then(Replaced(204, "", "")))
	t.variant("orders-404", "GET /store/orders answers 404.", orders.Then(WithStatus(404)))
	t.variant("orders-403", "GET /store/orders answers 403, as it does not allow every key.", orders.Then(WithStatus(403)))
	t.variant("orders-501", "GET /store/orders answers 501, as it is not implemented.", orders.Then(WithStatus(501)))
	t.part("deprecation headers", "GET-7")
	t.variant("removal-not-announced", "getPet has neither Deprecation nor Sunset.", deprecation("", ""))
	t.variant("removal-in-sunset-only", "getPet has Sunset and no Deprecation.", deprecation("", SunsetValue))
	t.variant("removal-in-deprecation-only", "getPet has Deprecation and no Sunset.", deprecation(DeprecationValue, ""))
	t.variant("removal-in-the-last-second", "Sunset is the last second of 5 December 2030.",
		sunsetAt(24*time.Hour-time.Second))
	t.variant("removal-in-another-zone",
		"Sunset is the beginning of 5 December 2030 in a time zone two hours east of Greenwich.", sunsetAt(-2*time.Hour))
	t.variant("removal-as-an-iso-day", "Deprecation and Sunset are ISO dates.", deprecation("2026-01-01", "2030-12-05"))
}

func elsewhereRows(t *table) {
	t.part("head", "Endpoints: other paths and methods are not named")
	t.variant("head-answered", "HEAD is answered like GET, without a body.", Before(func(c *Call) {
		if c.Request.Method == http.MethodHead {
			c.Route(http.MethodGet, c.Request.URL.EscapedPath())
		}
	}))
	t.part("slash at the end", "Endpoints: other paths and methods are not named")
	t.variant("slash-at-the-end", "A slash at the end of a path is ignored.", Before(func(c *Call) {
		if path, has := strings.CutSuffix(c.Request.URL.EscapedPath(), "/"); has {
			c.Route(c.Request.Method, path)
		}
	}))
	t.part("elsewhere", "Endpoints: other methods are not named")
	t.variant("unknown-paths-without-key",
		"A path or method that the interface does not name is answered before the key is checked.",
		On(spec.Elsewhere).Of(401).Then(Lacking("Www-Authenticate"), func(c *Call, a *Answer) {
			*a = c.Service.Refuse(c, c.Service.RefuseElsewhere(c))
		}))
	t.variant("other-methods-404", "A method that a path does not have is answered 404.",
		Always.Of(405).Then(Lacking("Allow"), WithStatus(404)))
}

// malformed reports whether the petId is no int64.
func malformed(c *Call) bool {
	_, err := strconv.ParseInt(c.PetID, 10, 64)
	return err != nil
}
