package deviations

import (
	"slices"
	"strings"
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
	t.fault("list-under-results", "LIST-2", Lists.Then(Surrounded(`{"count":null,"next":null,"results":`, `}`)))
	t.fault("list-404-when-filter-finds-none", "LIST-6", EmptyList.And(Filtered).Then(WithStatus(404)))
	t.fault("list-without-limit-400", "LIST-1 LIST-5? LIST-6?", OnList.And(withoutLimit).Refuse(400))
	t.fault("list-redirected", "LIST-1 LIST-3? LIST-5? LIST-6?",
		Lists.Then(redirected(301, func(c *Call) string { return c.Request.URL.Path + "/" })))
	t.fault("list-304-to-any-tag", "LIST-3", Lists.And(header("If-None-Match", ".")).Then(Replaced(304, "", "")))
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

func limitRows(t *table) {
	t.fault("limit-100-refused", "LIST-3", refuseLimit(equal(spec.MaxLimit)))
	t.fault("limit-1-refused", "LIST-3", refuseLimit(equal(spec.MinLimit)))
	t.fault("limit-compared-as-text", "LIST-3 LIST-5? LIST-6? LIST-8?",
		refuseLimit(func(n int64) bool { return Whole(n) > "100" }))
	t.fault("limit-one-more", "LIST-4", limits(withLimit, plus(1)))
	t.fault("limit-ignored", "LIST-4", limits(withLimit, atLeast(spec.DefaultLimit)))
	t.fault("limit-100-of-101", "LIST-4 LIST-12? animals",
		seeded(130), limits(limit(equal(spec.MaxLimit)), plus(1)))
	t.fault("limit-one-less", "LIST-11 LIST-8?", limits(limit(between(2, spec.MaxLimit)), plus(-1)))
	t.fault("limit-below-100-lists-20", "LIST-11 LIST-8? full", limits(limit(between(21, 99)), exactly(spec.DefaultLimit)))
	t.fault("limit-defaults-to-10", "LIST-5", limits(withoutLimit, exactly(10)))
	t.fault("limit-defaults-to-19", "LIST-5", limits(withoutLimit, exactly(19)))
	t.fault("limit-defaults-to-none", "LIST-5 LIST-12?", limits(withoutLimit, exactly(0)))
	t.fault("limit-defaults-to-none-when-filtered", "LIST-5 LIST-12? animals",
		seeded(120), limits(Filtered.And(withoutLimit), exactly(0)))
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
	t.fault("filter-ignored", "LIST-7 LIST-8?", matching(Always))
	t.fault("filter-sold-includes-pending", "LIST-7 LIST-8?", matching(func(c *Call) bool {
		return c.Pet.Status == c.Filter.Status || c.Pet.Status == spec.Pending && c.Filter.Status == spec.Sold
	}))
	t.fault("filter-finds-no-pending", "LIST-8", Filtered.Hide(filtersBy(spec.Pending)))
	t.fault("filter-finds-nothing", "LIST-8", Filtered.Hide(Always))
	t.fault("filter-knows-new-animals-only", "LIST-8 animals", seeded(10), Filtered.Hide(ofOthers))
	t.fault("filter-after-limit", "LIST-8", Filtered.Refind(filterAfterLimit))
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
	t.fault("list-without-every-third", "LIST-8 LIST-11", Always.Hide(id(func(n int64) bool { return n%3 == 0 })))
	t.fault("list-every-third-without-new", "LIST-11 LIST-8?", Lag(3, never, 0))
	t.fault("list-10-at-most", "LIST-11 LIST-5?", Filtered.Not().Refind(atMost10))
}
