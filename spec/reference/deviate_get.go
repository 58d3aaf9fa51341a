package reference

import (
	"math"
	"net/http"
	"slices"
	"sync"

	"petconform/spec"
)

// fetchedAs makes a deviation that changes getPet's 200.
func fetchedAs(name string, breaks spec.ID, suffers string, is func(c *call) bool, change func(*call, *answer), may ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: ids(breaks), May: may, Suffers: suffers,
		apply: func(b *behaviour) {
			b.alter(on(spec.GetPet).and(succeeded).and(func(c *call, _ *answer) bool { return is(c) }), change)
		},
	}
}

func anyCall(*call) bool { return true }

var getDeviations = slices.Concat(getStatusDeviations, getBodyDeviations, getMissDeviations)

// GET-1: an animal that exists is answered 200, until 5 December 2030.
var getStatusDeviations = []Deviation{
	fetchedAs("get-410", "GET-1", "The operation is gone years before its removal date.", anyCall, withStatus(http.StatusGone), "CREATE-13"),
	fetchedAs("get-404", "GET-1", "The route was removed, and every animal seems to be missing.", anyCall, withStatus(http.StatusNotFound), "CREATE-13"),
	fetchedAs("get-301", "GET-1", "Clients are sent to the replacement, which answers something else.", anyCall, func(c *call, a *answer) {
		c.header.Set("Location", c.service.config.BasePath+"/pets")
		*a = answer{status: http.StatusMovedPermanently}
	}, "CREATE-13"),
	fetchedAs("get-501", "GET-1", "A new server was put up without the old operation.", anyCall, withStatus(http.StatusNotImplemented), "CREATE-13", "ERROR-7"),
	fetchedAs("get-203", "GET-1", "A proxy changes the status of what it passes on.", anyCall, answering(http.StatusNonAuthoritativeInfo), "CREATE-13"),
	fetchedAs("get-sold-hidden", "GET-1", "A sold animal cannot be fetched any more.", func(c *call) bool { return c.pet.Status == spec.Sold }, withStatus(http.StatusNotFound), "CREATE-13"),
	fetchedAs("get-without-status-fails", "GET-1", "An animal without a status ends in a server error.", func(c *call) bool { return c.pet.Status == "" }, withStatus(http.StatusInternalServerError), "CREATE-13", "ERROR-7"),
	fetchedAs("get-large-categories-fail", "GET-1", "A category beyond 2^53 ends in a server error.", func(c *call) bool { return c.pet.CategoryID > 1<<53 }, withStatus(http.StatusInternalServerError), "CREATE-13", "ERROR-7"),
	fetchedAs("get-emoji-fail", "GET-1", "A name that a template cannot show ends in a server error.", func(c *call) bool { return beyond(c.pet.Name, 0xffff) }, withStatus(http.StatusInternalServerError), "CREATE-13", "ERROR-7"),
	{
		Name: "get-works-once", Breaks: ids("GET-1"), May: ids("CREATE-13", "GET-2"), Needs: Explore,
		Suffers: "An animal can be fetched once, and is missing afterwards.",
		apply: func(b *behaviour) {
			var seen sync.Map
			load := b.load
			b.load = func(c *call, id int64) (spec.Pet, bool, error) {
				pet, found, err := load(c, id)
				if _, again := seen.LoadOrStore(id, true); again {
					found = false
				}
				return pet, found, err
			}
		},
	},
	{
		Name: "get-fails-now-and-then", Breaks: ids("GET-1"), May: ids("CREATE-13", "ERROR-7"),
		Suffers: "Every second request to the old operation meets a server without it.",
		apply: func(b *behaviour) {
			b.alter(on(spec.GetPet).and(having(http.StatusOK)).and(every(2)), withStatus(http.StatusInternalServerError))
		},
	},
	{
		Name: "get-ids-of-32-bits", Breaks: ids("GET-1"), May: ids("CREATE-13", "GET-3"),
		Suffers: "Ids beyond 2^31, which the service gives, cannot be fetched.",
		apply: func(b *behaviour) {
			b.shiftIDs(1 << 40)
			read := b.parsePetID
			b.parsePetID = func(raw string) (int64, *refusal) {
				id, refused := read(raw)
				if refused == nil && id > math.MaxInt32 {
					refused = notFound("There is no such animal.")
				}
				return id, refused
			}
		},
	},
	askedAs("get-ids-cut-to-32-bits", "An id that is 2^32 too large finds an animal.", func(id int64) int64 { return int64(int32(id)) }), //nolint:gosec // the fault
	askedAs("get-ids-without-sign", "An id below 0 finds an animal.", func(id int64) int64 { return max(id, -id) }),
	{
		Name: "get-ids-through-float", Breaks: ids("GET-1"), May: ids("CREATE-13", "GET-2", "GET-3"),
		Suffers: "Every second animal cannot be fetched once ids go beyond 2^53.",
		apply: func(b *behaviour) {
			b.shiftIDs(1 << 53)
			load := b.load
			b.load = func(c *call, id int64) (spec.Pet, bool, error) {
				pet, found, err := load(c, throughFloat(id))
				return pet, found && throughFloat(id) == id, err
			}
		},
	},
}

