package deviations

import (
	"slices"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// sharedCache answers the calls of an operation that carry no valid key from a cache that the calls with one fill, as
// a proxy does that leaves Authorization out of its key.
func sharedCache(op spec.Operation) Change {
	return func(b *Behaviour) {
		var cached sync.Map
		On(op).Then(func(c *Call, a *Answer) {
			address := c.Request.URL.RequestURI()
			if body, hit := cached.Load(address); hit && a.Status == 401 {
				*a = Answer{Status: 200, MediaType: MediaJSON, Body: body.([]byte)}
			} else if a.Status == 200 {
				cached.Store(address, slices.Clone(a.Body))
			}
		})(b)
	}
}

// ofOthers reports whether an animal was there before the first request.
func ofOthers(c *Call, id int64) bool { return id <= int64(c.Service.Seed) }

// vantageRows show only to a client that looks from another side: at what others created, without its key, or a
// moment earlier.
var vantageRows = slices.Concat(
	faults(breaks("GET-1"), needs(Animals))(
		fault("get-old-animals-fail",
			seeded(10, fetched(func(c *Call) bool { return ofOthers(c, c.Pet.ID) }, WithStatus(500))), may("ERROR-7")),
		fault("get-first-of-the-store-unknown",
			seeded(10, Unfetched(func(_ *Call, p spec.Pet) bool { return p.ID == 1 }))),
	),
	faults(breaks("LIST-8"), needs(Animals))(
		fault("filter-knows-new-animals-only",
			seeded(10, miss(func(c *Call, p spec.Pet) bool { return ofOthers(c, p.ID) }))),
	),
	faults(breaks("AUTH-2"), may("AUTH-3", "AUTH-4"))(
		fault("auth-fetched-animal-cached-for-anyone", sharedCache(spec.GetPet)),
		fault("auth-listing-cached-for-anyone", sharedCache(spec.ListPets)),
	),
)
