package reference

import (
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// sharedCache answers the calls of an operation that carry no valid key from a cache that the calls with one fill, as a proxy does
// that leaves Authorization out of its key.
func sharedCache(op spec.Operation) func(*behaviour) {
	return func(b *behaviour) {
		var cached sync.Map
		on(op).then(func(c *call, a *answer) {
			address := c.request.URL.RequestURI()
			if body, hit := cached.Load(address); hit && a.status == 401 {
				*a = answer{200, mediaJSON, body.([]byte)}
			} else if a.status == 200 {
				cached.Store(address, slices.Clone(a.body))
			}
		})(b)
	}
}

// ofOthers reports whether an animal was there before the first request.
func ofOthers(c *call, id int64) bool { return id <= int64(c.service.seed) }

// vantageDeviations show only to a client that looks from another side: at what others created, without its key, or a moment earlier.
var vantageDeviations = slices.Concat(
	faults(breaks("GET-1"), needs(Animals))(
		fault("get-knows-new-animals-only", "Animals from before the last deployment are listed and cannot be fetched.",
			seeded(10, unfetched(func(c *call, p spec.Pet) bool { return ofOthers(c, p.ID) }))),
		fault("get-old-animals-fail",
			"Animals from before the last deployment end in a server error when they are fetched.",
			seeded(10, fetched(func(c *call) bool { return ofOthers(c, c.pet.ID) }, withStatus(500))), may("ERROR-7")),
		fault("get-first-of-the-store-unknown", "The first animal of the store cannot be fetched.",
			seeded(10, unfetched(func(_ *call, p spec.Pet) bool { return p.ID == 1 }))),
	),
	faults(breaks("LIST-8"), needs(Animals))(
		fault("filter-knows-new-animals-only", "A filter lists no animals from before the last deployment.",
			seeded(10, refind(func(c *call, pets []spec.Pet) []spec.Pet {
				return slices.DeleteFunc(pets, func(p spec.Pet) bool { return c.filter.status != "" && ofOthers(c, p.ID) })
			}))),
	),
	faults(breaks("AUTH-3"))(
		fault("auth-any-key-accepted-with-a-filter",
			"The key is checked for the bare path only, so any word lists animals by status.",
			func(b *behaviour) {
				check, unguarded := b.authenticate, behaviour{authenticate: b.authenticate}
				accept([]spec.Operation{spec.ListPets}, anyKey)(&unguarded)
				b.authenticate = func(c *call) *refusal {
					if strings.Contains(c.request.URL.RawQuery, "status=") {
						return unguarded.authenticate(c)
					}
					return check(c)
				}
			}),
	),
	faults(breaks("GET-1"), may("CREATE-13"))(
		fault("get-first-created-unknown", "The first animal of an empty store cannot be fetched.",
			unfetched(func(_ *call, p spec.Pet) bool { return p.ID == 1 })),
		fault("get-miss-remembered",
			"An animal cannot be fetched if its id was asked for before its creation, because the 404 is cached.",
			rememberMisses),
	),
	faults(breaks("AUTH-2"), may("AUTH-3", "AUTH-4"))(
		fault("auth-fetched-animal-cached-for-anyone",
			"An animal that was fetched with a key is shown to anyone, from a cache.",
			sharedCache(spec.GetPet)),
		fault("auth-listing-cached-for-anyone", "A listing that was read with a key is shown to anyone, from a cache.",
			sharedCache(spec.ListPets)),
	),
	faults(breaks("GET-2"), may("CREATE-13", "LIST-10"))(
		fault("get-every-fifth-answers-the-first", "Every fifth fetch answers another animal.",
			refetch(func(c *call, pet spec.Pet, found bool) (spec.Pet, bool) {
				if first, any := firstCreated(c); found && any && byFifth(c, nil) {
					pet = otherThan(c, pet, first)
				}
				return pet, found
			})),
	),
	faults(breaks("LIST-11"), needs(Animals))(
		fault("list-50-at-most-newest-first",
			"A listing has at most 50 animals, whatever the limit, so that older ones are out of reach.",
			seeded(60, func(b *behaviour) {
				b.listOrder = store.NewestFirst
				trim(false, func(pets []spec.Pet) []spec.Pet { return firstPets(pets, 50) })(b)
			})),
	),
)

var byFifth = every(5)

// otherThan is the first animal, or the one after it where pet is the first.
func otherThan(c *call, pet, first spec.Pet) spec.Pet {
	if pet.ID != first.ID {
		return first
	}
	if next, found, err := c.service.store.Get(first.ID + 1); found && err == nil {
		return next
	}
	return pet
}

// rememberMisses keeps the 404 of an id.
func rememberMisses(b *behaviour) {
	var missing sync.Map
	refetch(func(c *call, pet spec.Pet, found bool) (spec.Pet, bool) {
		if !found {
			missing.Store(c.id, true)
		}
		_, cached := missing.Load(c.id)
		return pet, found && !cached
	})(b)
}
