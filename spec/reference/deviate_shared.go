package reference

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"petconform/spec"
)

// moved redirects with a page.
func moved(c *call, a *answer) {
	c.header.Set("Location", c.service.config.BasePath+"/pets/")
	a.status = http.StatusMovedPermanently
	page(c, a)
}

// swapped writes two headers in each other's place.
func swapped(one, two string) func(*call, *answer) {
	return func(c *call, _ *answer) { c.header[one], c.header[two] = c.header[two], c.header[one] }
}

// sharedDeviations are one fault each that breaks several requirements at once.
var sharedDeviations = []Deviation{
	{Name: "get-301-page", Breaks: ids("GET-1"), May: ids("CREATE-13"),
		Suffers: "A client that fetches an animal is redirected with a page.", apply: fetched(anyCall, moved)},
	{Name: "get-route-moved", Breaks: ids("GET-1", "GET-3", "AUTH-2", "AUTH-3", "AUTH-4", "RATE-1"), May: ids("CREATE-13"),
		Suffers: "The router redirects each getPet with a page, before the limiter and the key.", apply: on(onGet[0]).then(func(c *call, a *answer) {
			moved(c, a)
			noRate(c, a)
		})},
	{Name: "get-of-one-replica-removed", Breaks: ids("GET-1", "ERROR-1", "RATE-1"), May: ids("AUTH-2", "AUTH-3", "AUTH-4", "AUTH-5", "CREATE-13"),
		Suffers: "One replica of three has no getPet, and answers with its router's page.", apply: on(onGet[0]).and(every(3)).then(func(c *call, a *answer) {
			a.status = http.StatusNotFound
			page(c, a)
			noRate(c, a)
		})},
	{Name: "get-of-one-replica-gone", Breaks: ids("GET-1"), May: ids("GET-3", "CREATE-13"),
		Suffers: "One replica of three says that getPet was removed.",
		apply:   on(onGet[0]).and(having(http.StatusOK, http.StatusNotFound)).and(every(3)).then(withStatus(http.StatusGone))},
	{Name: "get-crashes-now-and-then", Needs: Full, Breaks: ids("GET-1", "GET-3"),
		May:     ids("GET-6", "CREATE-13", "ERROR-7"),
		Suffers: "Every eleventh fetch finds no connection to the database, and gets a 500.",
		apply:   on(onGet[0]).and(having(http.StatusOK, http.StatusNotFound)).and(every(11)).then(withStatus(500))},
	{Name: "get-declared-text", Breaks: ids("SERVICE-1", "ERROR-1"),
		Suffers: "Whatever getPet answers is declared as text, so that no client decodes it.",
		apply:   on(onGet[0]).and(having(http.StatusOK, http.StatusNotFound)).then(declared("text/plain"))},
	{Name: "get-null-for-any-unknown-id", Breaks: ids("GET-2", "GET-3"), Suffers: "A client reads null for every petId that no animal has.",
		apply: on(onGet[0]).and(having(http.StatusBadRequest, http.StatusNotFound)).then(replaced(http.StatusOK, mediaJSON, "null"))},
	{Name: "kept-with-the-refused-status", Breaks: ids("CREATE-12", "PET-4"), May: ids("LIST-8"),
		Suffers: "An animal with an unknown status is refused and stored, and every listing has it.",
		apply: storeRefusedAs(func(c *call) spec.NewPet {
			p := salvaged(c)
			p.Status = spec.PetStatus(sentText(c, "status"))
			return p
		}, "status_invalid")},
	{Name: "list-cached-for-any-limit", Breaks: ids("LIST-4"), May: ids("LIST-5", "LIST-8", "LIST-11", "LIST-12"),
		Suffers: "A listing is answered as an earlier one with another limit was, until an animal is created.",
		apply:   cacheListsBy(func(f filter) (filter, bool) { return filter{status: f.status}, true }, true)},
	{Name: "list-cached-for-any-status", Breaks: ids("LIST-7"), May: ids("LIST-8", "LIST-11"),
		Suffers: "A listing is answered as an earlier one with another status was, until an animal is created.",
		apply:   cacheListsBy(func(f filter) (filter, bool) { return filter{limit: f.limit}, true }, true)},
	{Name: "name-with-a-quote-fails", Breaks: ids("CREATE-1", "ERROR-1"), May: ids("ERROR-7"),
		Suffers: "A name with an apostrophe ends in the framework's page, since it is pasted into a query.",
		apply:   on(onCreate[0]).and(succeeded).and(calls(func(c *call) bool { return strings.Contains(c.pet.Name, "'") })).then(as(500, page))},
	{Name: "status-under-an-older-name-by-one-replica", Breaks: ids("CREATE-3"), May: ids("LIST-10", "CREATE-13", "GET-2", "LIST-7", "LIST-8"),
		Suffers: "One replica of three runs an older release, where status has another name.", apply: func(b *behaviour) {
			on(spec.Operations()...).and(succeeded).and(every(3)).then(substituted(`"status":`, `"state":`))(b)
		}},
	{Name: "list-repeated-with-doubles", Needs: Full, Breaks: ids("PET-3"), May: ids("LIST-10"),
		Suffers: "A cache answers the same listing again with each large categoryId as a double.",
		apply:   on(spec.ListPets).and(repeated(http.StatusOK)).then(rewritten(largeAsDoubles))},
	{Name: "create-fails-after-twelve-refusals", Breaks: ids("CREATE-9"), May: ids("CREATE-1", "CREATE-6", "CREATE-7", "CREATE-8", "CREATE-10", "CREATE-11", "ERROR-7"),
		Suffers: "Each refused animal leaks a connection, and no creation is answered once there is none left.", apply: func(b *behaviour) {
			var refused atomic.Int64
			on(onCreate[0]).and(having(http.StatusCreated, http.StatusBadRequest)).and(func(_ *call, a *answer) bool {
				return refused.Load() >= 12 || a.status == http.StatusBadRequest && refused.Add(1) > 12
			}).then(withStatus(500))(b)
		}},
	{Name: "list-fails-while-creating", Breaks: ids("LIST-3"), May: ids("LIST-1", "LIST-6", "ERROR-7"),
		Suffers: "A listing ends in a server error while a createPet holds the table.", apply: failBesideCreation},
	{Name: "rate-limit-and-remaining-swapped-on-201", Breaks: ids("RATE-2"), Suffers: "A 201 has Limit and Remaining in each other's place.",
		apply: on(onCreate[0]).and(succeeded).then(swapped(limitHeader, remainingHeader))},
	{Name: "rate-remaining-and-reset-swapped-on-201", Breaks: ids("RATE-2", "RATE-3"), Suffers: "A 201 has Remaining and Reset in each other's place.",
		apply: on(onCreate[0]).and(succeeded).then(swapped(remainingHeader, resetHeader))},
}

// largeAsDoubles writes numbers of 16 digits or more as JavaScript does.
func largeAsDoubles(body []byte) []byte {
	return largeNumber.ReplaceAllFunc(body, func(n []byte) []byte {
		f, _ := strconv.ParseFloat(string(n), 64)
		return strconv.AppendFloat(nil, f, 'e', -1, 64)
	})
}

var largeNumber = regexp.MustCompile(`-?\b\d{16,}\b`)

// failBesideCreation answers a listing 500 while a createPet is in flight. Each createPet takes 2 ms, so that they overlap.
func failBesideCreation(b *behaviour) {
	var creating atomic.Int64
	around(func(c *call, next handler) answer {
		if c.operation == spec.CreatePet {
			creating.Add(1)
			defer creating.Add(-1)
			time.Sleep(2 * time.Millisecond)
		}
		a := next(c)
		if creating.Load() > 0 && c.operation == spec.ListPets && c.account != nil {
			withStatus(http.StatusInternalServerError)(c, &a)
		}
		return a
	})(b)
}
