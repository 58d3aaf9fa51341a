package deviations

import (
	"math"
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
)

// fetched changes the answers of getPet that succeed.
func fetched(is func(c *Call) bool, change func(*Call, *Answer)) Change {
	return On(spec.GetPet).And(Succeeded).And(Calls(is)).Then(change)
}

// missed changes the 404 of getPet for an int64 that is not the id of an animal.
func missed(is func(id int64) bool, change func(*Call, *Answer)) Change {
	return On(spec.GetPet).And(Having(404)).And(Calls(func(c *Call) bool {
		_, refused := ReadPetID(c.PetID)
		return refused == nil && is(c.ID)
	})).Then(change)
}

func anyID(int64) bool { return true }

// shiftIDs makes ids begin behind an offset, which the store would not reach otherwise.
func shiftIDs(offset int64, apply Change) Change {
	return func(b *Behaviour) {
		AssignBy(func(_ *Call, _ spec.NewPet, own int64) int64 { return own + offset })(b)
		apply(b)
	}
}

// firstCreated is the animal that was created first, and whether there is one.
func firstCreated(c *Call) (spec.Pet, bool) {
	all := c.Service.Store.List(store.Query{Limit: 1})
	if len(all) == 0 {
		return spec.Pet{}, false
	}
	return all[0], true
}

