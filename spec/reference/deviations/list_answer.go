package deviations

import (
	"slices"
	"strings"
	"sync"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// cacheListsBy answers listings from a cache with a key, if they have one. A new animal may empty the cache.
func cacheListsBy(keyOf func(Filter) (key Filter, cached bool), emptied bool) Change {
	return func(b *Behaviour) {
		var mu sync.Mutex
		cache := map[Filter][]spec.Pet{}
		if emptied {
			b.OnAdd(func(*Call, spec.Pet) {
				mu.Lock()
				defer mu.Unlock()
				clear(cache)
			})
		}
		find := b.Find
		b.Find = func(c *Call, f Filter) []spec.Pet {
			key, cached := keyOf(f)
			if !cached {
				return find(c, f)
			}
			mu.Lock()
			defer mu.Unlock()
			pets, kept := cache[key]
			if !kept {
				pets = slices.Clone(find(c, f))
				cache[key] = pets
			}
			return slices.Clone(pets)
		}
	}
}

// unlisted leaves animals out of every listing.
func unlisted(hidden func(p spec.Pet) bool) Change {
	return Hide(func(_ *Call, p spec.Pet) bool { return hidden(p) })
}

func beyond32Bits(n int64) bool { return n != int64(int32(n)) }

func wrap32Bits(n int64) int64 { return int64(int32(n)) }

var listContentRows = slices.Concat(
	faults(breaks("LIST-9"))(
		fault("list-repeats-the-last",
			Refind(func(_ *Call, pets []spec.Pet) []spec.Pet { return append(pets, pets[max(len(pets)-1, 0):]...) })),
		fault("list-repeats-when-filtered",
			trim(true, func(pets []spec.Pet) []spec.Pet { return append(pets, firstPets(pets, 1)...) }), may("LIST-8")),
	),
	faults(breaks("LIST-10"), may("CREATE-13"))(
		fault("list-names-lower-case", Show(OnList, Named(strings.ToLower))),
		fault("list-names-cut-at-20", Show(OnList, Named(Cut(20)))),
		fault("list-names-without-accents", Show(OnList, Named(FoldAccents))),
		fault("list-categories-rounded", Show(OnList, InCategory(ThroughFloat))),
	),
	faults(breaks("LIST-8", "LIST-11"))(
		fault("list-without-large-categories", unlisted(func(p spec.Pet) bool { return beyond32Bits(p.CategoryID) })),
		fault("list-without-every-third", unlisted(func(p spec.Pet) bool { return p.ID%3 == 0 })),
	),
	faults(breaks("LIST-11"))(
		fault("list-every-third-empty", emptyNowAndThen(3), may("LIST-8", "CREATE-13")),
		fault("list-every-fifth-empty", emptyNowAndThen(5), may("LIST-8", "CREATE-13"), needs(Full)),
		fault("list-every-tenth-empty", emptyNowAndThen(10), may("LIST-8", "CREATE-13"), needs(Full)),
		fault("list-every-third-without-new", Lag(3, never, 0), may("LIST-8")),
		fault("list-every-third-without-the-oldest", seeded(30, withoutOldest(3)), needs(Full), may("LIST-8")),
		fault("list-every-third-without-the-oldest-and-late",
			seeded(30, func(b *Behaviour) { withoutOldest(3)(b); Lag(3, 300*time.Millisecond, 0)(b) }), needs(Full), may("LIST-8")),
		fault("list-every-seventh-without-new", seeded(45, Lag(7, never, 0)), needs(Full), may("LIST-8")),
		fault("list-without-the-newest", trim(false, withoutLast)),
		fault("list-10-at-most", trim(false, atMost10), may("LIST-5")),
	),
)

// never is a lag that outlasts every run.
const never = 1000 * time.Hour

// emptyNowAndThen empties every nth listing, filtered or not.
func emptyNowAndThen(n int64) Change {
	nth := Every(n)
	return Refind(func(c *Call, pets []spec.Pet) []spec.Pet {
		if nth(c, nil) {
			return pets[:0]
		}
		return pets
	})
}

// withoutOldest hides the four oldest animals from every nth listing.
func withoutOldest(n int64) Change {
	nth := Every(n)
	return Refind(func(c *Call, pets []spec.Pet) []spec.Pet {
		if nth(c, nil) {
			return slices.DeleteFunc(pets, func(p spec.Pet) bool { return p.ID < 5 })
		}
		return pets
	})
}

// shows selects the listings that show so many animals.
func shows(is func(animals int) bool) When {
	return Lists.And(Calls(func(c *Call) bool { return is(len(c.Pets)) }))
}

func withLimit(c *Call) bool { return c.Request.URL.Query().Has("limit") }

var listShapeRows = faults(breaks("LIST-2"))(
	fault("list-null-when-empty", EmptyList.Then(Saying("null"))),
	fault("list-object-when-empty", EmptyList.Then(Saying("{}"))),
	fault("list-under-results-with-limit",
		Lists.And(Calls(withLimit)).Then(Surrounded(`{"count":null,"next":null,"results":`, `}`))),
	fault("list-array-in-array", Lists.Then(Surrounded(`[`, `]`))),
	fault("list-as-string", Lists.Then(Rewritten(asString))),
	fault("list-of-one-unwrapped", shows(func(n int) bool { return n == 1 }).Then(Rewritten(func(body []byte) []byte {
		return body[1 : len(body)-1]
	}))),
)

var listStatusRows = faults(breaks("LIST-1"))(
	fault("list-204-when-empty",
		EmptyList.Then(Replaced(204, "", "")), may("LIST-2", "LIST-3", "LIST-6", "SERVICE-1", "SERVICE-2")),
	fault("list-404-when-filter-finds-none", EmptyList.And(Filtered).Then(WithStatus(404)), breaks("LIST-6")),
	fault("list-500-when-empty", EmptyList.Then(WithStatus(500)), may("LIST-3", "LIST-6", "ERROR-7")),
	fault("list-without-limit-400", limitAsRead(func(n int, given bool) (int, *Refusal) {
		if !given {
			return 0, Invalid("limit_invalid", "The limit is missing.")
		}
		return n, nil
	}), may("LIST-5", "LIST-6")),
	fault("list-redirected",
		Lists.Then(Redirected(301, func(c *Call) string { return c.Request.URL.Path + "/" })),
		may("LIST-3", "LIST-5", "LIST-6")),
)
