package reference

import (
	"slices"
	"strings"
	"sync"

	"petconform/spec"
)

// cacheLists answers the listings that meant means from a cache that is never filled again. One that is, after some
// seconds, would be a replica that lags, which is lawful.
func (b *behaviour) cacheLists(meant func(filter) bool) {
	var mu sync.Mutex
	cache := map[filter][]spec.Pet{}
	find := b.find
	b.find = func(c *call, f filter) ([]spec.Pet, error) {
		if !meant(f) {
			return find(c, f)
		}
		mu.Lock()
		defer mu.Unlock()
		pets, cached := cache[f]
		if !cached {
			fresh, err := find(c, f)
			if err != nil {
				return nil, err
			}
			pets = slices.Clone(fresh)
			cache[f] = pets
		}
		return append(c.pets[:0], pets...), nil
	}
}

// unlisted makes a deviation whose listings lack animals, filtered or not.
func unlisted(name, suffers string, hidden func(p spec.Pet) bool, breaks ...spec.ID) Deviation {
	return Deviation{
		Name: name, Breaks: breaks, Suffers: suffers,
		apply: func(b *behaviour) { b.hide(func(_ filter, p spec.Pet) bool { return hidden(p) }) },
	}
}

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

// LIST-11: what was created is listed.
var listLackDeviations = []Deviation{
	unlisted("list-without-statusless", "Animals without a status are in no listing.", func(p spec.Pet) bool { return p.Status == "" }, "LIST-11"),
	unlisted("list-without-large-categories", "A join over 32 bits drops animals.", func(p spec.Pet) bool { return p.CategoryID != int64(int32(p.CategoryID)) }, "LIST-8", "LIST-11"),
	unlisted("list-without-foreign-names", "Animals with names beyond ASCII are in no listing.", func(p spec.Pet) bool { return beyond(p.Name, 0x7f) }, "LIST-8", "LIST-11"),
	unlisted("list-without-every-third", "One of three shards is not asked.", func(p spec.Pet) bool { return p.ID%3 == 0 }, "LIST-8", "LIST-11"),
	{
		Name: "list-without-sold", Breaks: ids("LIST-11"),
		Suffers: "Sold animals are missing unless asked for.",
		apply: func(b *behaviour) {
			b.hide(func(f filter, p spec.Pet) bool { return f.status == "" && p.Status == spec.Sold })
		},
	},
	{
		Name: "list-without-the-newest", Breaks: ids("LIST-11"),
		Suffers: "An animal appears when the next one is created.",
		apply: func(b *behaviour) {
			b.refind(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
				if f.status == "" && len(pets) > 0 {
					pets = pets[:len(pets)-1]
				}
				return pets
			})
		},
	},
	{
		Name: "list-without-namesakes", Breaks: ids("LIST-11"), May: ids("LIST-8"), Needs: Explore,
		Suffers: "Of animals with the same name only one is listed.",
		apply: func(b *behaviour) {
			b.refind(func(_ *call, _ filter, pets []spec.Pet) []spec.Pet {
				seen := map[string]bool{}
				return slices.DeleteFunc(pets, func(p spec.Pet) bool {
					twice := seen[p.Name]
					seen[p.Name] = true
					return twice
				})
			})
		},
	},
	{
		Name: "list-10-at-most", Breaks: ids("LIST-11"), May: ids("LIST-5"),
		Suffers: "However large the limit, there are never more than ten.",
		apply: func(b *behaviour) {
			b.refind(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
				if f.status == "" {
					pets = pets[:min(10, len(pets))]
				}
				return pets
			})
		},
	},
	{
		Name: "list-cached-for-ever", Breaks: ids("LIST-11"), May: ids("LIST-5"),
		Suffers: "The first listing of each limit is shown for good.",
		apply:   func(b *behaviour) { b.cacheLists(func(f filter) bool { return f.status == "" }) },
	},
}