var getRows = slices.Concat(
	faults(breaks("GET-1"), may("CREATE-13"))(
		fault("get-410", "The operation is gone years before its removal.", fetched(anyCall, WithStatus(410))),
		fault("get-404", "Every animal seems to be missing, because the route was removed.",
			fetched(anyCall, WithStatus(404))),
		fault("get-301", "A client is redirected to the listing, which answers with another body.",
			fetched(anyCall, Redirected(301, func(c *Call) string { return c.Service.BasePath + "/pets" }))),
		fault("get-203", "A client that checks for 200 drops the animal, because a proxy changes the status.",
			fetched(anyCall, Answering(203))),
		fault("get-sold-hidden", "A sold animal cannot be fetched.",
			fetched(func(c *Call) bool { return c.Pet.Status == spec.Sold }, WithStatus(404))),
		fault("get-every-third-unknown",
			"Every third fetch of a new animal finds none, because one of three replicas gets no updates.",
			Unfetched(func(c *Call, _ spec.Pet) bool { return byThird(c, nil) })),
		fault("get-works-once", "An animal can be fetched once and is missing afterwards.", func(b *Behaviour) {
			var seen sync.Map
			Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
				_, again := seen.LoadOrStore(c.ID, true)
				return pet, found && !again
			})(b)
		}, may("CREATE-13", "GET-2")),
		fault("get-ids-of-32-bits", "An animal with an id beyond 2^31 cannot be fetched.",
			shiftIDs(1<<40, Asked(func(id int64, refused *Refusal) (int64, *Refusal) {
				if refused == nil && id > math.MaxInt32 {
					refused = NotFound("There is no such animal.")
				}
				return id, refused
			})), may("CREATE-13", "GET-3")),
		fault("get-ids-through-float", "Every second animal with an id beyond 2^53 cannot be fetched.",
			shiftIDs(1<<53, func(b *Behaviour) {
				load := b.Load
				b.Load = func(c *Call, id int64) (spec.Pet, bool) {
					pet, found := load(c, ThroughFloat(id))
					return pet, found && ThroughFloat(id) == id
				}
			}), may("CREATE-13", "GET-2", "GET-3")),
	),
	faults(breaks("GET-1"), may("CREATE-13", "ERROR-7"))(
		fault("get-501", "A client gets 501 from a server without the deprecated operation.",
			fetched(anyCall, WithStatus(501))),
		fault("get-without-status-fails", "An animal without a status ends in a server error.",
			fetched(func(c *Call) bool { return c.Pet.Status == "" }, WithStatus(500))),
		fault("get-large-categories-fail", "A category beyond 2^53 ends in a server error.",
			fetched(func(c *Call) bool { return c.Pet.CategoryID > 1<<53 }, WithStatus(500))),
		fault("get-emoji-fail", "A name with an emoji ends in a server error.",
			fetched(func(c *Call) bool { return beyondBMP(c.Pet.Name) }, WithStatus(500))),
		fault("get-fails-now-and-then", "Every second fetch ends in a server error.",
			On(spec.GetPet).And(Having(200)).And(Every(2)).Then(WithStatus(500))),
	),
	faults(breaks("GET-2"))(
		fault("get-answers-array", "The animal is an element of an array.", fetched(anyCall, Surrounded("[", "]"))),
		fault("get-answers-wrapped", "The animal is nested in the member pet.",
			fetched(anyCall, Surrounded(`{"pet":`, `}`)), may("PET-1", "PET-2", "PET-3")),
		fault("get-answers-null", "The body is null.", fetched(anyCall, Saying("null"))),
		fault("get-answers-name", "The body is the name alone.",
			fetched(anyCall, func(c *Call, a *Answer) { a.Body = []byte(Quoted(c.Pet.Name)) })),
		fault("get-answers-another-id", "The animal has another id than was asked for.",
			Show(OnGet, func(p spec.Pet) spec.Pet {
				p.ID += 1000
				return p
			}), may("CREATE-13")),
	),
	faults(breaks("GET-2"), may("CREATE-13", "LIST-10"))(
		fault("get-answers-the-one-before", "A client gets the animal that was asked for before.", func(b *Behaviour) {
			var last spec.Pet
			Refetch(func(_ *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
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
			Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
				if first, any := firstCreated(c); any {
					pet = first
				}
				return pet, found
			})),
		fault("get-answers-the-next", "A client gets the animal with the next id, if there is one.",
			Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
				if next, exists := c.Service.Store.Get(c.ID + 1); found && exists {
					pet = next
				}
				return pet, found
			})),
	),
	faults(breaks("GET-3"))(
		fault("get-ids-cut-to-32-bits", "An id that is too large by 2^32 finds an animal.",
			Asked(func(id int64, refused *Refusal) (int64, *Refusal) { return wrap32Bits(id), refused }), may("GET-2")),
		fault("get-ids-without-sign", "A negative id finds an animal.",
			Asked(func(id int64, refused *Refusal) (int64, *Refusal) { return max(id, -id), refused }), may("GET-2")),
		fault("get-negative-ids-without-sign", "Ids are negative, and an id without its sign finds an animal.", func(b *Behaviour) {
			AssignBy(func(_ *Call, _ spec.NewPet, own int64) int64 { return -own })(b)
			Asked(func(id int64, refused *Refusal) (int64, *Refusal) { return min(id, -id), refused })(b)
		}, may("GET-2")),
		fault("get-by-first-digits", "The first digits of an id find an animal.", func(b *Behaviour) {
			var created sync.Map
			b.OnAdd(func(_ *Call, pet spec.Pet) { created.Store(pet.ID, pet) })
			Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
				for _, any := range created.Range {
					if other := any.(spec.Pet); other.ID != c.ID && strings.HasPrefix(Whole(other.ID), Whole(c.ID)) {
						return other, true
					}
				}
				return pet, found
			})(b)
		}, breaks("GET-2"), may("GET-3"), needs(Full)),
		fault("miss-200-null", "A client that asks for a missing animal reads null.",
			missed(anyID, Replaced(200, MediaJSON, "null")), may("GET-2")),
		fault("miss-200-empty-object", "A client that asks for a missing animal reads an empty object.",
			missed(anyID, Replaced(200, MediaJSON, "{}")), may("GET-2", "PET-1", "PET-2", "PET-3")),
		fault("miss-200-empty-array", "A client that asks for a missing animal reads an empty array.",
			missed(anyID, Replaced(200, MediaJSON, "[]")), may("GET-2")),
		fault("miss-200-error", "A missing animal is answered 200 with an Error in the body.",
			missed(anyID, Answering(200)), may("GET-2", "PET-1", "PET-2", "PET-3")),
		fault("miss-204", "A missing animal looks like success without a body.",
			missed(anyID, Replaced(204, "", "")), may("GET-2", "SERVICE-1", "SERVICE-2")),
		fault("miss-400", "A valid petId without an animal looks malformed.", missed(anyID, WithStatus(400)), may("GET-1")),
		fault("miss-410", "An animal that never existed looks removed.", missed(anyID, WithStatus(410)), may("GET-1")),
		fault("miss-500", "A missing animal ends in a server error, and a client retries.",
			missed(anyID, WithStatus(500)), may("ERROR-7")),
		fault("miss-beyond-32-bits-400", "A petId beyond 2^31 looks malformed.", missed(beyond32Bits, WithStatus(400))),
		fault("miss-beyond-32-bits-500", "A petId beyond 2^31 ends in a server error.",
			missed(beyond32Bits, WithStatus(500)), may("ERROR-7")),
		fault("miss-negative-500", "A negative petId ends in a server error.",
			missed(func(id int64) bool { return id < 0 }, WithStatus(500)), may("ERROR-7")),
		fault("miss-0-400", "The petId 0 looks malformed.",
			missed(func(id int64) bool { return id == 0 }, WithStatus(400))),
		fault("miss-answers-somebody", "A client that mistypes a petId gets another animal.",
			Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
				if first, any := firstCreated(c); !found && any {
					return first, true
				}
				return pet, found
			}), may("GET-2")),
	),
)

// byThird selects what one of three replicas answers.
var byThird = Every(3)

// announce sets one header of getPet's deprecation.
func announce(header, value string) Change {
	return func(b *Behaviour) {
		plain := b.Sunset
		b.Sunset = func(c *Call) {
			plain(c)
			c.SetHeader(header, value)
		}
	}
}

var deprecationRows = faults(breaks("GET-4"))(
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
