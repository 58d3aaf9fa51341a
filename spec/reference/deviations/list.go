package deviations

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
)

// redirected answers with a Location, which is made from the call.
func redirected(status int, location func(c *Call) string) func(*Call, *Answer) {
	return func(c *Call, a *Answer) {
		c.SetHeader("Location", location(c))
		*a = Answer{Status: status}
	}
}

func withLimit(c *Call) bool    { return c.Request.URL.Query().Has("limit") }
func withoutLimit(c *Call) bool { return !withLimit(c) }
func withFilter(c *Call) bool   { return c.Filter.Status != "" }
func anyCall(*Call) bool        { return true }

func limited(n int) func(c *Call) bool { return func(c *Call) bool { return c.Filter.Limit == n } }

func filtersBy(s spec.PetStatus) func(c *Call) bool {
	return func(c *Call) bool { return c.Filter.Status == s }
}

var listRows = []Deviation{
	fault("list-null-when-empty", "LIST-2", EmptyList.Then(Saying("null"))),
	fault("list-object-when-empty", "LIST-2", EmptyList.Then(Saying("{}"))),
	fault("list-under-results-with-limit", "LIST-2",
		Lists.If(withLimit).Then(Surrounded(`{"count":null,"next":null,"results":`, `}`))),
	fault("list-as-string", "LIST-2", Lists.Then(Rewritten(asString))),
	fault("list-of-one-unwrapped", "LIST-2", Lists.If(func(c *Call) bool { return len(c.Pets) == 1 }).Then(
		Rewritten(func(body []byte) []byte { return body[1 : len(body)-1] }))),
	fault("list-204-when-empty", "LIST-1 LIST-2? LIST-3? LIST-6? SERVICE-1? SERVICE-2?",
		EmptyList.Then(Replaced(204, "", ""))),
	fault("list-404-when-filter-finds-none", "LIST-6", EmptyList.And(Filtered).Then(WithStatus(404))),
	fault("list-500-when-empty", "LIST-1 LIST-3? LIST-6? ERROR-7?", EmptyList.Then(WithStatus(500))),
	fault("list-without-limit-400", "LIST-1 LIST-5? LIST-6?", Refuse(spec.ListPets, 400, withoutLimit)),
	fault("list-redirected", "LIST-1 LIST-3? LIST-5? LIST-6?",
		Lists.Then(redirected(301, func(c *Call) string { return c.Request.URL.Path + "/" }))),
	fault("list-accept-406", "LIST-3 LIST-1? LIST-5? LIST-6? LIST-8?", Lists.If(notAccepting).Then(WithStatus(406))),
	fault("list-fails-while-creating", "LIST-3 LIST-1? LIST-6? ERROR-7?", failBesideCreation),
}

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

// refuseLimit refuses limits that are within the range.
func refuseLimit(is func(n int64) bool) Change {
	return Refuse(spec.ListPets, 400, func(c *Call) bool { return withLimit(c) && is(int64(c.Filter.Limit)) })
}

// limits lists another number than the limit of such a call; 0 lists every animal.
func limits(is func(c *Call) bool, change func(n int64) int64) Change {
	return Query(func(c *Call, q *store.Query) {
		if is(c) {
			q.Limit = int(change(int64(q.Limit)))
		}
	})
}

// seeded puts at least that many animals into an empty store.
func seeded(animals int) Change { return func(b *Behaviour) { b.Seed = max(b.Seed, animals) } }

func firstPets(pets []spec.Pet, n int) []spec.Pet { return pets[:min(max(n, 0), len(pets))] }

// cutTo lists the first animals, as many as of says for the limit.
func cutTo(of func(limit int64) int64) Change {
	return Relist(func(c *Call, pets []spec.Pet) []spec.Pet { return firstPets(pets, int(of(int64(c.Filter.Limit)))) })
}

var byThird = Every(3) // what one of three replicas answers

