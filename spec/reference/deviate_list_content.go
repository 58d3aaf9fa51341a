package reference

import (
	"slices"
	"strings"

	"petconform/spec"
)

// misshown makes a deviation whose listings show other values than were stored.
func misshown(name, suffers string, change func(spec.Pet) spec.Pet) Deviation {
	return Deviation{
		Name: name, Breaks: ids("LIST-10"), May: ids("CREATE-13"), Suffers: suffers,
		apply: func(b *behaviour) { b.show(onList, change) },
	}
}

var listContentDeviations = slices.Concat(listRepeatDeviations, listValueDeviations, listLackDeviations)

// LIST-9: an animal is listed once.
var listRepeatDeviations = []Deviation{
	{
		Name: "list-repeats-the-last", Breaks: ids("LIST-9"),
		Suffers: "A client counts an animal that is not there.",
		apply: func(b *behaviour) {
			b.refind(func(_ *call, _ filter, pets []spec.Pet) []spec.Pet {
				if len(pets) > 0 {
					pets = append(pets, pets[len(pets)-1])
				}
				return pets
			})
		},
	},
	{
		Name: "list-repeats-each", Breaks: ids("LIST-9"), May: ids("LIST-8", "LIST-11"),
		Suffers: "A join doubles every row, and half of the animals do not fit.",
		apply: func(b *behaviour) {
			b.refind(func(_ *call, _ filter, pets []spec.Pet) []spec.Pet {
				var twice []spec.Pet
				for _, p := range pets {
					twice = append(twice, p, p)
				}
				return twice
			})
		},
	},
	{
		Name: "list-repeats-across-pages", Breaks: ids("LIST-9"),
		Suffers: "Internally a page has ten, and each one begins with the end of the one before.",
		apply: func(b *behaviour) {
			b.refind(func(_ *call, _ filter, pets []spec.Pet) []spec.Pet {
				if len(pets) > 10 {
					pets = slices.Insert(slices.Clone(pets), 10, pets[9])
				}
				return pets
			})
		},
	},
	{
		Name: "list-repeats-when-filtered", Breaks: ids("LIST-9"), May: ids("LIST-8"),
		Suffers: "An index holds animals with a status twice.",
		apply: func(b *behaviour) {
			b.refind(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
				if f.status != "" && len(pets) > 0 {
					pets = append(pets, pets[0])
				}
				return pets
			})
		},
	},
}

// LIST-10: a listing shows what was created.
var listValueDeviations = []Deviation{
	misshown("list-names-lower-case", "Names come from a search index.", named(strings.ToLower)),
	misshown("list-names-cut-at-20", "The listing's view has a narrower column.", named(func(s string) string { return cut(s, 20) })),
	misshown("list-names-escaped", "A template escapes names for HTML.", named(escapeHTML)),
	misshown("list-names-without-accents", "Names come from a search index that folds accents.", named(foldAccents)),
	misshown("list-categories-rounded", "Categories went through a float, and those beyond 2^53 are others.", func(p spec.Pet) spec.Pet {
		p.CategoryID = throughFloat(p.CategoryID)
		return p
	}),
	misshown("list-categories-of-32-bits", "Categories went through an int32, and large ones are others.", func(p spec.Pet) spec.Pet {
		p.CategoryID = int64(int32(p.CategoryID))
		return p
	}),
	{
		Name: "list-without-status", Breaks: ids("LIST-10"), May: ids("CREATE-13"),
		Suffers: "A summary leaves the status out, and a client asks for each animal again.",
		apply: func(b *behaviour) {
			shown := b.listed
			b.listed = func(c *call, pets []spec.Pet) []spec.Pet {
				pets = shown(c, pets)
				for i := range pets {
					if c.filter.status == "" {
						pets[i].Status = ""
					}
				}
				return pets
			}
		},
	},
	{
		Name: "list-categories-of-the-neighbour", Breaks: ids("LIST-10"), May: ids("CREATE-13"),
		Suffers: "Two columns are put together with one row between them.",
		apply: func(b *behaviour) {
			shown := b.listed
			b.listed = func(c *call, pets []spec.Pet) []spec.Pet {
				pets = shown(c, pets)
				for i := len(pets) - 1; i > 0; i-- {
					pets[i].CategoryID = pets[i-1].CategoryID
				}
				return pets
			}
		},
	},
	{
		Name: "list-names-of-the-last", Breaks: ids("LIST-10"), May: ids("CREATE-13"),
		Suffers: "A loop keeps a reference to its variable: all animals have the name of the last one.",
		apply: func(b *behaviour) {
			shown := b.listed
			b.listed = func(c *call, pets []spec.Pet) []spec.Pet {
				pets = shown(c, pets)
				for i := range pets {
					pets[i].Name = pets[len(pets)-1].Name
				}
				return pets
			}
		},
	},
}
