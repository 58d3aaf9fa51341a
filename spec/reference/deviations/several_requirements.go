package deviations

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// moved redirects with a page.
func moved(c *Call, a *Answer) {
	c.Header.Set("Location", c.Service.BasePath+"/pets/")
	a.Status = http.StatusMovedPermanently
	page(c, a)
}

// swapped writes two headers in each other's place.
func swapped(one, two string) func(*Call, *Answer) {
	return func(c *Call, _ *Answer) { c.Header[one], c.Header[two] = c.Header[two], c.Header[one] }
}

// severalRows are one fault each that breaks several requirements at once.
var severalRows = faults()(
	fault("get-route-moved", On(OnGet[0]).Then(func(c *Call, a *Answer) {
		moved(c, a)
		noRate(c, a)
	}), breaks("GET-1", "GET-3", "AUTH-2", "AUTH-3", "AUTH-4", "RATE-1"), may("CREATE-13")),
	fault("get-of-one-replica-removed", On(OnGet[0]).And(Every(3)).Then(func(c *Call, a *Answer) {
		a.Status = http.StatusNotFound
		page(c, a)
		noRate(c, a)
	}), breaks("GET-1", "ERROR-1", "RATE-1"), may("AUTH-2", "AUTH-3", "AUTH-4", "AUTH-5", "CREATE-13")),
	fault("get-of-one-replica-gone", On(OnGet[0]).And(Having(200, 404)).And(Every(3)).Then(WithStatus(410)),
		needs(Full), breaks("GET-1"), may("GET-3", "CREATE-13")), // in a quick run each 410 may meet an id that no animal has
	fault("get-crashes-now-and-then", On(OnGet[0]).And(Having(200, 404)).And(Every(11)).Then(WithStatus(500)),
		needs(Full), breaks("GET-1", "GET-3"), may("GET-6", "CREATE-13", "ERROR-7")),
	fault("get-declared-text",
		On(OnGet[0]).And(Having(200, 404)).Then(Declared("text/plain")), breaks("SERVICE-1", "ERROR-1")),
	fault("get-null-for-any-unknown-id",
		On(OnGet[0]).And(Having(400, 404)).Then(Replaced(200, MediaJSON, "null")), breaks("GET-2", "GET-3")),
	fault("kept-with-the-refused-status",
		storeRefusedAs(func(c *Call) spec.NewPet {
			p := salvaged(c)
			p.Status = spec.PetStatus(sentText(c, "status"))
			return p
		}, "status_invalid"), breaks("CREATE-12", "PET-4"), may("LIST-8")),
	fault("list-cached-for-any-limit",
		cacheListsBy(func(f Filter) (Filter, bool) { return Filter{Status: f.Status}, true }, true),
		breaks("LIST-4"), may("LIST-5", "LIST-8", "LIST-11", "LIST-12")),
	fault("list-cached-for-any-status",
		cacheListsBy(func(f Filter) (Filter, bool) { return Filter{Limit: f.Limit}, true }, true),
		breaks("LIST-7"), may("LIST-8", "LIST-11")),
	fault("list-shares-what-is-in-flight",
		shareFlights, breaks("LIST-7"), may("LIST-4", "LIST-5", "LIST-8", "LIST-10", "LIST-11", "LIST-12")),
	fault("name-in-capitals-fails",
		On(OnCreate[0]).And(Succeeded).And(Calls(func(c *Call) bool { return strings.Contains(c.Pet.Name, "-AVAILABLE") })).Then(as(500, page)),
		breaks("CREATE-1", "ERROR-1"), may("ERROR-7")),
	fault("name-with-a-quote-fails",
		On(OnCreate[0]).And(Succeeded).And(Calls(func(c *Call) bool { return strings.Contains(c.Pet.Name, "'") })).Then(as(500, page)),
		breaks("CREATE-1", "ERROR-1"), may("ERROR-7")),
	fault("status-under-an-old-name-by-one-replica",
		func(b *Behaviour) {
			On(spec.Operations()...).And(Succeeded).And(Every(3)).Then(Substituted(`"status":`, `"state":`))(b)
		}, breaks("CREATE-3"), may("LIST-10", "CREATE-13", "GET-2", "LIST-7", "LIST-8")),
	fault("create-fails-after-twelve-refusals",
		func(b *Behaviour) {
			var refused atomic.Int64
			On(OnCreate[0]).And(Having(201, 400)).And(func(_ *Call, a *Answer) bool {
				return refused.Load() >= 12 || a.Status == http.StatusBadRequest && refused.Add(1) > 12
			}).Then(WithStatus(500))(b)
		},
		breaks("CREATE-9"), may("CREATE-1", "CREATE-6", "CREATE-7", "CREATE-8", "CREATE-10", "CREATE-11", "ERROR-7")),
	fault("list-fails-while-creating", failBesideCreation, breaks("LIST-3"), may("LIST-1", "LIST-6", "ERROR-7")),
	fault("rate-remaining-and-reset-swapped-on-201",
		On(OnCreate[0]).And(Succeeded).Then(swapped(RemainingHeader, ResetHeader)), breaks("RATE-2", "RATE-3"), may("RATE-4")),
)

// failBesideCreation answers a listing 500 while a createPet is in flight. Each createPet takes 2 ms, so that they
// overlap.
func failBesideCreation(b *Behaviour) {
	var creating atomic.Int64
	Around(func(c *Call, next Handler) Answer {
		if c.Operation == spec.CreatePet {
			creating.Add(1)
			defer creating.Add(-1)
			time.Sleep(2 * time.Millisecond)
		}
		a := next(c)
		if creating.Load() > 0 && c.Operation == spec.ListPets && c.Account != nil {
			WithStatus(500)(c, &a)
		}
		return a
	})(b)
}

// shareFlights gives a listing the result of the one that is worked out, which takes 2 ms, so that they overlap.
func shareFlights(b *Behaviour) {
	var one singleflight.Group
	find := b.Find
	b.Find = func(c *Call, f Filter) []spec.Pet {
		pets, _, _ := one.Do("", func() (any, error) {
			time.Sleep(2 * time.Millisecond)
			return find(c, f), nil
		})
		return slices.Clone(pets.([]spec.Pet))
	}
}
