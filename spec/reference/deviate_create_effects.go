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
		gone(func(_ *call, p spec.Pet) bool {
			mu.Lock()
			defer mu.Unlock()
			return lost(p.ID, last)
		})(b)
	}
}

var createEffectDeviations = slices.Concat(
	faults(breaks("CREATE-12"))(
		fault("kept-despite-anything", "Every refused animal is stored, and a retry stores another.", storeRefused()),
		fault("kept-despite-unknown-status", "An animal is stored before its status is checked.",
			storeRefused("status_invalid")),
		fault("kept-despite-category-type", "An animal is stored before its category is checked.",
			storeRefused("category_id_invalid")),
		fault("kept-despite-missing-category", "An animal without a category is stored and then refused.",
			storeRefused("category_id_missing")),
		fault("kept-despite-missing-name", "An animal without a name is stored and then refused.",
			storeRefused("name_missing")),
		fault("kept-despite-name-type", "An animal is stored before its name is checked.",
			storeRefused("name_invalid")),
		fault("kept-despite-text-behind", "An animal is stored before the text behind its object is read.",
			storeRefused("body_invalid")),
	),
	faults(breaks("CREATE-13"))(
		fault("store-forgets-every-fourth", "Every fourth animal is answered 201 and never stored.",
			lose(func(id, _ int64) bool { return id%4 == 0 }), may("GET-1", "LIST-8", "LIST-11")),
		fault("store-keeps-the-last-three", "The store keeps only the last three animals.",
			lose(func(id, last int64) bool { return id <= last-3 }), may("GET-1", "LIST-8", "LIST-11", "LIST-5")),
		fault("store-keeps-the-last-fifteen", "The store keeps only the last fifteen animals.",
			lose(func(id, last int64) bool { return id <= last-15 }), may("GET-1", "LIST-5", "LIST-8", "LIST-11")),
		fault("store-adds-two", "Every animal is stored twice, and the client knows of one.", func(b *behaviour) {
			add := b.act[spec.CreatePet]
			b.act[spec.CreatePet] = func(c *call) *refusal {
				if refused := add(c); refused != nil {
					return refused
				}
				return add(c)
			}
		}, breaks("CREATE-22")),
		fault("store-shares-a-buffer", "Every animal has the name of the one that was created last.",
			func(b *behaviour) {
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
			}),
		fault("store-reserves-what-is-read", "An available animal is pending from its second fetch on.",
			func(b *behaviour) {
				var seen sync.Map
				show(onGet, func(p spec.Pet) spec.Pet {
					if _, again := seen.LoadOrStore(p.ID, true); again && p.Status == spec.Available {
						p.Status = spec.Pending
					}
					return p
				})(b)
			}, may("LIST-7", "LIST-8", "LIST-10"), needs(Explore)),
		fault("store-overwrites-namesakes", "A second animal of the same name changes the category of the first.",
			func(b *behaviour) {
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
			}, may("LIST-10"), needs(Explore)),
	),
	faults(breaks("CREATE-13"), may("LIST-7", "LIST-8"))(
		fault("read-names-lower-case", "The 201 shows the name; later reads show it in lower case.",
			show(reading, named(strings.ToLower))),
		fault("read-names-cut-at-10", "The 201 shows the name; later reads show 10 characters.",
			show(reading, named(cut(10)))),
		fault("read-names-misread", "The 201 shows the name; later reads show UTF-8 read as Latin-1.",
			show(reading, named(misread))),
		fault("read-emoji-replaced", "The 201 shows the name; later reads show question marks for emoji.",
			show(reading, named(marked(0xffff, "?")))),
		fault("read-categories-rounded", "The 201 shows the category; later reads show it rounded by a float64.",
			show(reading, inCategory(throughFloat))),
	),
	faults(breaks("GET-2"), may("LIST-7", "LIST-8"))(
		fault("get-names-lower-case", "A fetched animal has its name in lower case.",
			show(onGet, named(strings.ToLower))),
		fault("get-categories-of-32-bits", "A fetched animal has another category, if that is beyond 2^31.",
			show(onGet, inCategory(wrap32Bits))),
		fault("get-without-status", "A fetched animal has no status.",
			show(onGet, inStatus(constant(spec.PetStatus(""))))),
		fault("get-always-available", "A fetched animal is available, whatever its status.",
			show(onGet, inStatus(constant(spec.Available)))),
	),
)