// misread32 makes a deviation that looks for another animal than was asked for.
func askedAs(name, suffers string, change func(int64) int64) Deviation {
	return Deviation{
		Name: name, Breaks: ids("GET-3"), May: ids("GET-2"), Suffers: suffers,
		apply: func(b *behaviour) {
			read := b.parsePetID
			b.parsePetID = func(raw string) (int64, *refusal) {
				id, refused := read(raw)
				return change(id), refused
			}
		},
	}
}

// shiftIDs lets ids begin behind an offset.
func (b *behaviour) shiftIDs(offset int64) {
	own := b.assign
	b.assign = func(c *call, p spec.NewPet, n uint64) int64 { return own(c, p, n) + offset }
}

// GET-2: the body is the Pet that was asked for.
var getBodyDeviations = []Deviation{
	fetchedAs("get-answers-array", "GET-2", "The animal stands in an array.", anyCall, surrounded("[", "]")),
	fetchedAs("get-answers-wrapped", "GET-2", "The animal is one level deeper than promised.", anyCall, surrounded(`{"pet":`, `}`), "PET-1", "PET-2", "PET-3"),
	fetchedAs("get-answers-null", "GET-2", "A cache knows the id and has lost the animal.", anyCall, saying("null")),
	fetchedAs("get-answers-name", "GET-2", "Only the name is answered.", anyCall, func(c *call, a *answer) { a.body = []byte(quoted(c.pet.Name)) }),
	{
		Name: "get-answers-another-id", Breaks: ids("GET-2"), May: ids("CREATE-13"),
		Suffers: "The row's number is shown instead of the id.",
		apply: func(b *behaviour) {
			b.show(onGet, func(p spec.Pet) spec.Pet {
				p.ID += 1000
				return p
			})
		},
	},
	{
		Name: "get-answers-the-one-before", Breaks: ids("GET-2"), May: ids("CREATE-13", "LIST-10"),
		Suffers: "A client is given the animal that was asked for before.",
		apply: func(b *behaviour) {
			var mu sync.Mutex
			var last spec.Pet
			load := b.load
			b.load = func(c *call, id int64) (spec.Pet, bool, error) {
				pet, found, err := load(c, id)
				mu.Lock()
				defer mu.Unlock()
				if found {
					pet, last = last, pet
					if pet.ID == 0 {
						pet = last
					}
				}
				return pet, found, err
			}
		},
	},
	{
		Name: "get-answers-the-first", Breaks: ids("GET-2"), May: ids("CREATE-13", "LIST-10"),
		Suffers: "Whatever is asked for, the first animal is answered.",
		apply: func(b *behaviour) {
			load := b.load
			b.load = func(c *call, id int64) (spec.Pet, bool, error) {
				pet, found, err := load(c, id)
				if all, errAll := c.service.store.List(nil, firstOnly); errAll == nil && len(all) > 0 {
					pet = all[0]
				}
				return pet, found, err
			}
		},
	},
	{
		Name: "get-answers-the-next", Breaks: ids("GET-2"), May: ids("CREATE-13", "LIST-10"),
		Suffers: "The index is off by one: the next animal is answered, where there is one.",
		apply: func(b *behaviour) {
			load := b.load
			b.load = func(c *call, id int64) (spec.Pet, bool, error) {
				pet, found, err := load(c, id)
				if next, isThere, errNext := load(c, id+1); found && isThere && errNext == nil {
					pet = next
				}
				return pet, found, err
			}
		},
	},
}
