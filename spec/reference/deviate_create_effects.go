package reference

import (
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// storeRefused stores an animal although its body is refused with one of the codes; with none, whatever the code.
func storeRefused(codes ...string) func(*behaviour) { return storeRefusedAs(salvaged, codes...) }

func storeRefusedAs(pet func(*call) spec.NewPet, codes ...string) func(*behaviour) {
	return func(b *behaviour) {
		b.understand[spec.CreatePet] = after(b.understand[spec.CreatePet], func(c *call, refused *refusal) *refusal {
			if refused != nil && c.account != nil && (len(codes) == 0 || slices.Contains(codes, refused.code)) {
				_, _ = b.add(c, pet(c))
			}
			return refused
		})
	}
}

// salvaged makes an animal from what can be read of a refused body.
func salvaged(c *call) spec.NewPet {
	p := spec.NewPet{Name: c.draft.Name, CategoryID: c.draft.CategoryID}
	if p.Name == "" {
		p.Name = sentText(c, "name")
	}
	return p
}

// sentText reads a member of a refused body that is a string.
func sentText(c *call, name string) string {
	object, err := strictjson.Parse(firstObject(c.body))
	if err != nil {
		return ""
	}
	value, _ := object.Member(name)
	return value.Text
}

// lose hides animals from listings and from getPet; last is the largest id so far.
func lose(lost func(id, last int64) bool) func(*behaviour) {
	return func(b *behaviour) {
		var mu sync.Mutex
		var last int64
		b.onAdd(func(_ *call, pet spec.Pet) {
			mu.Lock()
			defer mu.Unlock()
			last = max(last, pet.ID)
		})
		gone := func(id int64) bool {
			mu.Lock()
			defer mu.Unlock()
			return lost(id, last)
		}
		hide(func(_ filter, p spec.Pet) bool { return gone(p.ID) })(b)
		refetch(func(_ *call, id int64, pet spec.Pet, found bool) (spec.Pet, bool) { return pet, found && !gone(id) })(b)
	}
}

var createEffectDeviations = slices.Concat(
	table(Deviation{Breaks: ids("CREATE-12")}, []Deviation{
		{Name: "kept-despite-anything", Suffers: "Every refused animal is stored, and a retry stores another.", apply: storeRefused()},
		{Name: "kept-despite-unknown-status", Suffers: "An animal is stored before its status is checked.", apply: storeRefused("status_invalid")},
		{Name: "kept-despite-category-type", Suffers: "An animal is stored before its category is checked.", apply: storeRefused("category_id_invalid")},
		{Name: "kept-despite-missing-category", Suffers: "An animal without a category is stored and then refused.", apply: storeRefused("category_id_missing")},
		{Name: "kept-despite-missing-name", Suffers: "An animal without a name is stored and then refused.", apply: storeRefused("name_missing")},
		{Name: "kept-despite-name-type", Suffers: "An animal is stored before its name is checked.", apply: storeRefused("name_invalid")},
		{Name: "kept-despite-text-behind", Suffers: "An animal is stored before the text behind its object is read.", apply: storeRefused("body_invalid")},
	}),
	table(Deviation{Breaks: ids("CREATE-13")}, []Deviation{
		{Name: "store-forgets-every-fourth", May: ids("GET-1", "LIST-8", "LIST-11"), Suffers: "Every fourth animal is answered 201 and never stored.",
			apply: lose(func(id, _ int64) bool { return id%4 == 0 })},
		{Name: "store-keeps-the-last-three", May: ids("GET-1", "LIST-8", "LIST-11", "LIST-5"), Suffers: "The store keeps only the last three animals.",
			apply: lose(func(id, last int64) bool { return id <= last-3 })},
		{Name: "store-keeps-the-last-fifteen", May: ids("GET-1", "LIST-5", "LIST-8", "LIST-11"), Suffers: "The store keeps only the last fifteen animals.",
			apply: lose(func(id, last int64) bool { return id <= last-15 })},
		{Name: "store-adds-two", Breaks: ids("CREATE-22"), Suffers: "Every animal is stored twice, and the client knows of one.", apply: func(b *behaviour) {
			add := b.act[spec.CreatePet]
			b.act[spec.CreatePet] = func(c *call) *refusal {
				if refused := add(c); refused != nil {
					return refused
				}
				return add(c)
			}
		}},
		{Name: "store-shares-a-buffer", Suffers: "Every animal has the name of the one that was created last.", apply: func(b *behaviour) {
			var mu sync.Mutex
			last := ""
			keep(func(p spec.NewPet) spec.NewPet {
				mu.Lock()
				defer mu.Unlock()
				last = p.Name
				return p
			})(b)
			show(reading, named(func(string) string {
				mu.Lock()
				defer mu.Unlock()
				return last
			}))(b)
		}},
		{Name: "store-reserves-what-is-read", May: ids("LIST-7", "LIST-8", "LIST-10"), Needs: Explore, Suffers: "An available animal is pending from its second fetch on.", apply: func(b *behaviour) {
			var seen sync.Map
			shown := b.fetched
			b.fetched = func(c *call, p spec.Pet) spec.Pet {
				if _, again := seen.LoadOrStore(p.ID, true); again && p.Status == spec.Available {
					p.Status = spec.Pending
				}
				return shown(c, p)
			}
		}},
		{Name: "store-overwrites-namesakes", May: ids("LIST-10"), Needs: Explore, Suffers: "A second animal of the same name changes the category of the first.", apply: func(b *behaviour) {
			var categories sync.Map
			keep(func(p spec.NewPet) spec.NewPet {
				categories.Store(p.Name, p.CategoryID)
				return p
			})(b)
			show(reading, func(p spec.Pet) spec.Pet {
				if n, known := categories.Load(p.Name); known {
					p.CategoryID = n.(int64)
				}
				return p
			})(b)
		}},
	}),
	table(Deviation{Breaks: ids("CREATE-13"), May: ids("LIST-7", "LIST-8")}, []Deviation{
		{Name: "read-names-lower-case", Suffers: "The 201 shows the name; later reads show it in lower case.", apply: show(reading, named(strings.ToLower))},
		{Name: "read-names-cut-at-10", Suffers: "The 201 shows the name; later reads show 10 characters.", apply: show(reading, named(cut(10)))},
		{Name: "read-names-misread", Suffers: "The 201 shows the name; later reads show UTF-8 read as Latin-1.", apply: show(reading, named(misread))},
		{Name: "read-emoji-replaced", Suffers: "The 201 shows the name; later reads show question marks for emoji.", apply: show(reading, named(marked(0xffff, "?")))},
		{Name: "read-categories-rounded", Suffers: "The 201 shows the category; later reads show it rounded by a float64.", apply: show(reading, inCategory(throughFloat))},
	}),
	table(Deviation{Breaks: ids("GET-2"), May: ids("LIST-7", "LIST-8")}, []Deviation{
		{Name: "get-names-lower-case", Suffers: "A fetched animal has its name in lower case.", apply: show(onGet, named(strings.ToLower))},
		{Name: "get-categories-of-32-bits", Suffers: "A fetched animal has another category, if that is beyond 2^31.", apply: show(onGet, inCategory(wrap32Bits))},
		{Name: "get-without-status", Suffers: "A fetched animal has no status.", apply: show(onGet, inStatus(constant(spec.PetStatus(""))))},
		{Name: "get-always-available", Suffers: "A fetched animal is available, whatever its status.", apply: show(onGet, inStatus(constant(spec.Available)))},
	}),
)
