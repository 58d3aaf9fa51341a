package reference

import (
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	"petconform/spec/reference/strictjson"
)

// keptDespite makes a deviation that keeps an animal although it refuses the body.
func keptDespite(name, suffers string, is func(refused *refusal) bool) Deviation {
	return Deviation{
		Name: name, Breaks: ids("CREATE-12"), Suffers: suffers,
		apply: func(b *behaviour) {
			read := b.understand[spec.CreatePet]
			b.understand[spec.CreatePet] = func(c *call) *refusal {
				refused := read(c)
				if refused != nil && c.account != nil && is(refused) {
					_, _ = b.add(c, salvaged(c))
				}
				return refused
			}
		},
	}
}

// salvaged makes an animal of what can be read of a refused body.
func salvaged(c *call) spec.NewPet {
	p := spec.NewPet{Name: c.draft.Name, CategoryID: c.draft.CategoryID}
	if object, err := strictjson.Parse(firstObject(c.body)); err == nil && p.Name == "" {
		name, _ := object.Member("name")
		p.Name = name.Text
	}
	return p
}

func code(codes ...string) func(*refusal) bool {
	return func(r *refusal) bool { return slices.Contains(codes, r.code) }
}

// readAs makes a deviation whose later reads show something else than the 201 did.
func readAs(name, suffers string, change func(spec.Pet) spec.Pet, breaks ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: breaks, May: ids("LIST-7", "LIST-8"), Suffers: suffers,
		apply: func(b *behaviour) {
			ops := reading
			if slices.Contains(breaks, "GET-2") {
				ops = onGet
			}
			b.show(ops, change)
		},
	}
}

var createEffectDeviations = slices.Concat(refusedEffectDeviations, keptEffectDeviations, readEffectDeviations)

// CREATE-12: what is refused leaves nothing behind.
var refusedEffectDeviations = []Deviation{
	keptDespite("kept-despite-anything", "Every refused animal is in the shop, and a retry makes another.", func(*refusal) bool { return true }),
	keptDespite("kept-despite-unknown-status", "An animal is stored before its status is checked.", code("status_invalid")),
	keptDespite("kept-despite-category-type", "An animal is stored before its category is checked.", code("category_id_invalid")),
	keptDespite("kept-despite-missing-category", "An animal is stored before its category is looked for.", code("category_id_missing")),
	keptDespite("kept-despite-missing-name", "A nameless animal is stored, then refused.", code("name_missing")),
	keptDespite("kept-despite-name-type", "An animal is stored before its name is checked.", code("name_invalid")),
	keptDespite("kept-despite-text-behind", "A reader stores the object before it meets what follows.", code("body_invalid")),
}

