package deviations

import (
	"slices"
	"strings"
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

func listRows(t *table) {
	t.fault("list-null-when-empty", "LIST-2", EmptyList.Then(Saying("null")))
	t.fault("list-under-results-with-limit", "LIST-2",
		Lists.And(withLimit).Then(Surrounded(`{"count":null,"next":null,"results":`, `}`)))
	t.fault("list-as-string", "LIST-2", Lists.Then(Rewritten(asString)))
	t.fault("list-of-one-unwrapped", "LIST-2",
		Lists.And(func(c *Call) bool { return len(c.Pets) == 1 }).Then(Rewritten(withoutEnds)))
	t.fault("list-204-when-empty", "LIST-1 LIST-2? LIST-3? LIST-6? SERVICE-1? SERVICE-2?",
		EmptyList.Then(Replaced(204, "", "")))
	t.fault("list-404-when-filter-finds-none", "LIST-6", EmptyList.And(Filtered).Then(WithStatus(404)))
	t.fault("list-500-when-empty", "LIST-1 LIST-3? LIST-6? ERROR-7?", EmptyList.Then(WithStatus(500)))
	t.fault("list-without-limit-400", "LIST-1 LIST-5? LIST-6?", OnList.And(withoutLimit).Refuse(400))
	t.fault("list-redirected", "LIST-1 LIST-3? LIST-5? LIST-6?",
		Lists.Then(redirected(301, func(c *Call) string { return c.Request.URL.Path + "/" })))
	t.fault("list-304-to-any-tag", "LIST-3", Lists.And(header("If-None-Match", ".")).Then(Replaced(304, "", "")))
	t.fault("list-accept-406", "LIST-3 LIST-1? LIST-5? LIST-6? LIST-8?", Lists.And(notAccepting).Then(WithStatus(406)))
	t.fault("list-fails-while-creating", "LIST-3 LIST-1? LIST-6? ERROR-7?", failBesideCreation())
}

// failBesideCreation answers a listing 500 while a createPet is in flight. A createPet takes 2 ms and a listing 0.7 ms, so
// that those which are sent at the same time overlap.
func failBesideCreation() Change {
	var creating atomic.Int64
	return Together(OnList.And(Keyed, func(*Call) bool {
		time.Sleep(700 * time.Microsecond)
		return creating.Load() > 0
	}).Then(WithStatus(500)), Around(func(c *Call, next Handler) Answer {
		if OnCreate(c) {
			creating.Add(1)
			defer creating.Add(-1)
			time.Sleep(2 * time.Millisecond)
		}
		return next(c)
	}))
}

// refuseLimit refuses limits that are within the range.
func refuseLimit(is func(n int64) bool) Change { return OnList.And(withLimit, limit(is)).Refuse(400) }

// limits lists another number than the limit of such a call; 0 lists every animal.
func limits(w When, change func(n int64) int64) Change {
	return w.Query(func(q *store.Query) { q.Limit = int(change(int64(q.Limit))) })
}

// seeded puts at least that many animals into an empty store.
func seeded(animals int) Change { return func(b *Behaviour) { b.Seed = max(b.Seed, animals) } }

func limitRows(t *table) {
	t.fault("limit-100-refused", "LIST-3", refuseLimit(equal(spec.MaxLimit)))
	t.fault("limit-1-refused", "LIST-3", refuseLimit(equal(spec.MinLimit)))
	t.fault("limit-beyond-49-refused", "LIST-3 LIST-6?", refuseLimit(between(50, 99)))
	t.fault("limit-compared-as-text", "LIST-3 LIST-5? LIST-6? LIST-8?",
		refuseLimit(func(n int64) bool { return Whole(n) > "100" }))
	t.fault("limit-100-fails", "LIST-3 ERROR-7?", OnList.And(limit(equal(spec.MaxLimit))).Refuse(500))
	t.fault("limit-one-more", "LIST-4", limits(withLimit, plus(1)))
	t.fault("limit-ignored", "LIST-4", limits(withLimit, atLeast(spec.DefaultLimit)))
	t.fault("limit-ignored-when-filtered", "LIST-4 LIST-5?", limits(Filtered, exactly(0)))
	t.fault("limit-100-of-101", "LIST-4 LIST-12? animals",
		seeded(130), limits(limit(equal(spec.MaxLimit)), plus(1)))
	t.fault("limit-one-less", "LIST-11 LIST-8?", limits(limit(between(2, spec.MaxLimit)), plus(-1)))
	t.fault("limit-beyond-50-cut", "LIST-11 animals", seeded(60), limits(withLimit, atMost(50)))
	t.fault("limit-below-100-lists-20", "LIST-11 LIST-8? full", limits(limit(between(21, 99)), exactly(spec.DefaultLimit)))
	t.fault("limit-defaults-to-10", "LIST-5", limits(withoutLimit, exactly(10)))
	t.fault("limit-defaults-to-19", "LIST-5", limits(withoutLimit, exactly(19)))
	t.fault("limit-defaults-to-none", "LIST-5 LIST-12?", limits(withoutLimit, exactly(0)))
	t.fault("limit-defaults-to-none-when-filtered", "LIST-5 LIST-12? animals",
		seeded(120), limits(Filtered.And(withoutLimit), exactly(0)))
	t.fault("limit-defaults-to-12-by-one-replica", "LIST-5 LIST-8? LIST-11? full",
		seeded(36), limits(withoutLimit.And(byThird()), exactly(12)))
}

// matching filters by another rule than the status.
func matching(rule When) Change {
	return Together(Always.Query(func(q *store.Query) { q.Status = "" }), Filtered.Hide(rule.Not()))
}

// includeToo lists animals that the filter excludes, beside those that it selects.
func includeToo(too When) Change {
	return matching(func(c *Call) bool { return c.Pet.Status == c.Filter.Status || too(c) })
}

// filterAfterLimit filters the first animals, as many as the limit.
func filterAfterLimit(c *Call, _ []spec.Pet) []spec.Pet {
	pets := c.Service.Store.List(store.Query{Limit: c.Filter.Limit})
	return slices.DeleteFunc(pets, func(p spec.Pet) bool { return p.Status != c.Filter.Status })
}

func atMost10(_ *Call, pets []spec.Pet) []spec.Pet { return First(pets, 10) }

func filterRows(t *table) {
	t.fault("filter-pending-refused", "LIST-6 LIST-8?", Filtered.And(filtersBy(spec.Pending)).Refuse(400))
	t.fault("filter-sold-refused", "LIST-6 LIST-8?", Filtered.And(filtersBy(spec.Sold)).Refuse(400))
	t.fault("filter-with-limit-refused", "LIST-6 LIST-8?", Filtered.And(withLimit).Refuse(400))
	t.fault("filter-not-implemented", "LIST-6 LIST-8? ERROR-7?", Filtered.Refuse(501))
	t.fault("filter-moved", "LIST-6 LIST-8?", Filtered.Refuse(308))
	t.fault("filter-ignored", "LIST-7 LIST-8?", matching(Always))
	t.fault("filter-ignored-with-limit", "LIST-7 LIST-8?", includeToo(withLimit))
	t.fault("filter-sold-includes-pending", "LIST-7 LIST-8?", includeToo(filtersBy(spec.Sold).And(has(spec.Pending))))
	t.fault("filter-is-not", "LIST-7 LIST-8?", matching(func(c *Call) bool { return c.Pet.Status != c.Filter.Status }))
	t.fault("filter-finds-no-pending", "LIST-8", Filtered.Hide(filtersBy(spec.Pending)))
	t.fault("filter-finds-nothing", "LIST-8", Filtered.Hide(Always))
	t.fault("filter-finds-ascii-names", "LIST-8", Filtered.Hide(called(foreign)))
	t.fault("filter-knows-new-animals-only", "LIST-8 animals", seeded(10), Filtered.Hide(ofOthers))
	t.fault("filter-after-limit", "LIST-8", Filtered.Refind(filterAfterLimit))
	t.fault("filter-after-limit-by-one-replica", "LIST-8 full", // a quick run may miss it
		seeded(40), Filtered.And(byThird()).Refind(filterAfterLimit))
}

// cachedBy answers listings from a cache, which a new animal empties.
func cachedBy(key func(store.Query) store.Query) Change {
	cache := map[store.Query][]spec.Pet{}
	return Together(Listing(func(_ *Call, q store.Query, find func(store.Query) []spec.Pet) []spec.Pet {
		if _, kept := cache[key(q)]; !kept {
			cache[key(q)] = find(q)
		}
		return slices.Clone(cache[key(q)])
	}), OnAdd(func(*Call, spec.Pet) { clear(cache) }))
}

// never is a lag that outlasts every run.
const never = 1000 * time.Hour

func lastTwice(_ *Call, pets []spec.Pet) []spec.Pet {
	return append(pets, pets[max(len(pets)-1, 0):]...)
}

func listedRows(t *table) {
	t.fault("list-repeats-the-last", "LIST-9", Always.Refind(lastTwice))
	t.fault("list-names-lower-case", "LIST-10 CREATE-13?", Lists.Member("name", Text(strings.ToLower)))
	t.fault("list-categories-rounded", "LIST-10 CREATE-13?", Lists.Member("categoryId", Int(throughFloat)))
	t.fault("list-without-large-categories", "LIST-8 LIST-11", Always.Hide(of(beyond32Bits)))
	t.fault("list-without-every-third", "LIST-8 LIST-11", Always.Hide(id(func(n int64) bool { return n%3 == 0 })))
	t.fault("list-every-third-empty", "LIST-11 LIST-8? CREATE-13?", Every(3).Hide(Always))
	t.fault("list-every-tenth-empty", "LIST-11 LIST-8? CREATE-13? full", Every(10).Hide(Always))
	t.fault("list-every-third-without-new", "LIST-11 LIST-8?", Lag(3, never, 0))
	t.fault("list-every-seventh-without-new", "LIST-11 LIST-8? full", seeded(45), Lag(7, never, 0))
	t.fault("list-every-third-without-the-oldest", "LIST-11 LIST-8? full", seeded(30), Every(3).Hide(id(between(0, 4))))
	t.fault("list-10-at-most", "LIST-11 LIST-5?", Filtered.Not().Refind(atMost10))
	t.fault("list-cached-for-any-limit", "LIST-4 LIST-5? LIST-8? LIST-11? LIST-12?",
		cachedBy(func(q store.Query) store.Query { return store.Query{Status: q.Status} }))
	t.fault("list-cached-for-any-status", "LIST-7 LIST-8? LIST-11?",
		cachedBy(func(q store.Query) store.Query { return store.Query{Limit: q.Limit} }))
}
