package reference

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
)

// exploreDeviations show only after a sequence of requests, or for a value that no check sends.
var exploreDeviations = faults(needs(Explore))(
	fault("deep-limit-37", "A limit of 37 lists 38 animals.", takeLimit(instead(37, 38)), breaks("LIST-4")),
	fault("deep-limit-64-refused", "A limit of 64 is refused.",
		refuseLimit(func(n int) bool { return n == 64 }), breaks("LIST-3")),
	fault("deep-name-of-32", "A name of exactly 32 bytes loses its last byte.", storedName(func(s string) string {
		if len(s) == 32 {
			return cutBytes(s, 31)
		}
		return s
	}), breaks("CREATE-3"), may("CREATE-13", "LIST-10", "LIST-7", "LIST-8")),
	fault("deep-category-2-to-31", "Category 2147483648 becomes negative.",
		storedCategory(instead[int64](1<<31, -1<<31)),
		breaks("CREATE-3"), may("CREATE-13", "LIST-10", "LIST-7", "LIST-8")),
	fault("deep-smallest-category", "The smallest int64 becomes the largest.",
		storedCategory(instead[int64](math.MinInt64, math.MaxInt64)),
		breaks("CREATE-3"), may("CREATE-13", "LIST-10", "LIST-7", "LIST-8")),
	fault("deep-seventeenth-animal-fails", "Every seventeenth animal ends in a server error when it is fetched.",
		fetched(func(c *call) bool { return c.pet.ID%17 == 0 }, withStatus(500)),
		breaks("GET-1"), may("CREATE-13", "ERROR-7")),
	fault("deep-status-lost-after-three-refusals", "After three refused bodies the next animal loses its status.",
		func(b *behaviour) {
			var refusals atomic.Int64
			b.understand[spec.CreatePet] = after(b.understand[spec.CreatePet], func(c *call, refused *refusal) *refusal {
				if refused != nil {
					refusals.Add(1)
				} else if refusals.Swap(0) >= 3 {
					c.draft.Status = ""
				}
				return refused
			})
		},
		breaks("CREATE-3"), may("CREATE-13", "LIST-8", "LIST-10")),
	fault("deep-same-body-same-animal", "The same body sent twice in a row creates one animal.", func(b *behaviour) {
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
	}, breaks("CREATE-5"), may("CREATE-13", "LIST-11")),
	fault("deep-filter-sticks", "A listing right after a filtered one of the same limit is filtered too.",
		func(b *behaviour) {
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
		}, breaks("LIST-11"), may("LIST-5")),
	fault("deep-sold-after-pending", "The filter sold lacks an animal that was created right after a pending one.",
		func(b *behaviour) {
			var mu sync.Mutex
			var before spec.PetStatus
			lost := map[int64]bool{}
			b.onAdd(func(_ *call, pet spec.Pet) {
				mu.Lock()
				defer mu.Unlock()
				lost[pet.ID] = before == spec.Pending && pet.Status == spec.Sold
				before = pet.Status
			})
			hide(func(c *call, p spec.Pet) bool {
				mu.Lock()
				defer mu.Unlock()
				return c.filter.status == spec.Sold && lost[p.ID]
			})(b)
		}, breaks("LIST-8")),
	fault("deep-parallel-creates-swap-names", "Two animals that are created at the same time swap their names.",
		swapNames, breaks("CREATE-3"), may("CREATE-13", "LIST-10")),
)

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
