package deviations

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/strictjson"
)

func replacing(old, by string) func(string) string {
	return func(s string) string { return strings.ReplaceAll(s, old, by) }
}

var createValueRows = slices.Concat(
	// The service stores another value than was sent, and shows it from the 201 on.
	faults(breaks("CREATE-3"), may("CREATE-13", "LIST-10", "LIST-7", "LIST-8"))(
		fault("name-trimmed", StoredName(strings.TrimSpace)),
		fault("name-title-case", StoredName(Titled)),
		fault("name-cut-at-255-bytes", StoredName(func(s string) string { return CutBytes(s, 255) })),
		fault("name-question-marks", StoredName(Marked(0xff, "?"))),
		fault("name-emoji-stripped", StoredName(Marked(0xffff, ""))),
		fault("name-accents-folded", StoredName(FoldAccents)),
		fault("name-apostrophe-doubled", StoredName(replacing("'", "''"))),
		fault("name-percent-decoded", StoredName(PercentDecoded)),
		fault("name-as-a-template", StoredName(replacing("{{7*7}}", "49"))),
		fault("name-line-end-changed", StoredName(replacing("\n", "\r\n"))),
		fault("category-through-float", StoredCategory(ThroughFloat)),
		fault("status-sold-as-pending", StoredStatus(Instead(spec.Sold, spec.Pending))),
	),
	// The 201 shows another value than is stored.
	faults(breaks("CREATE-3"), may("CREATE-13", "LIST-10"))(
		fault("name-lower-case-on-201", Show(OnCreate, Named(strings.ToLower))),
		fault("name-emptied-on-201", Show(OnCreate, Named(Constant("")))),
		fault("category-0-on-201", Show(OnCreate, InCategory(Constant(int64(0))))),
	),
)

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

// renumbered takes seven from each id when nine animals were created.
func renumbered(b *Behaviour) {
	var made atomic.Int64
	less := func() int64 { return made.Load() / 10 * 7 }
	b.OnAdd(func(*Call, spec.Pet) { made.Store(min(made.Load()+1, 10)) })
	Asked(func(id int64, refused *Refusal) (int64, *Refusal) { return id + less(), refused })(b)
	On(spec.ListPets, spec.CreatePet, spec.GetPet).And(Succeeded).Then(Rewritten(func(body []byte) []byte {
		return idMember.ReplaceAllFunc(body, func(member []byte) []byte {
			id, _ := strconv.ParseInt(string(member[len(`"id":`):]), 10, 64)
			return strconv.AppendInt([]byte(`"id":`), id-less(), 10)
		})
	}))(b)
}

var idMember = regexp.MustCompile(`"id":-?\d+`)

// Animals that share an id hide each other, so a run may report that in other places too.
var createIDRows = slices.Concat(
	faults(breaks("CREATE-4"), may("CREATE-5", "CREATE-13", "GET-1", "GET-2", "GET-3", "LIST-8", "LIST-9", "LIST-10", "LIST-11"))(
		fault("id-from-client", AssignBy(func(c *Call, _ spec.NewPet, own int64) int64 { return sentID(c, own) })),
		fault("id-from-client-when-larger",
			AssignBy(func(c *Call, _ spec.NewPet, own int64) int64 { return max(sentID(c, own), own) })),
	),
	faults(breaks("CREATE-5"), may("CREATE-13", "GET-1", "GET-2", "GET-3", "LIST-8", "LIST-9", "LIST-10", "LIST-11"))(
		fault("id-always-1", AssignBy(func(*Call, spec.NewPet, int64) int64 { return 1 })),
		fault("id-every-fifth-again", AssignBy(func(_ *Call, _ spec.NewPet, own int64) int64 {
			if own%5 == 0 {
				own--
			}
			return own
		})),
		fault("id-less-by-seven-after-the-ninth", renumbered),
		fault("id-is-length-of-name",
			AssignBy(func(_ *Call, p spec.NewPet, _ int64) int64 { return int64(len(p.Name)) + 1 })),
		fault("id-race", raceForIDs, may("CREATE-13", "GET-1", "GET-2", "LIST-8", "LIST-9", "LIST-10", "LIST-11")),
	),
)

// raceForIDs reads the last id, waits 3 ms and writes the next one back.
func raceForIDs(b *Behaviour) {
	var last atomic.Int64
	add, own := b.Add, b.Assign
	b.Assign = func(c *Call, p spec.NewPet, n uint64) int64 {
		if c != nil {
			return c.ID
		}
		last.Store(own(c, p, n))
		return last.Load()
	}
	b.Add = func(c *Call, p spec.NewPet) spec.Pet {
		c.ID = last.Load() + 1
		time.Sleep(3 * time.Millisecond)
		last.Store(c.ID)
		return add(c, p)
	}
}
