package deviations

import (
	"slices"
	"strings"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/strictjson"
)

// storeRefused stores an animal although its body is refused with one of the codes; with none, whatever the code.
func storeRefused(codes ...string) Change { return storeRefusedAs(salvaged, codes...) }

func storeRefusedAs(pet func(*Call) spec.NewPet, codes ...string) Change {
	return func(b *Behaviour) {
		b.Understand[spec.CreatePet] = After(b.Understand[spec.CreatePet], func(c *Call, refused *Refusal) *Refusal {
			if refused != nil && c.Account != nil && (len(codes) == 0 || slices.Contains(codes, refused.Code)) {
				b.Add(c, pet(c))
			}
			return refused
		})
	}
}

// salvaged makes an animal from what can be read of a refused body.
func salvaged(c *Call) spec.NewPet {
	p := spec.NewPet{Name: c.Draft.Name, CategoryID: c.Draft.CategoryID}
	if p.Name == "" {
		p.Name = sentText(c, "name")
	}
	return p
}

// sentText reads a member of a refused body that is a string.
func sentText(c *Call, name string) string {
	object, err := strictjson.Parse(firstObject(c.Body))
	if err != nil {
		return ""
	}
	value, _ := object.Member(name)
	return value.Text
}

// lose hides animals from listings and from getPet; last is the largest id so far.
func lose(lost func(id, last int64) bool) Change {
	return func(b *Behaviour) {
		var last int64
		b.OnAdd(func(_ *Call, pet spec.Pet) {
			last = max(last, pet.ID)
		})
		Gone(func(_ *Call, p spec.Pet) bool {
			return lost(p.ID, last)
		})(b)
	}
}

var createEffectRows = slices.Concat(
	faults(breaks("CREATE-12"))(
		fault("kept-despite-category-type", storeRefused("category_id_invalid")),
		fault("kept-despite-name-type", storeRefused("name_invalid")),
	),
	faults(breaks("CREATE-13"))(
		fault("store-forgets-every-fourth",
			lose(func(id, _ int64) bool { return id%4 == 0 }), may("GET-1", "LIST-8", "LIST-11")),
		fault("store-keeps-the-last-three",
			lose(func(id, last int64) bool { return id <= last-3 }), may("GET-1", "LIST-8", "LIST-11", "LIST-5")),
		fault("store-adds-two", func(b *Behaviour) {
			add := b.Act[spec.CreatePet]
			b.Act[spec.CreatePet] = func(c *Call) *Refusal {
				if refused := add(c); refused != nil {
					return refused
				}
				return add(c)
			}
		}, breaks("CREATE-22")),
		fault("store-shares-a-buffer", func(b *Behaviour) {
			last := ""
			Keep(func(p spec.NewPet) spec.NewPet {
				last = p.Name
				return p
			})(b)
			Show(Reading, Named(func(string) string {
				return last
			}))(b)
		}),
		fault("store-reserves-what-is-read", func(b *Behaviour) {
			var seen sync.Map
			Show(OnGet, func(p spec.Pet) spec.Pet {
				if _, again := seen.LoadOrStore(p.ID, true); again && p.Status == spec.Available {
					p.Status = spec.Pending
				}
				return p
			})(b)
		}, may("LIST-7", "LIST-8", "LIST-10"), needs(Explore)),
		fault("store-overwrites-namesakes", func(b *Behaviour) {
			var categories sync.Map
			Keep(func(p spec.NewPet) spec.NewPet {
				categories.Store(p.Name, p.CategoryID)
				return p
			})(b)
			Show(Reading, func(p spec.Pet) spec.Pet {
				if n, known := categories.Load(p.Name); known {
					p.CategoryID = n.(int64)
				}
				return p
			})(b)
		}, may("LIST-10"), needs(Explore)),
	),
	faults(breaks("CREATE-13"), may("LIST-7", "LIST-8"))(
		fault("read-names-cut-at-10", Show(Reading, Named(Cut(10)))),
		fault("read-emoji-replaced", Show(Reading, Named(Marked(0xffff, "?")))),
		fault("read-categories-rounded", Show(Reading, InCategory(ThroughFloat))),
	),
	faults(breaks("GET-2"), may("LIST-7", "LIST-8"))(
		fault("get-names-lower-case", Show(OnGet, Named(strings.ToLower))),
		fault("get-categories-of-32-bits", Show(OnGet, InCategory(wrap32Bits))),
		fault("get-always-available", Show(OnGet, InStatus(Constant(spec.Available)))),
	),
)
