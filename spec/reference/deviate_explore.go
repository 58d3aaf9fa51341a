package reference

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
)

// exploreDeviations show only after a sequence of requests, or for a value that no check sends.
var exploreDeviations = table(Deviation{Needs: Explore}, []Deviation{
	{Name: "deep-limit-37", Breaks: ids("LIST-4"), Suffers: "A limit of 37 lists 38 animals.", apply: takeLimit(instead(37, 38))},
	{Name: "deep-limit-64-refused", Breaks: ids("LIST-3"), Suffers: "A limit of 64 is refused.", apply: refuseLimit(func(n int) bool { return n == 64 })},
	{Name: "deep-name-of-32", Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-10", "LIST-7", "LIST-8"), Suffers: "A name of exactly 32 bytes loses its last byte.",
		apply: stored(named(func(s string) string {
			if len(s) == 32 {
				return cutBytes(s, 31)
			}
			return s
		}))},
	{Name: "deep-category-2-to-31", Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-10", "LIST-7", "LIST-8"), Suffers: "Category 2147483648 becomes negative.",
		apply: stored(inCategory(instead[int64](1<<31, -1<<31)))},
	{Name: "deep-smallest-category", Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-10", "LIST-7", "LIST-8"), Suffers: "The smallest int64 becomes the largest.",
		apply: stored(inCategory(instead[int64](math.MinInt64, math.MaxInt64)))},
	{Name: "deep-seventeenth-animal-fails", Breaks: ids("GET-1"), May: ids("CREATE-13", "ERROR-7"), Suffers: "Every seventeenth animal ends in a server error when it is fetched.",
		apply: fetched(func(c *call) bool { return c.pet.ID%17 == 0 }, withStatus(500))},
	{Name: "deep-status-lost-after-three-refusals", Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-8", "LIST-10"), Suffers: "After three refused bodies the next animal loses its status.",
		apply: func(b *behaviour) {
			var refusals atomic.Int64
			b.understand[spec.CreatePet] = after(b.understand[spec.CreatePet], func(c *call, refused *refusal) *refusal {
				if refused != nil {
					refusals.Add(1)
				} else if refusals.Swap(0) >= 3 {
					c.draft.Status = ""
				}
				return refused
			})
		}},
	{Name: "deep-same-body-same-animal", Breaks: ids("CREATE-5"), May: ids("CREATE-13", "LIST-11"), Suffers: "The same body sent twice in a row creates one animal.",
		apply: func(b *behaviour) {
			var mu sync.Mutex
			var last spec.Pet
			add := b.add
			b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
				mu.Lock()
				defer mu.Unlock()
				if last.ID != 0 && last.NewPet == p {
					return last, nil
				}
				pet, err := add(c, p)
				last = pet
				return pet, err
			}
		}},
	{Name: "deep-filter-sticks", Breaks: ids("LIST-11"), May: ids("LIST-5"), Suffers: "A listing right after a filtered one of the same limit is filtered too.",
		apply: func(b *behaviour) {
			var mu sync.Mutex
			var last filter
			find := b.find
			b.find = func(c *call, f filter) ([]spec.Pet, error) {
				mu.Lock()
				before := last
				last = f
				mu.Unlock()
				if f.status == "" && before.status != "" && before.limit == f.limit {
					f.status = before.status
				}
				return find(c, f)
			}
		}},
	{Name: "deep-sold-after-pending", Breaks: ids("LIST-8"), Suffers: "The filter sold lacks an animal that was created right after a pending one.",
		apply: func(b *behaviour) {
			var mu sync.Mutex
			var before spec.PetStatus
			lost := map[int64]bool{}
			b.onAdd(func(_ *call, pet spec.Pet) {
				mu.Lock()
				defer mu.Unlock()
				lost[pet.ID] = before == spec.Pending && pet.Status == spec.Sold
				before = pet.Status
			})
			hide(func(f filter, p spec.Pet) bool {
				mu.Lock()
				defer mu.Unlock()
				return f.status == spec.Sold && lost[p.ID]
			})(b)
		}},
	{Name: "deep-parallel-creates-swap-names", Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-10"), Suffers: "Two animals that are created at the same time swap their names.",
		apply: swapNames},
})

// swapNames stores the name of the request before while several creations are in flight.
func swapNames(b *behaviour) {
	var mu sync.Mutex
	var inFlight atomic.Int64
	last := ""
	around(func(c *call, next handler) answer {
		if c.operation == spec.CreatePet {
			inFlight.Add(1)
			defer inFlight.Add(-1)
			time.Sleep(2 * time.Millisecond) // lets another creation begin
		}
		return next(c)
	})(b)
	keep(func(p spec.NewPet) spec.NewPet {
		mu.Lock()
		defer mu.Unlock()
		name := p.Name
		if inFlight.Load() > 1 && last != "" {
			p.Name = last
		}
		last = name
		return p
	})(b)
}