var limitRows = []Deviation{
	fault("limit-100-refused", "LIST-3", refuseLimit(equal(spec.MaxLimit))),
	fault("limit-1-refused", "LIST-3", refuseLimit(equal(spec.MinLimit))),
	fault("limit-beyond-49-refused", "LIST-3 LIST-6?", refuseLimit(between(50, 99))),
	fault("limit-compared-as-text", "LIST-3 LIST-5? LIST-6? LIST-8?",
		refuseLimit(func(n int64) bool { return Whole(n) > "100" })),
	fault("limit-100-fails", "LIST-3 ERROR-7?", Lists.If(limited(spec.MaxLimit)).Then(WithStatus(500))),
	fault("limit-one-more", "LIST-4", limits(withLimit, plus(1))),
	fault("limit-ignored", "LIST-4", limits(withLimit, atLeast(spec.DefaultLimit))),
	fault("limit-ignored-when-filtered", "LIST-4 LIST-5?", limits(withFilter, exactly(0))),
	fault("limit-per-status", "LIST-4 LIST-5?", Relist(func(c *Call, pets []spec.Pet) []spec.Pet {
		count := map[spec.PetStatus]int{}
		return slices.DeleteFunc(pets, func(p spec.Pet) bool {
			count[p.Status]++
			return count[p.Status] > c.Filter.Limit
		})
	})),
	fault("limit-100-of-101", "LIST-4 LIST-12? animals",
		seeded(130), cutTo(Instead[int64](spec.MaxLimit, spec.MaxLimit+1))),
	fault("limit-one-less", "LIST-11 LIST-3? LIST-8?", cutTo(plus(-1))),
	fault("limit-beyond-50-cut", "LIST-11 animals", seeded(60), limits(withLimit, atMost(50))),
	fault("limit-below-100-lists-20", "LIST-11 LIST-8? full",
		trim(anyCall, func(pets []spec.Pet) []spec.Pet {
			slices.Reverse(pets)
			return pets
		}),
		limits(func(c *Call) bool { return withLimit(c) && !limited(spec.MaxLimit)(c) }, atMost(spec.DefaultLimit))),
	fault("limit-defaults-to-10", "LIST-5", limits(withoutLimit, exactly(10))),
	fault("limit-defaults-to-10-of-many", "LIST-5 animals", seeded(30), limits(withoutLimit, exactly(10))),
	fault("limit-defaults-to-19", "LIST-5", limits(withoutLimit, exactly(19))),
	fault("limit-defaults-to-none", "LIST-5 LIST-12?", limits(withoutLimit, exactly(0))),
	fault("limit-defaults-to-none-when-filtered", "LIST-5 LIST-12? animals", seeded(120),
		limits(func(c *Call) bool { return withFilter(c) && withoutLimit(c) }, exactly(0))),
	fault("limit-defaults-to-12-by-one-replica", "LIST-5 LIST-8? LIST-11? full", seeded(36),
		limits(func(c *Call) bool { return withoutLimit(c) && byThird(c, nil) }, exactly(12))),
}

// refuseFilter refuses listings with a valid status filter.
func refuseFilter(status int, is func(c *Call) bool) Change {
	return Filtered.And(Succeeded).If(is).Then(WithStatus(status))
}

// matching filters by another rule than the status.
func matching(rule func(c *Call, p spec.Pet) bool) Change {
	return Together(Query(func(_ *Call, q *store.Query) { q.Status = "" }),
		Hide(func(c *Call, p spec.Pet) bool { return withFilter(c) && !rule(c, p) }))
}

// filterAfterLimit filters the first animals, as many as the limit, in the selected listings.
func filterAfterLimit(when When) Change {
	return Listing(func(c *Call, q store.Query, find func(store.Query) []spec.Pet) []spec.Pet {
		if !when(c, nil) {
			return find(q)
		}
		pets := find(store.Query{Limit: q.Limit})
		return slices.DeleteFunc(pets, func(p spec.Pet) bool { return q.Status != "" && p.Status != q.Status })
	})
}

// includeToo lists animals that the filter excludes, beside those that it selects.
func includeToo(too func(c *Call, p spec.Pet) bool) Change {
	return matching(func(c *Call, p spec.Pet) bool { return p.Status == c.Filter.Status || too(c, p) })
}

// miss leaves animals out of filtered listings.
func miss(missed func(c *Call, p spec.Pet) bool) Change {
	return Hide(func(c *Call, p spec.Pet) bool { return withFilter(c) && missed(c, p) })
}

// trim changes the animals of such listings.
func trim(is func(c *Call) bool, change func(pets []spec.Pet) []spec.Pet) Change {
	return Refind(func(c *Call, pets []spec.Pet) []spec.Pet {
		if is(c) {
			return change(pets)
		}
		return pets
	})
}

func atMost10(pets []spec.Pet) []spec.Pet { return firstPets(pets, 10) }

// ofOthers reports whether an animal was there before the first request.
func ofOthers(c *Call, p spec.Pet) bool { return p.ID <= int64(c.Service.Seed) }

