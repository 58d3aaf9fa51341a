package deviations

import (
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// refused is a createPet that is right and is answered with a status.
func (t *table) refused(name, broken string, status int, is When) {
	t.fault(name, broken, OnCreate.And(is).Refuse(status))
}

func createRows(t *table) {
	t.fault("create-200", "CREATE-1", Created.Then(Answering(200)))
	t.fault("create-fails-afterwards", "CREATE-1 CREATE-12? ERROR-7?", Created.Then(WithStatus(500)))
	t.refused("create-emoji-forbidden", "CREATE-1 CREATE-3?", 403, Named(BeyondPlane))
	t.refused("create-foreign-names-refused", "CREATE-1 CREATE-3?", 400, Named(foreign))
	t.refused("create-apostrophe-refused", "CREATE-1", 403, Named("'"))
	t.refused("create-pending-refused", "CREATE-1", 400, sends(spec.Pending))
	t.refused("create-sold-refused", "CREATE-1", 400, sends(spec.Sold))
	t.refused("create-escapes-refused", "CREATE-1", 400, Bodied(`\\/`))
	t.refused("create-white-space-refused", "CREATE-1", 400, Bodied("\n"))
	t.refused("create-charset-415", "CREATE-1", 415, HeaderLike("Content-Type", "charset"))
	t.refused("create-accept-406", "CREATE-1", 406, notAccepting)
	t.refused("create-namesakes-refused", "CREATE-1", 409, seen(func(c *Call) any { return c.Draft.Name }))
	t.refused("create-fails-now-and-then", "CREATE-1 CREATE-14? ERROR-7?", 500, Every(5))
	t.refused("name-controls-fail", "CREATE-1 ERROR-7?", 500, Named(`\p{Cc}`))
	t.fault("name-in-capitals-fails", "CREATE-1 ERROR-1 ERROR-7?", fails(Created.And(Named("-AVAILABLE"))))
	t.fault("name-proto-fails", "CREATE-1 ERROR-1 ERROR-7?", fails(Created.And(Named("^__proto__$"))))
	t.fault("body-chunked-fails", "CREATE-1 ERROR-1 CREATE-6? ERROR-7?", fails(OfOperations.And(chunked)))
	t.refused("create-status-required", "CREATE-14", 400, sends(""))
	t.fault("create-answers-wrapped", "CREATE-2 PET-1? PET-2? PET-3?", Created.Then(Surrounded(`{"pet":`, `}`)))
}

// storedName is a fault of names: another one is stored, and shown from the 201 on.
func (t *table) storedName(name string, change func(string) string) {
	t.fault(name, "CREATE-3 CREATE-13?", Sent(Changed("name", Text(change))))
}

// keptElsewise are the requirements that a value of a filter or of a generated sequence may break, too.
const keptElsewise = "CREATE-3 CREATE-13? LIST-10? LIST-7? LIST-8? "

func valueRows(t *table) {
	t.storedName("name-trimmed", strings.TrimSpace)
	t.storedName("name-cut-at-255", replacing("(?s)^(.{255}).*", "$1"))
	t.storedName("name-question-marks", replacing(beyondLatin, "?"))
	t.storedName("name-apostrophe-doubled", replacing("'", "''"))
	t.storedName("name-nan-as-null", replacing("^NaN$", "null"))
	t.storedName("name-in-lower-case", strings.ToLower)
	t.fault("category-through-float", "CREATE-3 CREATE-13?", Sent(Changed("categoryId", Int(throughFloat))))
	t.fault("status-sold-as-pending", keptElsewise, Sent(Changed("status", Instead(`"sold"`, `"pending"`))))
	t.fault("status-under-an-old-name-by-one-replica", "CREATE-3 LIST-10? CREATE-13? GET-2? LIST-7? LIST-8?",
		Shown.And(byThird()).Then(Substituted(`"status":`, `"state":`)))
}

// sentID is the id that a request gives its new animal, or else own.
func sentID(c *Call, own int64) int64 {
	if c == nil {
		return own
	}
	id := strictjson.Value{Members: c.Draft.Extra}.Member("id")
	if n, err := strconv.ParseInt(id.Text, 10, 64); err == nil {
		return n
	}
	return own
}

// Animals that share an id hide each other, so a run may report that in other places too.
const sharingIDs = " CREATE-13? GET-1? GET-2? LIST-8? LIST-9? LIST-10? LIST-11? "

func idRows(t *table) {
	t.fault("id-from-client", "CREATE-4 CREATE-5? GET-3?"+sharingIDs, AssignBy(sentID))
	t.fault("id-always-1", "CREATE-5 GET-3?"+sharingIDs, AssignBy(func(*Call, int64) int64 { return 1 }))
	t.fault("id-race", "CREATE-5"+sharingIDs, raceForIDs())
	t.fault("namesake-gets-the-same-id", "CREATE-5 CREATE-3? CREATE-13? LIST-5? LIST-8? LIST-10?",
		sameAgain(func(p spec.NewPet) any { return p.Name }))
}

// raceForIDs reads the last id, waits 3 ms and writes the next one back.
func raceForIDs() Change {
	var last atomic.Int64
	return Together(AssignBy(func(c *Call, own int64) int64 {
		if c != nil {
			return c.ID
		}
		last.Store(own)
		return own
	}), Check(func(c *Call) *Refusal {
		if OnCreate(c) {
			c.ID = last.Load() + 1
			time.Sleep(3 * time.Millisecond)
			last.Store(c.ID)
		}
		return nil
	}))
}

// sameAgain answers with the animal that exists in place of a new one with the same of something.
func sameAgain(of func(p spec.NewPet) any) Change {
	first := map[any]spec.Pet{}
	return Adding(func(_ *Call, p spec.NewPet, add func(spec.NewPet) spec.Pet) spec.Pet {
		if _, known := first[of(p)]; !known || p.Name == "" {
			first[of(p)] = add(p)
		}
		return first[of(p)]
	})
}

func effectRows(t *table) {
	t.fault("kept-despite-category-type", "CREATE-12", refusedFor("category_id_invalid").Then(storeRefused))
	t.fault("kept-despite-name-type", "CREATE-12", refusedFor("name_invalid").Then(storeRefused))
	t.fault("kept-with-the-refused-status", "CREATE-12 PET-4 LIST-8?", refusedText.Then(storeRefused))
	t.fault("store-forgets-every-fourth", "CREATE-13 GET-1? LIST-8? LIST-11?",
		Gone(id(func(n int64) bool { return n%4 == 0 })))
	t.fault("store-adds-two", "CREATE-22", Adding(func(_ *Call, p spec.NewPet, add func(spec.NewPet) spec.Pet) spec.Pet {
		add(p)
		return add(p)
	}))
	t.fault("read-emoji-replaced", "CREATE-13 LIST-7? LIST-8?", Read.Member("name", Text(replacing(BeyondPlane, "?"))))
}

// filterSticks filters a listing without a filter by that of the one before, if both have the same limit.
func filterSticks() Change {
	var last store.Query
	return Always.Query(func(q *store.Query) {
		before := last
		if last = *q; q.Status == "" && before.Limit == q.Limit {
			q.Status = before.Status
		}
	})
}

// deepRows show only after a sequence of requests, or for a value that no check sends.
func deepRows(t *table) {
	t.fault("deep-limit-64-refused", "LIST-3 explore", refuseLimit(equal(64)))
	t.fault("deep-name-of-32", keptElsewise+"explore", Sent(Changed("name", Text(replacing("(?s)^(.{31}).$", "$1")))))
	t.fault("deep-category-2-to-31", keptElsewise+"explore",
		Sent(Changed("categoryId", Int(Instead[int64](1<<31, -1<<31)))))
	t.fault("deep-same-body-same-animal", "CREATE-5 CREATE-13? LIST-11? explore",
		sameAgain(func(p spec.NewPet) any { return p }))
	t.fault("deep-filter-sticks", "LIST-11 LIST-5? explore", filterSticks())
}
