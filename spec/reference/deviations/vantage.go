package deviations

import (
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
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
		fault("get-knows-new-animals-only", seeded(10, Unfetched(func(c *Call, p spec.Pet) bool { return ofOthers(c, p.ID) }))),
		fault("get-old-animals-fail",
			seeded(10, fetched(func(c *Call) bool { return ofOthers(c, c.Pet.ID) }, WithStatus(500))), may("ERROR-7")),
		fault("get-first-of-the-store-unknown", seeded(10, Unfetched(func(_ *Call, p spec.Pet) bool { return p.ID == 1 }))),
	),
	faults(breaks("LIST-8"), needs(Animals))(
		fault("filter-knows-new-animals-only", seeded(10, miss(func(c *Call, p spec.Pet) bool { return ofOthers(c, p.ID) }))),
	),
	faults(breaks("AUTH-3"))(
		fault("auth-any-key-accepted-with-a-filter",
			func(b *Behaviour) {
				check, unguarded := b.Authenticate, Behaviour{Authenticate: b.Authenticate}
				accept([]spec.Operation{spec.ListPets}, anyKey)(&unguarded)
				b.Authenticate = func(c *Call) *Refusal {
					if strings.Contains(c.Request.URL.RawQuery, "status=") {
						return unguarded.Authenticate(c)
					}
					return check(c)
				}
			}),
	),
	faults(breaks("GET-1"), may("CREATE-13"))(
		fault("get-first-created-unknown", Unfetched(func(_ *Call, p spec.Pet) bool { return p.ID == 1 })),
		fault("get-miss-remembered", rememberMisses),
	),
	faults(breaks("AUTH-2"), may("AUTH-3", "AUTH-4"))(
		fault("auth-fetched-animal-cached-for-anyone", sharedCache(spec.GetPet)),
		fault("auth-listing-cached-for-anyone", sharedCache(spec.ListPets)),
	),
	faults(breaks("GET-2"), may("CREATE-13", "LIST-10"))(
		fault("get-every-fifth-answers-the-first", Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
			if first, any := firstCreated(c); found && any && byFifth(c, nil) {
				pet = otherThan(c, pet, first)
			}
			return pet, found
		})),
	),
	faults(breaks("LIST-11"), needs(Animals))(
		fault("list-50-at-most-newest-first",
			seeded(60, func(b *Behaviour) {
				b.ListOrder = store.NewestFirst
				trim(false, func(pets []spec.Pet) []spec.Pet { return firstPets(pets, 50) })(b)
			})),
	),
)

var byFifth = Every(5)

// otherThan is the first animal, or the one after it where pet is the first.
func otherThan(c *Call, pet, first spec.Pet) spec.Pet {
	if pet.ID != first.ID {
		return first
	}
	if next, found := c.Service.Store.Get(first.ID + 1); found {
		return next
	}
	return pet
}

// rememberMisses keeps the 404 of an id.
func rememberMisses(b *Behaviour) {
	var missing sync.Map
	Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
		if !found {
			missing.Store(c.ID, true)
		}
		_, cached := missing.Load(c.ID)
		return pet, found && !cached
	})(b)
}
