package reference

import (
	"hash/fnv"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// assignBy gives new animals their ids by a rule; own is the id that the store would give. The call is nil for animals that
// are there from the start.
func assignBy(rule func(c *call, p spec.NewPet, own int64) int64) func(*behaviour) {
	return func(b *behaviour) {
		own := b.assign
		b.assign = func(c *call, p spec.NewPet, n uint64) int64 { return rule(c, p, own(c, p, n)) }
	}
}

// countWithin numbers animals from 1 within each group.
func countWithin(group func(p spec.NewPet) any) func(*behaviour) {
	return func(b *behaviour) {
		var mu sync.Mutex
		last := map[any]int64{}
		assignBy(func(_ *call, p spec.NewPet, _ int64) int64 {
			mu.Lock()
			defer mu.Unlock()
			last[group(p)]++
			return last[group(p)]
		})(b)
	}
}

// sentID is the id that a request gives its new animal, or else own.
func sentID(c *call, own int64) int64 {
	if c == nil {
		return own
	}
	id, given := strictjson.Value{Kind: strictjson.Object, Members: c.draft.extra}.Member("id")
	if n, err := id.Int64(); given && err == nil {
		return n
	}
	return own
}

func hashOf(name string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return int64(h.Sum64() >> 12)
}

// Animals that share an id hide each other, so a run may report that in other places too.
var createIDDeviations = slices.Concat(
	table(Deviation{Breaks: ids("CREATE-4"), May: ids("CREATE-13", "GET-1", "GET-2", "GET-3", "LIST-8", "LIST-9", "LIST-10", "LIST-11")}, []Deviation{
		{Name: "id-from-client", Suffers: "A client that sends an id overwrites another animal.",
			apply: assignBy(func(c *call, _ spec.NewPet, own int64) int64 { return sentID(c, own) })},
		{Name: "id-from-client-when-larger", Suffers: "A client that sends a large id makes ids jump ahead.",
			apply: assignBy(func(c *call, _ spec.NewPet, own int64) int64 { return max(sentID(c, own), own) })},
	}),
	table(Deviation{Breaks: ids("CREATE-5"), May: ids("CREATE-13", "GET-1", "GET-2", "GET-3", "LIST-8", "LIST-9", "LIST-10", "LIST-11")}, []Deviation{
		{Name: "id-always-1", Suffers: "Every animal has the id 1.", apply: assignBy(func(*call, spec.NewPet, int64) int64 { return 1 })},
		{Name: "id-every-fifth-again", Suffers: "Every fifth animal has the id of the one before.", apply: assignBy(func(_ *call, _ spec.NewPet, own int64) int64 {
			if own%5 == 0 {
				own--
			}
			return own
		})},
		{Name: "id-in-a-byte", Suffers: "Ids repeat after eight animals.", apply: assignBy(func(_ *call, _ spec.NewPet, own int64) int64 { return (own-1)%8 + 1 })},
		{Name: "id-per-category", Suffers: "Each category numbers its animals from 1.", apply: countWithin(func(p spec.NewPet) any { return p.CategoryID })},
		{Name: "id-per-status", Suffers: "Each status numbers its animals from 1.", apply: countWithin(func(p spec.NewPet) any { return p.Status })},
		{Name: "id-is-category", Suffers: "The id is the category.", apply: assignBy(func(_ *call, p spec.NewPet, _ int64) int64 { return p.CategoryID })},
		{Name: "id-is-the-second", Suffers: "Two animals that are created in the same second share an id.", apply: assignBy(func(c *call, _ spec.NewPet, own int64) int64 {
			if c == nil {
				return own
			}
			return c.now.Unix()
		})},
		{Name: "id-is-length-of-name", Suffers: "Two animals with names of the same length share an id.", apply: assignBy(func(_ *call, p spec.NewPet, _ int64) int64 { return int64(len(p.Name)) + 1 })},
		{Name: "id-is-hash-of-name", Suffers: "Two animals of the same name share an id.", apply: assignBy(func(_ *call, p spec.NewPet, _ int64) int64 { return hashOf(p.Name) })},
		{Name: "id-race", May: ids("CREATE-13", "GET-1", "GET-2", "LIST-8", "LIST-9", "LIST-10", "LIST-11"), Suffers: "Two animals that are created at the same time share an id.", apply: raceForIDs},
	}),
)

// raceForIDs reads the last id, waits 3 ms and writes the next one back.
func raceForIDs(b *behaviour) {
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
		c.id = last.Load() + 1
		time.Sleep(3 * time.Millisecond)
		last.Store(c.id)
		return add(c, p)
	}
}
