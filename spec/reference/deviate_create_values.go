package reference

import (
	"hash/fnv"
	"html"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
	"petconform/spec/strictjson"
)

func replacing(old, by string) func(string) string {
	return func(s string) string { return strings.ReplaceAll(s, old, by) }
}

// mappingASCII moves the letters between first and last by so many code points, as a database does whose lower knows ASCII only.
func mappingASCII(first, last, by rune) func(string) string {
	return func(s string) string {
		return strings.Map(func(r rune) rune {
			if first <= r && r <= last {
				return r + by
			}
			return r
		}, s)
	}
}

var createValueDeviations = slices.Concat(
	// The service stores another value than was sent, and shows it from the 201 on.
	table(Deviation{Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-10", "LIST-7", "LIST-8")}, []Deviation{
		{Name: "name-trimmed", Suffers: "White space at the ends of a name is lost.", apply: stored(named(strings.TrimSpace))},
		{Name: "name-spaces-collapsed", Suffers: "Two spaces in a name become one.", apply: stored(named(collapseSpaces))},
		{Name: "name-lower-case", Suffers: "Names become lower case.", apply: stored(named(strings.ToLower))},
		{Name: "name-lower-case-in-ascii", Suffers: "The capitals A to Z of a name become lower case.", apply: stored(named(mappingASCII('A', 'Z', 'a'-'A')))},
		{Name: "name-upper-case-in-ascii", Suffers: "The letters a to z of a name become capitals.", apply: stored(named(mappingASCII('a', 'z', 'A'-'a')))},
		{Name: "name-upper-case", Suffers: "Names become upper case.", apply: stored(named(strings.ToUpper))},
		{Name: "name-title-case", Suffers: "McCavity becomes Mccavity.", apply: stored(named(titled))},
		{Name: "name-cut-at-20", Suffers: "Names end after 20 characters.", apply: stored(named(cut(20)))},
		{Name: "name-cut-at-50", Suffers: "Names end after 50 characters.", apply: stored(named(cut(50)))},
		{Name: "name-cut-at-64", Suffers: "Names end after 64 characters.", apply: stored(named(cut(64)))},
		{Name: "name-cut-at-255-bytes", Suffers: "Names end after 255 bytes.", apply: stored(named(func(s string) string { return cutBytes(s, 255) }))},
		{Name: "name-escaped-for-html", Suffers: "O'Malley & Co. becomes O&#39;Malley &amp; Co.", apply: stored(named(html.EscapeString))},
		{Name: "name-misread-as-latin1", Suffers: "é becomes Ã©.", apply: stored(named(misread))},
		{Name: "name-question-marks", Suffers: "Characters beyond Latin-1 become question marks.", apply: stored(named(marked(0xff, "?")))},
		{Name: "name-emoji-stripped", Suffers: "Characters beyond U+FFFF are lost, because the column holds three bytes a character.", apply: stored(named(marked(0xffff, "")))},
		{Name: "name-ascii-only", Suffers: "Characters beyond ASCII are lost.", apply: stored(named(marked(0x7f, "")))},
		{Name: "name-accents-folded", Suffers: "Zoë becomes Zoe.", apply: stored(named(foldAccents))},
		{Name: "name-apostrophe-doubled", Suffers: "An apostrophe becomes two, because it is escaped for the database.", apply: stored(named(replacing("'", "''")))},
		{Name: "name-quotes-dropped", Suffers: "Quotation marks are lost.", apply: stored(named(replacing(`"`, "")))},
		{Name: "name-plus-as-space", Suffers: "A plus becomes a space, because the name is decoded like a form.", apply: stored(named(replacing("+", " ")))},
		{Name: "name-percent-decoded", Suffers: "a%20b becomes a b.", apply: stored(named(percentDecoded))},
		{Name: "name-line-ends-unified", Suffers: "A carriage return and a line feed become a line feed.", apply: stored(named(replacing("\r\n", "\n")))},
		{Name: "name-no-break-space-as-space", Suffers: "A no-break space becomes a space.", apply: stored(named(replacing("\u00a0", " ")))},
		{Name: "name-byte-order-mark-removed", Suffers: "A byte order mark vanishes from a name.", apply: stored(named(replacing("\ufeff", "")))},
		{Name: "name-marks-of-direction-removed", Suffers: "Marks of direction vanish from a name.", apply: stored(named(replacing("\u202e", "")))},
		{Name: "name-quotation-marks-straightened", Suffers: "Typographic quotation marks become straight ones.", apply: stored(named(replacing("\u201c", `"`)))},
		{Name: "name-ligatures-split", Suffers: "The ligature fi becomes two letters.", apply: stored(named(replacing("\ufb01", "fi")))},
		{Name: "name-sharp-s-as-ss", Suffers: "Strauß becomes Strauss.", apply: stored(named(replacing("ß", "ss")))},
		{Name: "name-as-a-format", Suffers: "A %s in a name is replaced, because the name is used as a format.", apply: stored(named(replacing("%s", "%!s(MISSING)")))},
		{Name: "name-as-a-template", Suffers: "{{7*7}} becomes 49, because the name is used as a template.", apply: stored(named(replacing("{{7*7}}", "49")))},
		{Name: "name-tags-stripped", Suffers: "Text that looks like a tag is lost.", apply: stored(named(withoutTags))},
		{Name: "name-line-end-changed", Suffers: "A line feed becomes a carriage return and a line feed.", apply: stored(named(replacing("\n", "\r\n")))},
		{Name: "name-ends-at-nul", Suffers: "A name ends at its first NUL.", apply: stored(named(func(s string) string { s, _, _ = strings.Cut(s, "\x00"); return s }))},
		{Name: "name-null-emptied", Suffers: `The name "null" becomes empty.`, apply: stored(named(func(s string) string {
			if strings.EqualFold(s, "null") {
				return ""
			}
			return s
		}))},
		{Name: "category-through-float", Suffers: "A category beyond 2^53 becomes another category.", apply: stored(inCategory(throughFloat))},
		{Name: "category-of-32-bits", Suffers: "A category beyond 2^31 wraps around.", apply: stored(inCategory(wrap32Bits))},
		{Name: "category-at-most-32-bits", Suffers: "A category beyond 2^31 becomes 2147483647.", apply: stored(inCategory(func(n int64) int64 { return max(min(n, 1<<31-1), -1<<31) }))},
		{Name: "category-without-sign", Suffers: "A negative category loses its sign.", apply: stored(inCategory(func(n int64) int64 { return max(n, -n) }))},
		{Name: "category-0-as-1", Suffers: "Category 0 becomes category 1.", apply: stored(inCategory(instead[int64](0, 1)))},
		{Name: "status-dropped", Suffers: "The status that was sent is lost.", apply: stored(inStatus(constant(spec.PetStatus(""))))},
		{Name: "status-always-available", Suffers: "Every status becomes available.", apply: stored(inStatus(constant(spec.Available)))},
		{Name: "status-pending-as-available", Suffers: "A pending animal is offered as available.", apply: stored(inStatus(instead(spec.Pending, spec.Available)))},
		{Name: "status-sold-as-pending", Suffers: "A sold animal is shown as pending.", apply: stored(inStatus(instead(spec.Sold, spec.Pending)))},
	}),
	// The 201 shows another value than is stored.
	table(Deviation{Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-10")}, []Deviation{
		{Name: "name-lower-case-on-201", Suffers: "The 201 shows the name in lower case.", apply: show(onCreate, named(strings.ToLower))},
		{Name: "name-emptied-on-201", Suffers: "The 201 shows an empty name.", apply: show(onCreate, named(constant("")))},
		{Name: "status-missing-on-201", Suffers: "The 201 lacks the status that was sent.", apply: show(onCreate, inStatus(constant(spec.PetStatus(""))))},
		{Name: "status-available-on-201", Suffers: "The 201 shows available, whatever was sent.", apply: show(onCreate, inStatus(constant(spec.Available)))},
		{Name: "category-rounded-on-201", Suffers: "The 201 shows the category rounded by a float64.", apply: show(onCreate, inCategory(throughFloat))},
		{Name: "category-0-on-201", Suffers: "The 201 shows category 0.", apply: show(onCreate, inCategory(constant(int64(0))))},
	}),
)

