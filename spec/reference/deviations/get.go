package deviations

import (
	"math"
	"strconv"
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
)

// fetched changes the answers of getPet that succeed.
func fetched(is func(p spec.Pet) bool, change func(*Call, *Answer)) Change {
	return Fetched.If(func(c *Call) bool { return is(c.Pet) }).Then(change)
}

// missed changes the 404 of getPet for an int64 that is not the id of an animal.
func missed(is func(id int64) bool, change func(*Call, *Answer)) Change {
	return On(spec.GetPet).And(Having(404)).If(func(c *Call) bool {
		id, err := strconv.ParseInt(c.PetID, 10, 64)
		return err == nil && is(id)
	}).Then(change)
}

func anyID(int64) bool { return true }

var fetchedBefore = seen(func(c *Call) any { return c.ID })

// fetchedFailing answers 500 for such animals.
func fetchedFailing(name, needs string, is func(p spec.Pet) bool) Deviation {
	return fault(name, "GET-1 CREATE-13? ERROR-7? "+needs, fetched(is, WithStatus(500)))
}

var getRows = []Deviation{
	fault("get-501", "GET-1 CREATE-13? ERROR-7?", Fetched.Then(WithStatus(501))),
	fault("get-sold-hidden", "GET-1 CREATE-13?",
		fetched(func(p spec.Pet) bool { return p.Status == spec.Sold }, WithStatus(404))),
	fault("get-pending-hidden", "GET-1 CREATE-13?",
		fetched(func(p spec.Pet) bool { return p.Status == spec.Pending }, WithStatus(404))),
	fault("get-every-third-unknown", "GET-1 CREATE-13?",
		Unfetched(func(c *Call, _ spec.Pet) bool { return byThird(c, nil) })),
	fault("get-works-once", "GET-1 CREATE-13? GET-2?",
		Unfetched(func(c *Call, _ spec.Pet) bool { return fetchedBefore(c) })),
	fault("get-first-of-the-store-unknown", "GET-1 animals",
		seeded(10), Unfetched(func(_ *Call, p spec.Pet) bool { return p.ID == 1 })),
	fault("get-old-animals-fail", "GET-1 ERROR-7? animals",
		seeded(10), Fetched.If(func(c *Call) bool { return ofOthers(c, c.Pet) }).Then(WithStatus(500))),
	fetchedFailing("get-without-status-fails", "", func(p spec.Pet) bool { return p.Status == "" }),
	fetchedFailing("get-large-categories-fail", "", func(p spec.Pet) bool { return p.CategoryID > 1<<53 }),
	fetchedFailing("get-emoji-fail", "", func(p spec.Pet) bool { return like(emoji)(p.Name) }),
	fault("get-fails-now-and-then", "GET-1 CREATE-13? ERROR-7?",
		On(spec.GetPet).And(Having(200)).And(Every(2)).Then(WithStatus(500))),
	fault("get-forgets-ids-that-end-in-7", "GET-1 CREATE-13? GET-2? full",
		Unfetched(func(_ *Call, p spec.Pet) bool { return p.ID%10 == 7 })),
	fault("get-names-lower-case", "GET-2 LIST-7? LIST-8?", Fetched.Member("name", Text(strings.ToLower))),
	fault("get-categories-of-32-bits", "GET-2 LIST-7? LIST-8?", Fetched.Member("categoryId", Int(wrap32Bits))),
	fault("get-answers-another-id", "GET-2 CREATE-13?", Fetched.Member("id", Int(plus(1000)))),
	fault("get-ids-cut-to-32-bits", "GET-3 GET-2?", Before(func(c *Call) {
		if id, err := strconv.ParseInt(c.PetID, 10, 64); err == nil {
			c.PetID = Whole(wrap32Bits(id))
		}
	})),
	fault("get-counts-from-the-end", "GET-3 GET-2?", // -1 is the last animal
		Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) {
			all := c.Service.Store.List(store.Query{})
			if i := c.ID + int64(len(all)); !found && c.ID < 0 && i >= 0 {
				return all[i], true
			}
			return pet, found
		})),
	fault("miss-200-null", "GET-3 GET-2?", missed(anyID, Replaced(200, MediaJSON, "null"))),
	fault("miss-200-error", "GET-3 GET-2? PET-1? PET-2? PET-3?", missed(anyID, Answering(200))),
	fault("miss-204", "GET-3 GET-2? SERVICE-1? SERVICE-2?", missed(anyID, Replaced(204, "", ""))),
	fault("miss-500", "GET-3 ERROR-7?", missed(anyID, WithStatus(500))),
	fault("miss-beyond-32-bits-400", "GET-3", missed(beyond32Bits, WithStatus(400))),
	fault("miss-beyond-32-bits-500", "GET-3 ERROR-7?", missed(beyond32Bits, WithStatus(500))),
	fault("miss-negative-500", "GET-3 ERROR-7?", missed(between(math.MinInt64, -1), WithStatus(500))),
	fault("miss-0-400", "GET-3", missed(equal(0), WithStatus(400))),
	fault("miss-remembered-as-null", "GET-3 GET-2?",
		On(spec.GetPet).And(repeated(404)).Then(Replaced(200, MediaJSON, "null"))),
	fault("sunset-a-week-late", "GET-4", On(spec.GetPet).If(func(c *Call) bool { return c.Account != nil }).Then(
		Header("Sunset", "Thu, 12 Dec 2030 00:00:00 GMT"))),
}

// severalRows are one fault of getPet each that breaks several requirements at once.
var severalRows = []Deviation{
	fault("get-route-moved", "GET-1 GET-3 AUTH-2 AUTH-3 AUTH-4 RATE-1 CREATE-13?", On(spec.GetPet).Then(
		redirected(301, func(c *Call) string { return c.Service.BasePath + "/pets/" }), page, noRate)),
	// A quick run may meet one replica of three for unknown ids only: the first one in 2 of 200 runs.
	fault("get-of-one-replica-removed", "GET-1 ERROR-1 RATE-1 AUTH-2? AUTH-3? AUTH-4? AUTH-5? CREATE-13? full",
		On(spec.GetPet).And(Every(3)).Then(Answering(404), page, noRate)),
	fault("get-of-one-replica-gone", "GET-1 GET-3? CREATE-13? full",
		On(spec.GetPet).And(Having(200, 404)).And(Every(3)).Then(WithStatus(410))),
	fault("get-crashes-now-and-then", "GET-1 GET-3 GET-6? CREATE-13? ERROR-7? full",
		On(spec.GetPet).And(Having(200, 404)).And(Every(11)).Then(WithStatus(500))),
	fault("get-declared-text", "SERVICE-1 ERROR-1", On(spec.GetPet).And(Having(200, 404)).Then(Declared("text/plain"))),
	fault("get-null-for-any-unknown-id", "GET-2 GET-3",
		On(spec.GetPet).And(Having(400, 404)).Then(Replaced(200, MediaJSON, "null"))),
}
