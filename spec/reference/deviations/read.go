package deviations

import (
	"slices"
	"strings"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
)

// redirected answers with a Location, which has a slash at its end.
func redirected(c *Call, a *Answer) {
	c.SetHeader("Location", c.Request.URL.Path+"/")
	*a = Answer{Status: 301}
}

func listRows(t *table) {
	t.fault("list-null-when-empty", "LIST-2", EmptyList.Then(Saying("null")))
	t.fault("list-under-results", "LIST-2", Lists.Then(Surrounded(`{"count":null,"next":null,"results":`, `}`)))
	t.fault("list-404-when-filter-finds-none", "LIST-6", EmptyList.And(Filtered).Then(WithStatus(404)))
	t.fault("list-without-limit-400", "LIST-1 LIST-5? LIST-6?", OnList.And(withoutLimit).Refuse(400))
	t.fault("list-redirected", "LIST-1 LIST-3? LIST-5? LIST-6?",
		Lists.Then(redirected))
	t.fault("list-304-to-any-tag", "LIST-3", Lists.And(HeaderLike("If-None-Match", ".")).Then(Replaced(304, "", "")))
	t.fault("list-accept-406", "LIST-3 LIST-1? LIST-5? LIST-6? LIST-8?", Lists.And(notAccepting).Then(WithStatus(406)))
}

// refuseLimit refuses limits that are within the range.
func refuseLimit(is func(n int64) bool) Change { return OnList.And(withLimit, limit(is)).Refuse(400) }

// limits lists another number than the limit of such a call; 0 lists every animal.
func limits(w When, change func(n int64) int64) Change {
	return w.Query(func(q *store.Query) { q.Limit = int(change(int64(q.Limit))) })
}

// seeded puts at least that many animals into an empty store.
func seeded(animals int) Change { return func(b *Behaviour) { b.Seed = max(b.Seed, animals) } }

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

func limitRows(t *table) {
	t.fault("limit-100-refused", "LIST-3", refuseLimit(equal(spec.MaxLimit)))
	t.fault("limit-1-refused", "LIST-3", refuseLimit(equal(spec.MinLimit)))
	t.fault("limit-compared-as-text", "LIST-3 LIST-5? LIST-6? LIST-8?",
		refuseLimit(func(n int64) bool { return Whole(n) > "100" }))
	t.fault("limit-one-more", "LIST-4", limits(withLimit, plus(1)))
	t.fault("list-cached-for-any-limit", "LIST-4 LIST-5? LIST-8? LIST-11? LIST-12?",
		cachedBy(func(q store.Query) store.Query { return store.Query{Status: q.Status} }))
	t.fault("limit-ignored", "LIST-4", limits(withLimit, func(n int64) int64 { return max(n, spec.DefaultLimit) }))
	t.fault("limit-100-of-101", "LIST-4 LIST-12? animals",
		seeded(130), limits(limit(equal(spec.MaxLimit)), plus(1)))
	t.fault("limit-one-less", "LIST-11 LIST-8?", limits(limit(between(2, spec.MaxLimit)), plus(-1)))
	t.fault("limit-below-100-lists-20", "LIST-11 LIST-8? full",
		limits(limit(between(21, 99)), Constant[int64](spec.DefaultLimit)))
	t.fault("limit-defaults-to-10", "LIST-5", limits(withoutLimit, Constant[int64](10)))
	t.fault("limit-defaults-to-19", "LIST-5", limits(withoutLimit, Constant[int64](19)))
	t.fault("limit-defaults-to-none", "LIST-5 LIST-12?", limits(withoutLimit, Constant[int64](0)))
	t.fault("limit-defaults-to-none-when-filtered", "LIST-5 LIST-12? animals",
		seeded(120), limits(Filtered.And(withoutLimit), Constant[int64](0)))
}

// matching filters by another rule than the status.
func matching(rule When) Change {
	return Together(Always.Query(func(q *store.Query) { q.Status = "" }), Filtered.Hide(rule.Not()))
}

// filterAfterLimit filters the first animals, as many as the limit.
func filterAfterLimit(c *Call, _ []spec.Pet) []spec.Pet {
	pets := c.Service.Store.List(store.Query{Limit: c.Filter.Limit})
	return slices.DeleteFunc(pets, func(p spec.Pet) bool { return p.Status != c.Filter.Status })
}

func atMost10(_ *Call, pets []spec.Pet) []spec.Pet { return First(pets, 10) }

func filterRows(t *table) {
	t.fault("filter-moved", "LIST-6 LIST-8?", Filtered.Refuse(308))
	t.fault("filter-with-limit-refused", "LIST-6 LIST-8?", Filtered.And(withLimit).Refuse(400))
	t.fault("list-cached-for-any-status", "LIST-7 LIST-8? LIST-11?",
		cachedBy(func(q store.Query) store.Query { return store.Query{Limit: q.Limit} }))
	t.fault("filter-ignored", "LIST-7 LIST-8?", matching(Always))
	t.fault("filter-sold-includes-pending", "LIST-7 LIST-8?", matching(func(c *Call) bool {
		return c.Pet.Status == c.Filter.Status || c.Pet.Status == spec.Pending && c.Filter.Status == spec.Sold
	}))
	t.fault("filter-finds-no-pending", "LIST-8",
		Filtered.Hide(func(c *Call) bool { return c.Filter.Status == spec.Pending }))
	t.fault("filter-finds-nothing", "LIST-8", Filtered.Hide(Always))
	t.fault("filter-knows-new-animals-only", "LIST-8 animals", seeded(10), Filtered.Hide(ofOthers))
	t.fault("filter-after-limit", "LIST-8", Filtered.Refind(filterAfterLimit))
}

