package deviations

import (
	"math"
	"sync"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
)

// exploreRows show only after a sequence of requests, or for a value that no check sends.
var exploreRows = faults(needs(Explore))(
	fault("deep-limit-37", takeLimit(Instead(37, 38)), breaks("LIST-4")),
	fault("deep-limit-64-refused", refuseLimit(func(n int) bool { return n == 64 }), breaks("LIST-3")),
	fault("deep-name-of-32", StoredName(func(s string) string {
		if len(s) == 32 {
			return CutBytes(s, 31)
		}
		return s
	}), breaks("CREATE-3"), may("CREATE-13", "LIST-10", "LIST-7", "LIST-8")),
	fault("deep-category-2-to-31", StoredCategory(Instead[int64](1<<31, -1<<31)),
		breaks("CREATE-3"), may("CREATE-13", "LIST-10", "LIST-7", "LIST-8")),
	fault("deep-smallest-category", StoredCategory(Instead[int64](math.MinInt64, math.MaxInt64)),
		breaks("CREATE-3"), may("CREATE-13", "LIST-10", "LIST-7", "LIST-8")),
	fault("deep-seventeenth-animal-fails", fetched(func(c *Call) bool { return c.Pet.ID%17 == 0 }, WithStatus(500)),
		breaks("GET-1"), may("CREATE-13", "ERROR-7")),
	fault("deep-same-body-same-animal", func(b *Behaviour) {
		var mu sync.Mutex
		var last spec.Pet
		add := b.Add
		b.Add = func(c *Call, p spec.NewPet) spec.Pet {
			mu.Lock()
			defer mu.Unlock()
			if last.ID != 0 && last.NewPet == p {
				return last
			}
			last = add(c, p)
			return last
		}
	}, breaks("CREATE-5"), may("CREATE-13", "LIST-11")),
	fault("deep-filter-sticks", func(b *Behaviour) {
		var mu sync.Mutex
		var last Filter
		find := b.Find
		b.Find = func(c *Call, f Filter) []spec.Pet {
			mu.Lock()
			before := last
			last = f
			mu.Unlock()
			if f.Status == "" && before.Status != "" && before.Limit == f.Limit {
				f.Status = before.Status
			}
			return find(c, f)
		}
	}, breaks("LIST-11"), may("LIST-5")),
	fault("deep-sold-after-pending", func(b *Behaviour) {
		var before spec.PetStatus
		lost := map[int64]bool{}
		b.OnAdd(func(_ *Call, pet spec.Pet) {
			lost[pet.ID] = before == spec.Pending && pet.Status == spec.Sold
			before = pet.Status
		})
		Hide(func(c *Call, p spec.Pet) bool {
			return c.Filter.Status == spec.Sold && lost[p.ID]
		})(b)
	}, breaks("LIST-8")),
)
