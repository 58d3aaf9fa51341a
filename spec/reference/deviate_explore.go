package reference

import (
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
)

// exploreDeviations show only after a sequence of requests, or for a value that nothing points to.
var exploreDeviations = []Deviation{
	{
		Name: "deep-status-lost-after-three-refusals", Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-8", "LIST-10"), Needs: Explore,
		Suffers: "After three refused bodies a worker's validator forgets the status of the next animal.",
		apply: func(b *behaviour) {
			var refusals atomic.Int64
			read := b.understand[spec.CreatePet]
			b.understand[spec.CreatePet] = func(c *call) *refusal {
				if refused := read(c); refused != nil {
					refusals.Add(1)
					return refused
				}
				if refusals.Swap(0) >= 3 {
					c.draft.Status = ""
				}
				return nil
			}
		},
	},
	{
		Name: "deep-miss-remembered", Breaks: ids("GET-1"), May: ids("CREATE-13"), Needs: Explore,
		Suffers: "Whoever asked for an animal too early never gets it: the miss is cached.",
		apply: func(b *behaviour) {
			var missing sync.Map
			load := b.load
			b.load = func(c *call, id int64) (spec.Pet, bool, error) {
				if _, was := missing.Load(id); was {
					return spec.Pet{}, false, nil
				}
				pet, found, err := load(c, id)
				if !found {
					missing.Store(id, true)
				}
				return pet, found, err
			}
		},
	},
	{
		Name: "deep-same-body-same-animal", Breaks: ids("CREATE-5"), May: ids("CREATE-13", "LIST-11"), Needs: Explore,
		Suffers: "A body that was sent just before is answered from memory, and the second animal is never made.",
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
		},
	},
	{
		Name: "deep-filter-sticks", Breaks: ids("LIST-11"), May: ids("LIST-5"), Needs: Explore,
		Suffers: "A listing right after a filtered one of the same limit is filtered too.",
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
		},
	},
	explored(limited("deep-limit-37", "LIST-4", "One page size is off by one.", takenAs(func(n int) int {
		if n == 37 {
			return 38
		}
		return n
	}))),
	explored(limited("deep-limit-64-refused", "LIST-3", "One page size is refused.", refusing(func(n int) bool { return n == 64 }))),
	explored(keptAs("deep-name-of-32", "A name of exactly 32 bytes loses its last one.", keptName(func(s string) string {
		if len(s) == 32 {
			return cutBytes(s, 31)
		}
		return s
	}))),
	explored(keptAs("deep-category-2-to-31", "The first category beyond int32 becomes negative, the others do not.", category(func(n int64) int64 {
		if n == 1<<31 {
			return -n
		}
		return n
	}))),
	explored(keptAs("deep-smallest-category", "The smallest int64 becomes the largest.", category(func(n int64) int64 {
		if n == math.MinInt64 {
			return math.MaxInt64
		}
		return n
	}))),
	{
		Name: "deep-seventeenth-animal-fails", Breaks: ids("GET-1"), May: ids("CREATE-13", "ERROR-7"), Needs: Explore,
		Suffers: "The first animal behind a page of the store's file cannot be fetched.",
		apply: func(b *behaviour) {
			b.alter(on(spec.GetPet).and(having(http.StatusOK)).and(func(c *call, _ *answer) bool { return c.pet.ID%17 == 0 }),
				withStatus(http.StatusInternalServerError))
		},
	},
	{
		Name: "deep-sold-after-pending", Breaks: ids("LIST-8"), Needs: Explore,
		Suffers: "An animal that is created as sold right after a reserved one is missing under sold.",
		apply: func(b *behaviour) {
			var mu sync.Mutex
			var before spec.PetStatus
			lost := map[int64]bool{}
			add := b.add
			b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
				mu.Lock()
				defer mu.Unlock()
				pet, err := add(c, p)
				lost[pet.ID] = before == spec.Pending && p.Status == spec.Sold
				before = p.Status
				return pet, err
			}
			b.hide(func(f filter, p spec.Pet) bool {
				mu.Lock()
				defer mu.Unlock()
				return f.status == spec.Sold && lost[p.ID]
			})
		},
	},
	{
		Name: "deep-parallel-creates-swap-names", Breaks: ids("CREATE-3"), May: ids("CREATE-13", "LIST-10"), Needs: Explore,
		Suffers: "Two animals that are created at the same time get each other's names.",
		apply:   func(b *behaviour) { b.swapNames() },
	},
}

// swapNames keeps the name of the request that came last while others were under way.
func (b *behaviour) swapNames() {
	var mu sync.Mutex
	last, underWay := "", 0
	b.around = append(b.around, func(next handler) handler {
		return func(c *call) answer {
			if c.operation == spec.CreatePet {
				mu.Lock()
				underWay++
				mu.Unlock()
				// Long enough for another one to come in between.
				time.Sleep(2 * time.Millisecond)
				defer func() {
					mu.Lock()
					underWay--
					mu.Unlock()
				}()
			}
			return next(c)
		}
	})
	keep := b.keep
	b.keep = func(c *call, p spec.NewPet) spec.NewPet {
		p = keep(c, p)
		mu.Lock()
		defer mu.Unlock()
		name := p.Name
		if underWay > 1 && last != "" {
			p.Name = last
		}
		last = name
		return p
	}
}