func lastTwice(_ *Call, pets []spec.Pet) []spec.Pet {
	return append(pets, pets[max(len(pets)-1, 0):]...)
}

func listedRows(t *table) {
	t.fault("list-repeats-the-last", "LIST-9", Always.Refind(lastTwice))
	t.fault("list-names-lower-case", "LIST-10 CREATE-13?", Lists.Member("name", Text(strings.ToLower)))
	t.fault("list-categories-rounded", "LIST-10 CREATE-13?", Lists.Member("categoryId", Int(throughFloat)))
	t.fault("list-without-every-third", "LIST-8 LIST-11", Always.Hide(id(func(n int64) bool { return n%3 == 0 })))
	t.fault("list-every-third-without-new", "LIST-11 LIST-8?", Lag(3, 1000*time.Hour, 0))
	t.fault("list-10-at-most", "LIST-11 LIST-5?", Filtered.Not().Refind(atMost10))
}

// missed is the 404 of getPet for an int64 that is not the id of an animal.
func missed(is func(id int64) bool) When { return asked(is).Of(404) }

var (
	anyMissed   = missed(func(int64) bool { return true })
	nullInstead = Replaced(200, MediaJSON, "null")
)

// readIDs reads ids that are int64 as other ones.
func readIDs(as func(id int64) int64) Change {
	return Check(func(c *Call) *Refusal {
		c.ID = as(c.ID)
		return nil
	})
}

const mayFail = "GET-1 CREATE-13? ERROR-7? "

func getRows(t *table) {
	t.fault("get-sold-hidden", "GET-1 CREATE-13?", Fetched.And(has(spec.Sold)).Then(WithStatus(404)))
	t.fault("get-every-third-unknown", "GET-1 CREATE-13?", Unfetched(byThird()))
	t.fault("get-works-once", "GET-1 CREATE-13? GET-2?", Unfetched(seen(func(c *Call) any { return c.ID })))
	t.fault("get-old-animals-fail", "GET-1 ERROR-7? animals", seeded(10), Fetched.And(ofOthers).Then(WithStatus(500)))
	t.fault("get-without-status-fails", mayFail, Fetched.And(has("")).Then(WithStatus(500)))
	t.fault("get-names-lower-case", "GET-2 LIST-7? LIST-8?", Fetched.Member("name", Text(strings.ToLower)))
	t.fault("get-answers-another-id", "GET-2 CREATE-13?", Fetched.Member("id", Int(plus(1000))))
	t.fault("get-ids-cut-to-32-bits", "GET-3 GET-2?", readIDs(func(n int64) int64 { return int64(int32(n)) }))
	// A float64 keeps each of these ids beyond 2^53, and none of those between them.
	t.fault("get-ids-through-float", "GET-3 GET-2?",
		AssignBy(func(_ *Call, own int64) int64 { return 1<<60 + own<<10 }), readIDs(throughFloat))
	t.fault("get-ignores-the-sign", "GET-3 GET-2?", readIDs(func(n int64) int64 { return max(n, -n) }))
	t.fault("miss-200-null", "GET-3 GET-2?", anyMissed.Then(nullInstead))
	t.fault("miss-204", "GET-3 GET-2? SERVICE-1? SERVICE-2?", anyMissed.Then(Replaced(204, "", "")))
	t.fault("miss-500", "GET-3 ERROR-7?", anyMissed.Then(WithStatus(500)))
	t.fault("miss-0-400", "GET-3", missed(equal(0)).Then(WithStatus(400)))
	t.fault("sunset-a-week-late", "GET-4", OnGet.And(Keyed).Then(Header("Sunset", "Thu, 12 Dec 2030 00:00:00 GMT")))
}

// severalRows are one fault of getPet each that breaks several requirements at once.
func severalRows(t *table) {
	t.fault("get-route-moved", "GET-1 GET-3 AUTH-2 AUTH-3 AUTH-4 RATE-1 CREATE-13?", OnGet.Then(redirected, page, noRate))
	// A quick run may meet one replica of three for unknown ids only: the first one in 2 of 200 runs.
	t.fault("get-of-one-replica-removed", "GET-1 ERROR-1 RATE-1 AUTH-2? AUTH-3? AUTH-4? AUTH-5? CREATE-13? full",
		OnGet.And(Every(3)).Then(Answering(404), page, noRate))
	t.fault("get-null-for-any-unknown-id", "GET-2 GET-3", OnGet.Of(400, 404).Then(nullInstead))
	t.fault("get-declared-text", "SERVICE-1 ERROR-1", OnGet.Of(200, 404).Then(Declared("text/plain")))
}
