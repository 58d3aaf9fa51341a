package deviations

import (
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
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

var getRows = slices.Concat(
	faults(breaks("GET-1"), may("CREATE-13"))(
		fault("get-301",
			fetched(anyCall, Redirected(301, func(c *Call) string { return c.Service.BasePath + "/pets" }))),
		fault("get-sold-hidden", fetched(func(c *Call) bool { return c.Pet.Status == spec.Sold }, WithStatus(404))),
		fault("get-every-third-unknown", Unfetched(func(c *Call, _ spec.Pet) bool { return byThird(c, nil) })),
		fault("get-works-once", func(b *Behaviour) {
			var seen sync.Map
			Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
				_, again := seen.LoadOrStore(c.ID, true)
				return pet, found && !again
			})(b)
		}, may("CREATE-13", "GET-2")),
	),
	faults(breaks("GET-1"), may("CREATE-13", "ERROR-7"))(
		fault("get-501", fetched(anyCall, WithStatus(501))),
		fault("get-without-status-fails", fetched(func(c *Call) bool { return c.Pet.Status == "" }, WithStatus(500))),
		fault("get-large-categories-fail",
			fetched(func(c *Call) bool { return c.Pet.CategoryID > 1<<53 }, WithStatus(500))),
		fault("get-emoji-fail", fetched(func(c *Call) bool { return beyondBMP(c.Pet.Name) }, WithStatus(500))),
		fault("get-fails-now-and-then", On(spec.GetPet).And(Having(200)).And(Every(2)).Then(WithStatus(500))),
	),
	faults(breaks("GET-2"))(
		fault("get-answers-null", fetched(anyCall, Saying("null"))),
		fault("get-answers-another-id", Show(OnGet, func(p spec.Pet) spec.Pet {
			p.ID += 1000
			return p
		}), may("CREATE-13")),
	),
	faults(breaks("GET-3"))(
		fault("get-ids-cut-to-32-bits",
			Asked(func(id int64, refused *Refusal) (int64, *Refusal) { return wrap32Bits(id), refused }), may("GET-2")),
		fault("get-by-first-digits", func(b *Behaviour) {
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
		fault("miss-200-null", missed(anyID, Replaced(200, MediaJSON, "null")), may("GET-2")),
		fault("miss-200-error", missed(anyID, Answering(200)), may("GET-2", "PET-1", "PET-2", "PET-3")),
		fault("miss-204", missed(anyID, Replaced(204, "", "")), may("GET-2", "SERVICE-1", "SERVICE-2")),
		fault("miss-500", missed(anyID, WithStatus(500)), may("ERROR-7")),
		fault("miss-beyond-32-bits-400", missed(beyond32Bits, WithStatus(400))),
		fault("miss-beyond-32-bits-500", missed(beyond32Bits, WithStatus(500)), may("ERROR-7")),
		fault("miss-negative-500", missed(func(id int64) bool { return id < 0 }, WithStatus(500)), may("ERROR-7")),
		fault("miss-0-400", missed(func(id int64) bool { return id == 0 }, WithStatus(400))),
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
	fault("sunset-a-week-late", announce("Sunset", "Thu, 12 Dec 2030 00:00:00 GMT")),
	fault("sunset-past", announce("Sunset", "Thu, 05 Dec 2019 00:00:00 GMT")),
)