var filterRows = []Deviation{
	fault("filter-pending-refused", "LIST-6 LIST-8?", refuseFilter(400, filtersBy(spec.Pending))),
	fault("filter-sold-refused", "LIST-6 LIST-8?", refuseFilter(400, filtersBy(spec.Sold))),
	fault("filter-with-limit-refused", "LIST-6 LIST-8?", refuseFilter(400, withLimit)),
	fault("filter-not-implemented", "LIST-6 LIST-8? ERROR-7?", refuseFilter(501, anyCall)),
	fault("filter-moved", "LIST-6 LIST-8?", refuseFilter(308, anyCall)),
	fault("filter-without-result-404", "LIST-6 LIST-8? animals",
		Populated(10, func(i int) spec.NewPet {
			return spec.NewPet{Name: PlainSeed(i).Name, CategoryID: 1, Status: spec.Available}
		}), EmptyList.And(Filtered).Then(WithStatus(404))),
	fault("filter-ignored", "LIST-7 LIST-8?", matching(func(*Call, spec.Pet) bool { return true })),
	fault("filter-ignored-with-limit", "LIST-7 LIST-8?",
		includeToo(func(c *Call, _ spec.Pet) bool { return withLimit(c) })),
	fault("filter-sold-includes-pending", "LIST-7 LIST-8?", includeToo(func(c *Call, p spec.Pet) bool {
		return c.Filter.Status == spec.Sold && p.Status == spec.Pending
	})),
	fault("filter-is-not", "LIST-7 LIST-8?",
		matching(func(c *Call, p spec.Pet) bool { return p.Status != c.Filter.Status })),
	fault("filter-finds-no-pending", "LIST-8",
		miss(func(c *Call, _ spec.Pet) bool { return c.Filter.Status == spec.Pending })),
	fault("filter-finds-nothing", "LIST-8", miss(func(*Call, spec.Pet) bool { return true })),
	fault("filter-finds-ascii-names", "LIST-8", miss(func(_ *Call, p spec.Pet) bool { return like(foreign)(p.Name) })),
	fault("filter-knows-new-animals-only", "LIST-8 animals", seeded(10), miss(ofOthers)),
	fault("filter-finds-10-at-most", "LIST-8 animals", seeded(60), trim(withFilter, atMost10)),
	fault("filter-after-limit", "LIST-8", filterAfterLimit(Always)),
	fault("filter-after-limit-by-one-replica", "LIST-8 full", // a quick run may miss it
		seeded(40), filterAfterLimit(byThird)),
}

// cachedBy answers listings from a cache, which a new animal empties.
func cachedBy(key func(store.Query) store.Query) Change {
	return func(b *Behaviour) {
		var mu sync.Mutex
		cache := map[store.Query][]spec.Pet{}
		Listing(func(_ *Call, q store.Query, find func(store.Query) []spec.Pet) []spec.Pet {
			mu.Lock()
			defer mu.Unlock()
			if _, kept := cache[key(q)]; !kept {
				cache[key(q)] = find(q)
			}
			return slices.Clone(cache[key(q)])
		})(b)
		OnAdd(func(*Call, spec.Pet) {
			mu.Lock()
			defer mu.Unlock()
			clear(cache)
		})(b)
	}
}

// never is a lag that outlasts every run.
const never = 1000 * time.Hour

// nowAndThen hides animals from every nth listing, filtered or not.
func nowAndThen(n int64, hidden func(p spec.Pet) bool) Change {
	nth := Every(n)
	return trim(func(c *Call) bool { return nth(c, nil) }, func(pets []spec.Pet) []spec.Pet {
		return slices.DeleteFunc(pets, hidden)
	})
}

func anyPet(spec.Pet) bool { return true }

var listedRows = []Deviation{
	fault("list-repeats-the-last", "LIST-9",
		trim(anyCall, func(pets []spec.Pet) []spec.Pet { return append(pets, pets[max(len(pets)-1, 0):]...) })),
	fault("list-repeats-when-filtered", "LIST-9 LIST-8?",
		trim(withFilter, func(pets []spec.Pet) []spec.Pet { return append(pets, firstPets(pets, 1)...) })),
	fault("list-names-lower-case", "LIST-10 CREATE-13?", Lists.Member("name", Text(strings.ToLower))),
	fault("list-categories-rounded", "LIST-10 CREATE-13?", Lists.Member("categoryId", Int(throughFloat))),
	fault("list-without-large-categories", "LIST-8 LIST-11",
		Hide(func(_ *Call, p spec.Pet) bool { return beyond32Bits(p.CategoryID) })),
	fault("list-without-every-third", "LIST-8 LIST-11", Hide(func(_ *Call, p spec.Pet) bool { return p.ID%3 == 0 })),
	fault("list-every-third-empty", "LIST-11 LIST-8? CREATE-13?", nowAndThen(3, anyPet)),
	fault("list-every-tenth-empty", "LIST-11 LIST-8? CREATE-13? full", nowAndThen(10, anyPet)),
	fault("list-every-third-without-new", "LIST-11 LIST-8?", Lag(3, never, 0)),
	fault("list-every-seventh-without-new", "LIST-11 LIST-8? full", seeded(45), Lag(7, never, 0)),
	fault("list-every-third-without-the-oldest", "LIST-11 LIST-8? full",
		seeded(30), nowAndThen(3, func(p spec.Pet) bool { return p.ID < 5 })),
	fault("list-10-at-most", "LIST-11 LIST-5?", trim(func(c *Call) bool { return !withFilter(c) }, atMost10)),
	fault("list-cached-for-any-limit", "LIST-4 LIST-5? LIST-8? LIST-11? LIST-12?",
		cachedBy(func(q store.Query) store.Query { return store.Query{Status: q.Status} })),
	fault("list-cached-for-any-status", "LIST-7 LIST-8? LIST-11?",
		cachedBy(func(q store.Query) store.Query { return store.Query{Limit: q.Limit} })),
}