// assignBy gives new animals their ids by a rule; own is the id that the store would give. The call is nil for animals that
// are there from the start.
func assignBy(rule func(c *call, p spec.NewPet, own int64) int64) func(*behaviour) {
	return func(b *behaviour) {
		own := b.assign
		b.assign = func(c *call, p spec.NewPet, n uint64) int64 { return rule(c, p, own(c, p, n)) }
	}
}

// countWithin numbers animals from 1 within each group.
func countWithin(group func(p spec.NewPet) any) func(*behaviour) {
	return func(b *behaviour) {
		var mu sync.Mutex
		last := map[any]int64{}
		assignBy(func(_ *call, p spec.NewPet, _ int64) int64 {
			mu.Lock()
			defer mu.Unlock()
			last[group(p)]++
			return last[group(p)]
		})(b)
	}
}

// sentID is the id that a request gives its new animal, or else own.
func sentID(c *call, own int64) int64 {
	if c == nil {
		return own
	}
	id, given := strictjson.Value{Kind: strictjson.Object, Members: c.draft.extra}.Member("id")
	if n, err := id.Int64(); given && err == nil {
		return n
	}
	return own
}

func hashOf(name string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return int64(h.Sum64() >> 12)
}

// Animals that share an id hide each other, so a run may report that in other places too.
var createIDDeviations = slices.Concat(
	table(Deviation{Breaks: ids("CREATE-4"), May: ids("CREATE-13", "GET-1", "GET-2", "GET-3", "LIST-8", "LIST-9", "LIST-10", "LIST-11")}, []Deviation{
		{Name: "id-from-client", Suffers: "A client that sends an id overwrites another animal.",
			apply: assignBy(func(c *call, _ spec.NewPet, own int64) int64 { return sentID(c, own) })},
		{Name: "id-from-client-when-larger", Suffers: "A client that sends a large id makes ids jump ahead.",
			apply: assignBy(func(c *call, _ spec.NewPet, own int64) int64 { return max(sentID(c, own), own) })},
	}),
	table(Deviation{Breaks: ids("CREATE-5"), May: ids("CREATE-13", "GET-1", "GET-2", "GET-3", "LIST-8", "LIST-9", "LIST-10", "LIST-11")}, []Deviation{
		{Name: "id-always-1", Suffers: "Every animal has the id 1.", apply: assignBy(func(*call, spec.NewPet, int64) int64 { return 1 })},
		{Name: "id-every-fifth-again", Suffers: "Every fifth animal has the id of the one before.", apply: assignBy(func(_ *call, _ spec.NewPet, own int64) int64 {
			if own%5 == 0 {
				own--
			}
			return own
		})},
		{Name: "id-in-a-byte", Suffers: "Ids repeat after eight animals.", apply: assignBy(func(_ *call, _ spec.NewPet, own int64) int64 { return (own-1)%8 + 1 })},
		{Name: "id-per-category", Suffers: "Each category numbers its animals from 1.", apply: countWithin(func(p spec.NewPet) any { return p.CategoryID })},
		{Name: "id-per-status", Suffers: "Each status numbers its animals from 1.", apply: countWithin(func(p spec.NewPet) any { return p.Status })},
		{Name: "id-is-category", Suffers: "The id is the category.", apply: assignBy(func(_ *call, p spec.NewPet, _ int64) int64 { return p.CategoryID })},
		{Name: "id-is-the-second", Suffers: "Two animals that are created in the same second share an id.", apply: assignBy(func(c *call, _ spec.NewPet, own int64) int64 {
			if c == nil {
				return own
			}
			return c.now.Unix()
		})},
		{Name: "id-is-length-of-name", Suffers: "Two animals with names of the same length share an id.", apply: assignBy(func(_ *call, p spec.NewPet, _ int64) int64 { return int64(len(p.Name)) + 1 })},
		{Name: "id-is-hash-of-name", Suffers: "Two animals of the same name share an id.", apply: assignBy(func(_ *call, p spec.NewPet, _ int64) int64 { return hashOf(p.Name) })},
		{Name: "id-race", May: ids("CREATE-13", "GET-1", "GET-2", "LIST-8", "LIST-9", "LIST-10", "LIST-11"), Suffers: "Two animals that are created at the same time share an id.", apply: raceForIDs},
	}),
)

// raceForIDs reads the last id, waits 3 ms and writes the next one back.
func raceForIDs(b *behaviour) {
	var last atomic.Int64
	add, own := b.add, b.assign
	b.assign = func(c *call, p spec.NewPet, n uint64) int64 {
		if c != nil {
			return c.id
		}
		last.Store(own(c, p, n))
		return last.Load()
	}
	b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
		c.id = last.Load() + 1
		time.Sleep(3 * time.Millisecond)
		last.Store(c.id)
		return add(c, p)
	}
}
