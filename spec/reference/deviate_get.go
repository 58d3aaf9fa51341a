package reference

import (
	"math"
	"net/http"
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
	return on(spec.GetPet).and(having(http.StatusNotFound)).and(calls(func(c *call) bool {
		_, refused := readPetID(c.petID)
		return refused == nil && is(c.id)
	})).then(change)
}

func anyID(int64) bool { return true }

// asked changes the petId that is read.
func asked(change func(id int64, refused *refusal) (int64, *refusal)) func(*behaviour) {
	return func(b *behaviour) {
		read := b.parsePetID
		b.parsePetID = func(raw string) (int64, *refusal) { return change(read(raw)) }
	}
}

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
	table(Deviation{Breaks: ids("GET-1"), May: ids("CREATE-13")}, []Deviation{
		{Name: "get-410", Suffers: "The operation is gone years before its removal.", apply: fetched(anyCall, withStatus(http.StatusGone))},
		{Name: "get-404", Suffers: "Every animal seems to be missing, because the route was removed.", apply: fetched(anyCall, withStatus(http.StatusNotFound))},
		{Name: "get-301", Suffers: "A client is redirected to the listing, which answers with another body.",
			apply: fetched(anyCall, redirected(http.StatusMovedPermanently, func(c *call) string { return c.service.config.BasePath + "/pets" }))},
		{Name: "get-203", Suffers: "A client that checks for 200 drops the animal, because a proxy changes the status.", apply: fetched(anyCall, answering(http.StatusNonAuthoritativeInfo))},
		{Name: "get-sold-hidden", Suffers: "A sold animal cannot be fetched.", apply: fetched(func(c *call) bool { return c.pet.Status == spec.Sold }, withStatus(http.StatusNotFound))},
		{Name: "get-every-third-unknown", Suffers: "Every third fetch of a new animal finds none, because one of three replicas gets no updates.",
			apply: refetch(func(c *call, _ int64, pet spec.Pet, found bool) (spec.Pet, bool) {
				return pet, found && !byThird(c, nil)
			})},
		{Name: "get-works-once", May: ids("CREATE-13", "GET-2"), Suffers: "An animal can be fetched once and is missing afterwards.", apply: func(b *behaviour) {
			var seen sync.Map
			refetch(func(_ *call, id int64, pet spec.Pet, found bool) (spec.Pet, bool) {
				_, again := seen.LoadOrStore(id, true)
				return pet, found && !again
			})(b)
		}},
		{Name: "get-ids-of-32-bits", May: ids("CREATE-13", "GET-3"), Suffers: "An animal with an id beyond 2^31 cannot be fetched.",
			apply: shiftIDs(1<<40, asked(func(id int64, refused *refusal) (int64, *refusal) {
				if refused == nil && id > math.MaxInt32 {
					refused = notFound("There is no such animal.")
				}
				return id, refused
			}))},
		{Name: "get-ids-through-float", May: ids("CREATE-13", "GET-2", "GET-3"), Suffers: "Every second animal with an id beyond 2^53 cannot be fetched.",
			apply: shiftIDs(1<<53, func(b *behaviour) {
				load := b.load
				b.load = func(c *call, id int64) (spec.Pet, bool, error) {
					pet, found, err := load(c, throughFloat(id))
					return pet, found && throughFloat(id) == id, err
				}
			})},
	}),
	table(Deviation{Breaks: ids("GET-1"), May: ids("CREATE-13", "ERROR-7")}, []Deviation{
		{Name: "get-501", Suffers: "A client gets 501 from a server without the deprecated operation.", apply: fetched(anyCall, withStatus(http.StatusNotImplemented))},
		{Name: "get-without-status-fails", Suffers: "An animal without a status ends in a server error.", apply: fetched(func(c *call) bool { return c.pet.Status == "" }, withStatus(500))},
		{Name: "get-large-categories-fail", Suffers: "A category beyond 2^53 ends in a server error.", apply: fetched(func(c *call) bool { return c.pet.CategoryID > 1<<53 }, withStatus(500))},
		{Name: "get-emoji-fail", Suffers: "A name with an emoji ends in a server error.", apply: fetched(func(c *call) bool { return beyondBMP(c.pet.Name) }, withStatus(500))},
		{Name: "get-fails-now-and-then", Suffers: "Every second fetch ends in a server error.",
			apply: on(spec.GetPet).and(having(http.StatusOK)).and(every(2)).then(withStatus(500))},
	}),
	table(Deviation{Breaks: ids("GET-2")}, []Deviation{
		{Name: "get-answers-array", Suffers: "The animal is an element of an array.", apply: fetched(anyCall, surrounded("[", "]"))},
		{Name: "get-answers-wrapped", May: ids("PET-1", "PET-2", "PET-3"), Suffers: "The animal is nested in the member pet.", apply: fetched(anyCall, surrounded(`{"pet":`, `}`))},
		{Name: "get-answers-null", Suffers: "The body is null.", apply: fetched(anyCall, saying("null"))},
		{Name: "get-answers-name", Suffers: "The body is the name alone.", apply: fetched(anyCall, func(c *call, a *answer) { a.body = []byte(quoted(c.pet.Name)) })},
		{Name: "get-answers-another-id", May: ids("CREATE-13"), Suffers: "The animal has another id than was asked for.", apply: show(onGet, func(p spec.Pet) spec.Pet {
			p.ID += 1000
			return p
		})},
	}),
	table(Deviation{Breaks: ids("GET-2"), May: ids("CREATE-13", "LIST-10")}, []Deviation{
		{Name: "get-answers-the-one-before", Suffers: "A client gets the animal that was asked for before.", apply: func(b *behaviour) {
			var mu sync.Mutex
			var last spec.Pet
			refetch(func(_ *call, _ int64, pet spec.Pet, found bool) (spec.Pet, bool) {
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
		}},
		{Name: "get-answers-the-first", Suffers: "A client gets the first animal, whatever the petId.", apply: refetch(func(c *call, _ int64, pet spec.Pet, found bool) (spec.Pet, bool) {
			if first, any := firstCreated(c); any {
				pet = first
			}
			return pet, found
		})},
		{Name: "get-answers-the-next", Suffers: "A client gets the animal with the next id, if there is one.", apply: func(b *behaviour) {
			load := b.load
			refetch(func(c *call, id int64, pet spec.Pet, found bool) (spec.Pet, bool) {
				if next, exists, err := load(c, id+1); found && exists && err == nil {
					pet = next
				}
				return pet, found
			})(b)
		}},
	}),
	table(Deviation{Breaks: ids("GET-3")}, []Deviation{
		{Name: "get-ids-cut-to-32-bits", May: ids("GET-2"), Suffers: "An id that is too large by 2^32 finds an animal.",
			apply: asked(func(id int64, refused *refusal) (int64, *refusal) { return wrap32Bits(id), refused })},
		{Name: "get-ids-without-sign", May: ids("GET-2"), Suffers: "A negative id finds an animal.",
			apply: asked(func(id int64, refused *refusal) (int64, *refusal) { return max(id, -id), refused })},
		{Name: "get-by-first-digits", Breaks: ids("GET-2"), May: ids("GET-3"), Needs: Full, Suffers: "The first digits of an id find an animal.",
			apply: func(b *behaviour) {
				var created sync.Map
				b.onAdd(func(_ *call, pet spec.Pet) { created.Store(pet.ID, pet) })
				refetch(func(_ *call, id int64, pet spec.Pet, found bool) (spec.Pet, bool) {
					for _, any := range created.Range {
						if other := any.(spec.Pet); other.ID != id && strings.HasPrefix(whole(other.ID), whole(id)) {
							return other, true
						}
					}
					return pet, found
				})(b)
			}},
		{Name: "miss-200-null", May: ids("GET-2"), Suffers: "A client that asks for a missing animal reads null.", apply: missed(anyID, replaced(200, mediaJSON, "null"))},
		{Name: "miss-200-empty-object", May: ids("GET-2", "PET-1", "PET-2", "PET-3"), Suffers: "A client that asks for a missing animal reads an empty object.",
			apply: missed(anyID, replaced(200, mediaJSON, "{}"))},
		{Name: "miss-200-empty-array", May: ids("GET-2"), Suffers: "A client that asks for a missing animal reads an empty array.", apply: missed(anyID, replaced(200, mediaJSON, "[]"))},
		{Name: "miss-200-error", May: ids("GET-2", "PET-1", "PET-2", "PET-3"), Suffers: "A missing animal is answered 200 with an Error in the body.", apply: missed(anyID, answering(200))},
		{Name: "miss-204", May: ids("GET-2", "SERVICE-1", "SERVICE-2"), Suffers: "A missing animal looks like success without a body.", apply: missed(anyID, replaced(204, "", ""))},
		{Name: "miss-400", Suffers: "A valid petId without an animal looks malformed.", apply: missed(anyID, withStatus(400))},
		{Name: "miss-410", Suffers: "An animal that never existed looks removed.", apply: missed(anyID, withStatus(410))},
		{Name: "miss-500", May: ids("ERROR-7"), Suffers: "A missing animal ends in a server error, and a client retries.", apply: missed(anyID, withStatus(500))},
		{Name: "miss-beyond-32-bits-400", Suffers: "A petId beyond 2^31 looks malformed.", apply: missed(beyond32Bits, withStatus(400))},
		{Name: "miss-beyond-32-bits-500", May: ids("ERROR-7"), Suffers: "A petId beyond 2^31 ends in a server error.", apply: missed(beyond32Bits, withStatus(500))},
		{Name: "miss-negative-500", May: ids("ERROR-7"), Suffers: "A negative petId ends in a server error.", apply: missed(func(id int64) bool { return id < 0 }, withStatus(500))},
		{Name: "miss-0-400", Suffers: "The petId 0 looks malformed.", apply: missed(func(id int64) bool { return id == 0 }, withStatus(400))},
		{Name: "miss-answers-somebody", May: ids("GET-2"), Suffers: "A client that mistypes a petId gets another animal.",
			apply: refetch(func(c *call, _ int64, pet spec.Pet, found bool) (spec.Pet, bool) {
				if first, any := firstCreated(c); !found && any {
					return first, true
				}
				return pet, found
			})},
	}),
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

var deprecationDeviations = table(Deviation{Breaks: ids("GET-4")}, []Deviation{
	{Name: "sunset-three-days-early", Suffers: "Clients stop three days before the removal.", apply: announce("Sunset", "Mon, 02 Dec 2030 00:00:00 GMT")},
	{Name: "sunset-a-week-late", Suffers: "Clients call the operation for a week after its removal.", apply: announce("Sunset", "Thu, 12 Dec 2030 00:00:00 GMT")},
	{Name: "sunset-month-and-day-swapped", Suffers: "Clients stop seven months early.", apply: announce("Sunset", "Sun, 12 May 2030 00:00:00 GMT")},
	{Name: "sunset-past", Suffers: "Clients stop although the operation still works.", apply: announce("Sunset", "Thu, 05 Dec 2019 00:00:00 GMT")},
	{Name: "sunset-iso-month-and-day-swapped", Suffers: "Clients stop seven months early.", apply: announce("Sunset", "2030-05-12T00:00:00Z")},
	{Name: "deprecation-word", Suffers: "A client that expects a date reads a word.", apply: announce("Deprecation", "deprecated")},
	{Name: "deprecation-after-sunset", Suffers: "The operation is deprecated after its removal.", apply: announce("Deprecation", "@1956528000")},
	{Name: "deprecation-milliseconds", Suffers: "The operation is deprecated in fifty thousand years.", apply: announce("Deprecation", "@1735689600000")},
})
