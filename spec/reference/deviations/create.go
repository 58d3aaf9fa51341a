package deviations

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// refused is a createPet that is right and is answered with a status.
func refused(name, broken string, status int, is When) Deviation {
	return fault(name, broken, OnCreate.And(is).Refuse(status))
}

var createRows = []Deviation{
	fault("create-200", "CREATE-1", Created.Then(Answering(200))),
	fault("create-204", "CREATE-1 CREATE-2? SERVICE-1? SERVICE-2?", Created.Then(Replaced(204, "", ""))),
	fault("create-303", "CREATE-1", Created.Then(redirected(303, (*Call).PetPath))),
	fault("create-fails-afterwards", "CREATE-1 CREATE-12? ERROR-7?", Created.Then(WithStatus(500))),
	refused("create-emoji-forbidden", "CREATE-1 CREATE-3?", 403, named(emoji)),
	refused("create-foreign-names-refused", "CREATE-1 CREATE-3?", 400, named(foreign)),
	refused("create-apostrophe-refused", "CREATE-1", 403, named("'")),
	refused("create-name-0-refused", "CREATE-1", 400, named("^0?$")),
	refused("create-pending-refused", "CREATE-1", 400, sends(spec.Pending)),
	refused("create-sold-refused", "CREATE-1", 400, sends(spec.Sold)),
	refused("create-escapes-refused", "CREATE-1", 400, bodied(`\\/`)),
	refused("create-white-space-refused", "CREATE-1", 400, bodied("\n")),
	refused("create-charset-415", "CREATE-1", 415, header("Content-Type", "charset")),
	refused("create-accept-406", "CREATE-1", 406, notAccepting),
	refused("create-namesakes-refused", "CREATE-1", 409, seen(func(c *Call) any { return c.Draft.Name })),
	refused("create-fails-now-and-then", "CREATE-1 CREATE-14? ERROR-7?", 500, Every(5)),
	refused("name-controls-fail", "CREATE-1 ERROR-7?", 500, named(`\p{Cc}`)),
	fault("name-in-capitals-fails", "CREATE-1 ERROR-1 ERROR-7?", fails(Created.And(named("-AVAILABLE")))),
	fault("name-with-a-quote-fails", "CREATE-1 ERROR-1 ERROR-7?", fails(Created.And(named("'")))),
	fault("body-chunked-fails", "CREATE-1 ERROR-1 CREATE-6? ERROR-7?", fails(OfOperations.And(chunked))),
	refused("create-status-required", "CREATE-14", 400, sends("")),
	refused("create-without-status-fails", "CREATE-14 ERROR-7?", 500, sends("")),
	fault("create-answers-wrapped", "CREATE-2 PET-1? PET-2? PET-3?", Created.Then(Surrounded(`{"pet":`, `}`))),
}

// storedName is a fault of names: another one is stored, and shown from the 201 on.
func storedName(name string, change func(string) string) Deviation {
	return fault(name, "CREATE-3 CREATE-13?", StoredName(change))
}

// keptElsewise are the requirements that a value of a filter or of a generated sequence may break, too.
const keptElsewise = "CREATE-3 CREATE-13? LIST-10? LIST-7? LIST-8? "

var valueRows = []Deviation{
	storedName("name-trimmed", strings.TrimSpace),
	storedName("name-cut-at-255-bytes", cutBytes(255)),
	storedName("name-question-marks", replacing(beyondLatin, "?")),
	storedName("name-accents-folded", withoutAccents),
	storedName("name-apostrophe-doubled", replacing("'", "''")),
	storedName("name-percent-decoded", percentDecoded),
	storedName("name-line-end-changed", replacing("\n", "\r\n")),
	storedName("name-leading-zeros-lost", replacing(`^0+(\d+)$`, "$1")),
	storedName("name-true-as-boolean", replacing("^true$", "1")),
	storedName("name-date-revived", replacing("^2024-01-31$", "${0}T00:00:00.000Z")),
	fault("name-interned-in-any-case", "CREATE-3 CREATE-13?", interned(strings.ToLower)),
	fault("category-through-float", "CREATE-3 CREATE-13?", StoredCategory(throughFloat)),
	fault("status-sold-as-pending", keptElsewise, StoredStatus(spec.Sold, spec.Pending)),
	fault("status-under-an-old-name-by-one-replica", "CREATE-3 LIST-10? CREATE-13? GET-2? LIST-7? LIST-8?",
		Shown.And(byThird).Then(Substituted(`"status":`, `"state":`))),
	fault("category-0-on-201", "CREATE-3 CREATE-13? LIST-10?", Created.Member("categoryId", Constant("0"))),
}

// interned replaces a name by an earlier one that is equal by fold, as a collation does.
func interned(fold func(string) string) Change {
	return func(b *Behaviour) {
		first := map[string]string{}
		StoredName(func(name string) string {
			if _, known := first[fold(name)]; !known {
				first[fold(name)] = name
			}
			return first[fold(name)]
		})(b)
	}
}

// sentID is the id that a request gives its new animal, or else own.
func sentID(c *Call, own int64) int64 {
	if c == nil {
		return own
	}
	id, given := strictjson.Value{Kind: strictjson.Object, Members: c.Draft.Extra}.Member("id")
	if n, err := id.Int64(); given && err == nil {
		return n
	}
	return own
}

