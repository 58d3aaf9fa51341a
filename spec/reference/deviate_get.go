package reference

import (
	"math"
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// fetched changes the answers of getPet that succeed.
func fetched(is func(c *call) bool, change func(*call, *answer)) func(*behaviour) {
	return on(spec.GetPet).and(succeeded).and(calls(is)).then(change)
}

// missed changes the 404 of getPet for an int64 that is not the id of an animal.
func missed(is func(id int64) bool, change func(*call, *answer)) func(*behaviour) {
	return on(spec.GetPet).and(having(404)).and(calls(func(c *call) bool {
		_, refused := readPetID(c.petID)
		return refused == nil && is(c.id)
	})).then(change)
}

func anyID(int64) bool { return true }

// shiftIDs makes ids begin behind an offset, which the store would not reach otherwise.
func shiftIDs(offset int64, apply func(*behaviour)) func(*behaviour) {
	return func(b *behaviour) {
		assignBy(func(_ *call, _ spec.NewPet, own int64) int64 { return own + offset })(b)
		apply(b)
	}
}

// firstCreated is the animal that was created first, and whether there is one.
func firstCreated(c *call) (spec.Pet, bool) {
	all, err := c.service.store.List(store.Query{Limit: 1})
	if err != nil || len(all) == 0 {
		return spec.Pet{}, false
	}
	return all[0], true
}

var getDeviations = slices.Concat(
	faults(breaks("GET-1"), may("CREATE-13"))(
		fault("get-410", "The operation is gone years before its removal.", fetched(anyCall, withStatus(410))),
		fault("get-404", "Every animal seems to be missing, because the route was removed.",
			fetched(anyCall, withStatus(404))),
		fault("get-301", "A client is redirected to the listing, which answers with another body.",
			fetched(anyCall, redirected(301, func(c *call) string { return c.service.basePath + "/pets" }))),
		fault("get-203", "A client that checks for 200 drops the animal, because a proxy changes the status.",
			fetched(anyCall, answering(203))),
		fault("get-sold-hidden", "A sold animal cannot be fetched.",
			fetched(func(c *call) bool { return c.pet.Status == spec.Sold }, withStatus(404))),
		fault("get-every-third-unknown",
			"Every third fetch of a new animal finds none, because one of three replicas gets no updates.",
			unfetched(func(c *call, _ spec.Pet) bool { return byThird(c, nil) })),
		fault("get-works-once", "An animal can be fetched once and is missing afterwards.", func(b *behaviour) {
			var seen sync.Map
			refetch(func(c *call, pet spec.Pet, found bool) (spec.Pet, bool) {
				_, again := seen.LoadOrStore(c.id, true)
				return pet, found && !again
			})(b)
		}, may("CREATE-13", "GET-2")),
		fault("get-ids-of-32-bits", "An animal with an id beyond 2^31 cannot be fetched.",
			shiftIDs(1<<40, asked(func(id int64, refused *refusal) (int64, *refusal) {
				if refused == nil && id > math.MaxInt32 {
					refused = notFound("There is no such animal.")
				}
				return id, refused
			})), may("CREATE-13", "GET-3")),
		fault("get-ids-through-float", "Every second animal with an id beyond 2^53 cannot be fetched.",
			shiftIDs(1<<53, func(b *behaviour) {
				load := b.load
				b.load = func(c *call, id int64) (spec.Pet, bool, error) {
					pet, found, err := load(c, throughFloat(id))
					return pet, found && throughFloat(id) == id, err
				}
			}), may("CREATE-13", "GET-2", "GET-3")),
	),
	faults(breaks("GET-1"), may("CREATE-13", "ERROR-7"))(
		fault("get-501", "A client gets 501 from a server without the deprecated operation.",
			fetched(anyCall, withStatus(501))),
		fault("get-without-status-fails", "An animal without a status ends in a server error.",
			fetched(func(c *call) bool { return c.pet.Status == "" }, withStatus(500))),
		fault("get-large-categories-fail", "A category beyond 2^53 ends in a server error.",
			fetched(func(c *call) bool { return c.pet.CategoryID > 1<<53 }, withStatus(500))),
		fault("get-emoji-fail", "A name with an emoji ends in a server error.",
			fetched(func(c *call) bool { return beyondBMP(c.pet.Name) }, withStatus(500))),
		fault("get-fails-now-and-then", "Every second fetch ends in a server error.",
			on(spec.GetPet).and(having(200)).and(every(2)).then(withStatus(500))),
	),
	faults(breaks("GET-2"))(
		fault("get-answers-array", "The animal is an element of an array.", fetched(anyCall, surrounded("[", "]"))),
		fault("get-answers-wrapped", "The animal is nested in the member pet.",
			fetched(anyCall, surrounded(`{"pet":`, `}`)), may("PET-1", "PET-2", "PET-3")),
		fault("get-answers-null", "The body is null.", fetched(anyCall, saying("null"))),
		fault("get-answers-name", "The body is the name alone.",
			fetched(anyCall, func(c *call, a *answer) { a.body = []byte(quoted(c.pet.Name)) })),
		fault("get-answers-another-id", "The animal has another id than was asked for.",
			show(onGet, func(p spec.Pet) spec.Pet {
				p.ID += 1000
				return p
			}), may("CREATE-13")),
	),
	faults(breaks("GET-2"), may("CREATE-13", "LIST-10"))(
		fault("get-answers-the-one-before", "A client gets the animal that was asked for before.", func(b *behaviour) {
			var mu sync.Mutex
			var last spec.Pet
			refetch(func(_ *call, pet spec.Pet, found bool) (spec.Pet, bool) {
				mu.Lock()
				defer mu.Unlock()
				if found {
					pet, last = last, pet
					if pet.ID == 0 {
						pet = last
					}
				}
				return pet, found
			})(b)
		}),
		fault("get-answers-the-first", "A client gets the first animal, whatever the petId.",
			refetch(func(c *call, pet spec.Pet, found bool) (spec.Pet, bool) {
				if first, any := firstCreated(c); any {
					pet = first
				}
				return pet, found
			})),
		fault("get-answers-the-next", "A client gets the animal with the next id, if there is one.",
			func(b *behaviour) {
				load := b.load
				refetch(func(c *call, pet spec.Pet, found bool) (spec.Pet, bool) {
					if next, exists, err := load(c, c.id+1); found && exists && err == nil {
						pet = next
					}
					return pet, found
				})(b)
			}),
	),
	faults(breaks("GET-3"))(
		fault("get-ids-cut-to-32-bits", "An id that is too large by 2^32 finds an animal.",
			asked(func(id int64, refused *refusal) (int64, *refusal) { return wrap32Bits(id), refused }), may("GET-2")),
		fault("get-ids-without-sign", "A negative id finds an animal.",
			asked(func(id int64, refused *refusal) (int64, *refusal) { return max(id, -id), refused }), may("GET-2")),
		fault("get-by-first-digits", "The first digits of an id find an animal.", func(b *behaviour) {
			var created sync.Map
			b.onAdd(func(_ *call, pet spec.Pet) { created.Store(pet.ID, pet) })
			refetch(func(c *call, pet spec.Pet, found bool) (spec.Pet, bool) {
				for _, any := range created.Range {
					if other := any.(spec.Pet); other.ID != c.id && strings.HasPrefix(whole(other.ID), whole(c.id)) {
						return other, true
					}
				}
				return pet, found
			})(b)
		}, breaks("GET-2"), may("GET-3"), needs(Full)),
		fault("miss-200-null", "A client that asks for a missing animal reads null.",
			missed(anyID, replaced(200, mediaJSON, "null")), may("GET-2")),
		fault("miss-200-empty-object", "A client that asks for a missing animal reads an empty object.",
			missed(anyID, replaced(200, mediaJSON, "{}")), may("GET-2", "PET-1", "PET-2", "PET-3")),
		fault("miss-200-empty-array", "A client that asks for a missing animal reads an empty array.",
			missed(anyID, replaced(200, mediaJSON, "[]")), may("GET-2")),
		fault("miss-200-error", "A missing animal is answered 200 with an Error in the body.",
			missed(anyID, answering(200)), may("GET-2", "PET-1", "PET-2", "PET-3")),
		fault("miss-204", "A missing animal looks like success without a body.",
			missed(anyID, replaced(204, "", "")), may("GET-2", "SERVICE-1", "SERVICE-2")),
		fault("miss-400", "A valid petId without an animal looks malformed.", missed(anyID, withStatus(400))),
		fault("miss-410", "An animal that never existed looks removed.", missed(anyID, withStatus(410))),
		fault("miss-500", "A missing animal ends in a server error, and a client retries.",
			missed(anyID, withStatus(500)), may("ERROR-7")),
		fault("miss-beyond-32-bits-400", "A petId beyond 2^31 looks malformed.", missed(beyond32Bits, withStatus(400))),
		fault("miss-beyond-32-bits-500", "A petId beyond 2^31 ends in a server error.",
			missed(beyond32Bits, withStatus(500)), may("ERROR-7")),
		fault("miss-negative-500", "A negative petId ends in a server error.",
			missed(func(id int64) bool { return id < 0 }, withStatus(500)), may("ERROR-7")),
		fault("miss-0-400", "The petId 0 looks malformed.",
			missed(func(id int64) bool { return id == 0 }, withStatus(400))),
		fault("miss-answers-somebody", "A client that mistypes a petId gets another animal.",
			refetch(func(c *call, pet spec.Pet, found bool) (spec.Pet, bool) {
				if first, any := firstCreated(c); !found && any {
					return first, true
				}
				return pet, found
			}), may("GET-2")),
	),
)

// byThird selects what one of three replicas answers.
var byThird = every(3)

// announce sets one header of getPet's deprecation.
func announce(header, value string) func(*behaviour) {
	return func(b *behaviour) {
		plain := b.sunset
		b.sunset = func(c *call) {
			plain(c)
			c.setHeader(header, value)
		}
	}
}

var deprecationDeviations = faults(breaks("GET-4"))(
	fault("sunset-three-days-early", "Clients stop three days before the removal.",
		announce("Sunset", "Mon, 02 Dec 2030 00:00:00 GMT")),
	fault("sunset-a-week-late", "Clients call the operation for a week after its removal.",
		announce("Sunset", "Thu, 12 Dec 2030 00:00:00 GMT")),
	fault("sunset-month-and-day-swapped", "Clients stop seven months early.",
		announce("Sunset", "Sun, 12 May 2030 00:00:00 GMT")),
	fault("sunset-past", "Clients stop although the operation still works.",
		announce("Sunset", "Thu, 05 Dec 2019 00:00:00 GMT")),
	fault("sunset-iso-month-and-day-swapped", "Clients stop seven months early.",
		announce("Sunset", "2030-05-12T00:00:00Z")),
	fault("deprecation-word", "A client that expects a date reads a word.", announce("Deprecation", "deprecated")),
	fault("deprecation-after-sunset", "The operation is deprecated after its removal.",
		announce("Deprecation", "@1956528000")),
	fault("deprecation-milliseconds", "The operation is deprecated in fifty thousand years.",
		announce("Deprecation", "@1735689600000")),
)
