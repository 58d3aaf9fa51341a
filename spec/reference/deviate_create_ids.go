package reference

import (
	"hash/fnv"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
	"petconform/spec/reference/strictjson"
)

// idRule gives a new animal its id; own is the one that the store would give.
type idRule func(c *call, p spec.NewPet, own int64) int64

// ruled makes a deviation that assigns ids by another rule. Animals that share an id hide each other, so a run may meet
// that in other places too. rule is called once for each service.
func ruled(name string, breaks spec.ID, suffers string, rule func() idRule) Deviation {
	return Deviation{
		Name: name, Breaks: ids(breaks), Suffers: suffers,
		May: ids("CREATE-13", "GET-1", "GET-2", "GET-3", "LIST-8", "LIST-9", "LIST-10", "LIST-11"),
		apply: func(b *behaviour) {
			choose, own := rule(), b.assign
			b.assign = func(c *call, p spec.NewPet, n uint64) int64 { return choose(c, p, own(c, p, n)) }
		},
	}
}

// counted numbers animals within groups, each from 1.
func counted(group func(p spec.NewPet) any) func() idRule {
	return func() idRule {
		var mu sync.Mutex
		last := map[any]int64{}
		return func(_ *call, p spec.NewPet, _ int64) int64 {
			mu.Lock()
			defer mu.Unlock()
			last[group(p)]++
			return last[group(p)]
		}
	}
}

// sent reads an id from the members that a NewPet does not have.
func sent(c *call, member string) (int64, bool) {
	if c == nil {
		return 0, false
	}
	id, given := strictjson.Value{Kind: strictjson.Object, Members: c.draft.extra}.Member(member)
	n, err := id.Int64()
	return n, given && err == nil
}

var createIDDeviations = []Deviation{
	ruled("id-from-client", "CREATE-4", "A client that sends an id overwrites somebody's animal.", func() idRule {
		return func(c *call, _ spec.NewPet, own int64) int64 {
			if id, given := sent(c, "id"); given {
				return id
			}
			return own
		}
	}),
	ruled("id-from-client-when-larger", "CREATE-4", "A client can make ids jump ahead.", func() idRule {
		return func(c *call, _ spec.NewPet, own int64) int64 {
			id, _ := sent(c, "id")
			return max(id, own)
		}
	}),
	ruled("id-always-1", "CREATE-5", "The id is that of a template.", func() idRule {
		return func(*call, spec.NewPet, int64) int64 { return 1 }
	}),
	ruled("id-every-fifth-again", "CREATE-5", "Every fifth animal gets the id of the one before.", func() idRule {
		return func(_ *call, _ spec.NewPet, own int64) int64 {
			if own%5 == 0 {
				own--
			}
			return own
		}
	}),
	ruled("id-in-a-byte", "CREATE-5", "Ids start again after eight, as a counter that is too small.", func() idRule {
		return func(_ *call, _ spec.NewPet, own int64) int64 { return (own-1)%8 + 1 }
	}),
	ruled("id-per-category", "CREATE-5", "Each category counts for itself.", counted(func(p spec.NewPet) any { return p.CategoryID })),
	ruled("id-per-status", "CREATE-5", "Each status has a table of its own, and each table counts for itself.", counted(func(p spec.NewPet) any { return p.Status })),
	ruled("id-is-category", "CREATE-5", "The wrong column is returned as the id.", func() idRule {
		return func(_ *call, p spec.NewPet, _ int64) int64 { return p.CategoryID }
	}),
	ruled("id-is-the-second", "CREATE-5", "Two animals of the same second share an id.", func() idRule {
		return func(c *call, _ spec.NewPet, own int64) int64 {
			if c == nil {
				return own
			}
			return c.now.Unix()
		}
	}),
	ruled("id-is-length-of-name", "CREATE-5", "The id is computed from the name, badly.", func() idRule {
		return func(_ *call, p spec.NewPet, _ int64) int64 { return int64(len(p.Name)) + 1 }
	}),
	explored(ruled("id-is-hash-of-name", "CREATE-5", "Animals of the same name share an id.", func() idRule {
		return func(_ *call, p spec.NewPet, _ int64) int64 {
			h := fnv.New64a()
			_, _ = h.Write([]byte(p.Name))
			return int64(h.Sum64() >> 12)
		}
	})),
	{
		Name: "id-race", Breaks: ids("CREATE-5"), May: ids("CREATE-13", "GET-1", "GET-2", "LIST-8", "LIST-9", "LIST-10", "LIST-11"),
		Suffers: "Two animals that are created at the same time share an id.",
		apply: func(b *behaviour) {
			var last atomic.Int64
			add, own := b.add, b.assign
			b.assign = func(c *call, p spec.NewPet, n uint64) int64 {
				if c != nil {
					return c.id
				}
				last.Store(own(c, p, n))
				return last.Load()
			}
			b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
				// The last id is read, something else takes its time, and the next one is written back.
				c.id = last.Load() + 1
				time.Sleep(3 * time.Millisecond)
				last.Store(c.id)
				return add(c, p)
			}
		},
	},
}