// Animals that share an id hide each other, so a run may report that in other places too.
const sharingIDs = " CREATE-13? GET-1? GET-2? LIST-8? LIST-9? LIST-10? LIST-11? "

var idRows = []Deviation{
	fault("id-from-client", "CREATE-4 CREATE-5? GET-3?"+sharingIDs, AssignBy(sentID)),
	fault("id-from-client-when-larger", "CREATE-4 CREATE-5? GET-3?"+sharingIDs,
		AssignBy(func(c *Call, own int64) int64 { return max(sentID(c, own), own) })),
	fault("id-always-1", "CREATE-5 GET-3?"+sharingIDs, AssignBy(func(*Call, int64) int64 { return 1 })),
	fault("id-every-fifth-again", "CREATE-5 GET-3?"+sharingIDs, AssignBy(fifthAgain)),
	fault("id-race", "CREATE-5"+sharingIDs, raceForIDs),
	fault("namesake-gets-the-same-id", "CREATE-5 CREATE-3? CREATE-13? LIST-5? LIST-8? LIST-10?",
		sameAgain(func(p spec.NewPet) any { return p.Name })),
}

func fifthAgain(_ *Call, own int64) int64 {
	if own%5 == 0 {
		own--
	}
	return own
}

// raceForIDs reads the last id, waits 3 ms and writes the next one back.
func raceForIDs(b *Behaviour) {
	var last atomic.Int64
	AssignBy(func(c *Call, own int64) int64 {
		if c != nil {
			return c.ID
		}
		last.Store(own)
		return own
	})(b)
	Adding(func(c *Call, p spec.NewPet, add func(spec.NewPet) spec.Pet) spec.Pet {
		c.ID = last.Load() + 1
		time.Sleep(3 * time.Millisecond)
		last.Store(c.ID)
		return add(p)
	})(b)
}

// sameAgain answers with the animal that exists in place of a new one with the same of something.
func sameAgain(of func(p spec.NewPet) any) Change {
	return func(b *Behaviour) {
		var mu sync.Mutex
		first := map[any]spec.Pet{}
		Adding(func(_ *Call, p spec.NewPet, add func(spec.NewPet) spec.Pet) spec.Pet {
			mu.Lock()
			defer mu.Unlock()
			if _, known := first[of(p)]; !known || p.Name == "" {
				first[of(p)] = add(p)
			}
			return first[of(p)]
		})(b)
	}
}

// lose hides animals from listings and from getPet; last is the largest id so far.
func lose(lost func(id, last int64) bool) Change {
	return func(b *Behaviour) {
		var last int64
		OnAdd(func(_ *Call, pet spec.Pet) { last = max(last, pet.ID) })(b)
		Gone(func(c *Call) bool { return lost(c.Pet.ID, last) })(b)
	}
}

var effectRows = []Deviation{
	fault("kept-despite-category-type", "CREATE-12", refusedFor("category_id_invalid").Then(storeRefused)),
	fault("kept-despite-name-type", "CREATE-12", refusedFor("name_invalid").Then(storeRefused)),
	fault("kept-with-the-refused-status", "CREATE-12 PET-4 LIST-8?", refusedText.Then(storeRefused)),
	fault("store-forgets-every-fourth", "CREATE-13 GET-1? LIST-8? LIST-11?",
		lose(func(id, _ int64) bool { return id%4 == 0 })),
	fault("store-keeps-the-last-three", "CREATE-13 GET-1? LIST-8? LIST-11? LIST-5?",
		lose(func(id, last int64) bool { return id <= last-3 })),
	fault("store-adds-two", "CREATE-22", Adding(func(_ *Call, p spec.NewPet, add func(spec.NewPet) spec.Pet) spec.Pet {
		add(p)
		return add(p)
	})),
	fault("read-names-cut-at-10", "CREATE-13 LIST-7? LIST-8?",
		Read.Member("name", Text(replacing("(?s)^(.{10}).*", "$1")))),
	fault("read-emoji-replaced", "CREATE-13 LIST-7? LIST-8?", Read.Member("name", Text(replacing(emoji, "?")))),
	fault("read-categories-rounded", "CREATE-13 LIST-7? LIST-8?", Read.Member("categoryId", Int(throughFloat))),
}

// filterSticks filters a listing without a filter by that of the one before, if both have the same limit.
func filterSticks(b *Behaviour) {
	var mu sync.Mutex
	var last store.Query
	Always.Query(func(q *store.Query) {
		mu.Lock()
		defer mu.Unlock()
		before := last
		if last = *q; q.Status == "" && before.Limit == q.Limit {
			q.Status = before.Status
		}
	})(b)
}

func without32nd(name string) string {
	if len(name) == 32 {
		return cutBytes(31)(name)
	}
	return name
}

// deepRows show only after a sequence of requests, or for a value that no check sends.
var deepRows = []Deviation{
	fault("deep-limit-64-refused", "LIST-3 explore", refuseLimit(equal(64))),
	fault("deep-name-of-32", keptElsewise+"explore", StoredName(without32nd)),
	fault("deep-category-2-to-31", keptElsewise+"explore", StoredCategory(Instead[int64](1<<31, -1<<31))),
	fault("deep-same-body-same-animal", "CREATE-5 CREATE-13? LIST-11? explore",
		sameAgain(func(p spec.NewPet) any { return p })),
	fault("deep-filter-sticks", "LIST-11 LIST-5? explore", filterSticks),
}
