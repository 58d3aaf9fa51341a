package deviations

import (
	"strings"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

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

// beyondFloat are ids beyond 2^53, of which a float64 keeps each, but none of those between them.
func beyondFloat(_ *Call, own int64) int64 { return 1<<60 + own<<10 }

const mayFail = "GET-1 CREATE-13? ERROR-7? "

func getRows(t *table) {
	t.fault("get-sold-hidden", "GET-1 CREATE-13?", Fetched.And(has(spec.Sold)).Then(WithStatus(404)))
	t.fault("get-every-third-unknown", "GET-1 CREATE-13?", Unfetched(byThird()))
	t.fault("get-works-once", "GET-1 CREATE-13? GET-2?", Unfetched(seen(func(c *Call) any { return c.ID })))
	t.fault("get-old-animals-fail", "GET-1 ERROR-7? animals", seeded(10), Fetched.And(ofOthers).Then(WithStatus(500)))
	t.fault("get-without-status-fails", mayFail, Fetched.And(has("")).Then(WithStatus(500)))
	t.fault("get-names-lower-case", "GET-2 LIST-7? LIST-8?", Fetched.Member("name", Text(strings.ToLower)))
	t.fault("get-answers-another-id", "GET-2 CREATE-13?", Fetched.Member("id", Int(plus(1000))))
	t.fault("get-ids-cut-to-32-bits", "GET-3 GET-2?", readIDs(wrap32Bits))
	t.fault("get-ids-through-float", "GET-3 GET-2?", AssignBy(beyondFloat), readIDs(throughFloat))
	t.fault("get-ignores-the-sign", "GET-3 GET-2?", readIDs(func(n int64) int64 { return max(n, -n) }))
	t.fault("miss-200-null", "GET-3 GET-2?", anyMissed.Then(nullInstead))
	t.fault("miss-204", "GET-3 GET-2? SERVICE-1? SERVICE-2?", anyMissed.Then(Replaced(204, "", "")))
	t.fault("miss-500", "GET-3 ERROR-7?", anyMissed.Then(WithStatus(500)))
	t.fault("miss-0-400", "GET-3", missed(equal(0)).Then(WithStatus(400)))
	t.fault("sunset-a-week-late", "GET-4", OnGet.And(Keyed).Then(Header("Sunset", "Thu, 12 Dec 2030 00:00:00 GMT")))
}

// severalRows are one fault of getPet each that breaks several requirements at once.
func severalRows(t *table) {
	t.fault("get-route-moved", "GET-1 GET-3 AUTH-2 AUTH-3 AUTH-4 RATE-1 CREATE-13?", OnGet.Then(
		redirected(301, func(*Call) string { return BasePath + "/pets/" }), page, noRate))
	// A quick run may meet one replica of three for unknown ids only: the first one in 2 of 200 runs.
	t.fault("get-of-one-replica-removed", "GET-1 ERROR-1 RATE-1 AUTH-2? AUTH-3? AUTH-4? AUTH-5? CREATE-13? full",
		OnGet.And(Every(3)).Then(Answering(404), page, noRate))
	t.fault("get-null-for-any-unknown-id", "GET-2 GET-3", OnGet.Of(400, 404).Then(nullInstead))
	t.fault("get-declared-text", "SERVICE-1 ERROR-1", OnGet.Of(200, 404).Then(Declared("text/plain")))
}
