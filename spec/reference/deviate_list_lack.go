package reference

import (
	"slices"
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