// CREATE-13: what is created is kept.
var keptEffectDeviations = []Deviation{
	{
		Name: "store-forgets-every-fourth", Breaks: ids("CREATE-13"), May: ids("GET-1", "LIST-8", "LIST-11"),
		Suffers: "Every fourth animal was confirmed and never stored.",
		apply:   func(b *behaviour) { b.loses(func(id, _ int64) bool { return id%4 == 0 }) },
	},
	{
		Name: "store-keeps-the-last-three", Breaks: ids("CREATE-13"), May: ids("GET-1", "LIST-8", "LIST-11", "LIST-5"),
		Suffers: "Animals live in a small cache with nothing behind it.",
		apply:   func(b *behaviour) { b.loses(func(id, last int64) bool { return id <= last-3 }) },
	},
	{
		Name: "store-keeps-the-last-fifteen", Breaks: ids("CREATE-13"), May: ids("GET-1", "LIST-5", "LIST-8", "LIST-11"), Needs: Explore,
		Suffers: "Animals live in a cache of fifteen with nothing behind it.",
		apply:   func(b *behaviour) { b.loses(func(id, last int64) bool { return id <= last-15 }) },
	},
	{
		Name: "store-adds-two", Breaks: ids("CREATE-22"), May: ids("CREATE-12"),
		Suffers: "A handler that is registered twice stores every animal twice; the client knows of one.",
		apply: func(b *behaviour) {
			add := b.act[spec.CreatePet]
			b.act[spec.CreatePet] = func(c *call) *refusal {
				if refused := add(c); refused != nil {
					return refused
				}
				return add(c)
			}
		},
	},
	{
		Name: "store-shares-a-buffer", Breaks: ids("CREATE-13"),
		Suffers: "All animals carry the name of the last one that was created.",
		apply: func(b *behaviour) {
			var mu sync.Mutex
			last := ""
			b.store(func(p spec.NewPet) spec.NewPet {
				mu.Lock()
				defer mu.Unlock()
				last = p.Name
				return p
			})
			b.show(reading, named(func(string) string {
				mu.Lock()
				defer mu.Unlock()
				return last
			}))
		},
	},
	{
		Name: "store-reserves-what-is-read", Breaks: ids("CREATE-13"), May: ids("LIST-7", "LIST-8", "LIST-10"), Needs: Explore,
		Suffers: "Whoever looks at an available animal twice finds it pending.",
		apply: func(b *behaviour) {
			var seen sync.Map
			shown := b.fetched
			b.fetched = func(c *call, p spec.Pet) spec.Pet {
				if _, again := seen.LoadOrStore(p.ID, true); again && p.Status == spec.Available {
					p.Status = spec.Pending
				}
				return shown(c, p)
			}
		},
	},
	{
		Name: "store-overwrites-namesakes", Breaks: ids("CREATE-13"), May: ids("LIST-10"), Needs: Explore,
		Suffers: "A second animal of the same name gives the first one its category.",
		apply: func(b *behaviour) {
			var categories sync.Map
			b.store(func(p spec.NewPet) spec.NewPet {
				categories.Store(p.Name, p.CategoryID)
				return p
			})
			b.show(reading, func(p spec.Pet) spec.Pet {
				if n, known := categories.Load(p.Name); known {
					p.CategoryID = n.(int64)
				}
				return p
			})
		},
	},
}

// Later reads show what was created.
var readEffectDeviations = []Deviation{
	readAs("read-names-lower-case", "What was confirmed is not what is kept.", named(strings.ToLower), "CREATE-13"),
	readAs("read-names-cut-at-10", "The answer shows the whole name, the store keeps ten letters.", named(func(s string) string { return cut(s, 10) }), "CREATE-13"),
	readAs("read-names-misread", "The answer is right, the store reads UTF-8 as Latin-1.", named(misread), "CREATE-13"),
	readAs("read-emoji-replaced", "The answer is right, the store has no room for emoji.", named(func(s string) string { return marked(s, 0xffff, "?") }), "CREATE-13"),
	readAs("read-categories-rounded", "The answer is right, the store keeps a float.", func(p spec.Pet) spec.Pet {
		p.CategoryID = throughFloat(p.CategoryID)
		return p
	}, "CREATE-13"),
	readAs("get-names-lower-case", "One operation shows another name than the rest.", named(strings.ToLower), "GET-2"),
	readAs("get-names-escaped", "One operation shows names escaped for HTML.", named(escapeHTML), "GET-2"),
	readAs("get-categories-of-32-bits", "One operation wraps large categories.", func(p spec.Pet) spec.Pet {
		p.CategoryID = int64(int32(p.CategoryID))
		return p
	}, "GET-2"),
	readAs("get-without-status", "One operation leaves the status out.", func(p spec.Pet) spec.Pet {
		p.Status = ""
		return p
	}, "GET-2"),
	readAs("get-always-available", "The old operation says available of every animal with a status.", func(p spec.Pet) spec.Pet {
		if p.Status != "" {
			p.Status = spec.Available
		}
		return p
	}, "GET-2"),
}

// loses hides animals from both reads; last is the largest id that was given.
func (b *behaviour) loses(lost func(id, last int64) bool) {
	var mu sync.Mutex
	var last int64
	add := b.add
	b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
		pet, err := add(c, p)
		mu.Lock()
		defer mu.Unlock()
		last = max(last, pet.ID)
		return pet, err
	}
	gone := func(id int64) bool {
		mu.Lock()
		defer mu.Unlock()
		return lost(id, last)
	}
	b.hide(func(_ filter, p spec.Pet) bool { return gone(p.ID) })
	load := b.load
	b.load = func(c *call, id int64) (spec.Pet, bool, error) {
		pet, found, err := load(c, id)
		return pet, found && !gone(id), err
	}
}
