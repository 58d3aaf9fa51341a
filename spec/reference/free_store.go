package reference

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// numbered makes a freedom that gives ids by another rule.
func numbered(name, says string, rule func(n int64) int64) Freedom {
	return Freedom{
		Name: name, Open: open("Resources / Pet: id is an int64, assigned by the service"), Says: says, Part: "ids",
		apply: func(b *behaviour) {
			own := b.assign
			b.assign = func(c *call, p spec.NewPet, n uint64) int64 { return rule(own(c, p, n)) }
		},
	}
}

// scattered turns numbers into others that look random and never meet: each step can be undone within 63 bits.
func scattered(n int64) int64 {
	const within = 1<<63 - 1
	x := uint64(n) & within
	x = x * 0x5851f42d4c957f2d & within
	x ^= x >> 31
	x = x * 0x14057b7ef767814f & within
	return int64(x ^ x>>29)
}

// populated makes a freedom with animals of others that are there from the start.
func populated(name, says string, count int, animal func(i int) spec.NewPet) Freedom {
	return Freedom{
		Name: name, Open: open("What the service does: it keeps a store of animals"), Says: says, Part: "animals",
		apply: func(b *behaviour) { b.seed, b.seedPet = max(b.seed, count), animal },
	}
}

// ordered makes a freedom that lists in another order.
func ordered(name, says string, apply func(*behaviour)) Freedom {
	return Freedom{Name: name, Open: open("LIST-15"), Says: says, Part: "order", apply: apply}
}

// lagging makes a freedom in which new animals can be read only after a while.
func lagging(name, says string, onLists, onGets time.Duration) Freedom {
	return Freedom{
		Name: name, Open: open("Endpoints / createPet: when an animal can be read is not shown"), Says: says, Part: "replica",
		apply: func(b *behaviour) { b.lag(onLists, onGets) },
	}
}

// lag hides animals from reads until so long after their creation.
func (b *behaviour) lag(onLists, onGets time.Duration) {
	var created sync.Map
	add := b.add
	b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
		pet, err := add(c, p)
		created.Store(pet.ID, c.now)
		return pet, err
	}
	arrived := func(c *call, id int64, lag time.Duration) bool {
		at, known := created.Load(id)
		return !known || c.now.Sub(at.(time.Time)) >= lag
	}
	b.refind(func(c *call, _ filter, pets []spec.Pet) []spec.Pet {
		return slices.DeleteFunc(pets, func(p spec.Pet) bool { return !arrived(c, p.ID, onLists) })
	})
	load := b.load
	b.load = func(c *call, id int64) (spec.Pet, bool, error) {
		pet, found, err := load(c, id)
		return pet, found && arrived(c, id, onGets), err
	}
}

var storeFreedoms = []Freedom{
	numbered("ids-random", "Ids are random numbers of 63 bits.", scattered),
	numbered("ids-beyond-2-53", "Ids are beyond what a float64 holds exactly.", func(n int64) int64 { return 1<<53 + 2*n + 1 }),
	numbered("ids-near-the-end", "Ids count down from the largest int64.", func(n int64) int64 { return 1<<63 - 1 - n }),
	numbered("ids-with-gaps", "Ids rise with gaps between them.", func(n int64) int64 { return 1000 + 37*n }),
	numbered("ids-from-0", "The first id is 0.", func(n int64) int64 { return n - 1 }),
	ordered("newest-first", "Listings begin with the animal that was created last.", func(b *behaviour) { b.listOrder = store.NewestFirst }),
	ordered("random-order", "Each listing has another order.", func(b *behaviour) {
		b.refind(func(_ *call, _ filter, pets []spec.Pet) []spec.Pet {
			rand.Shuffle(len(pets), func(i, j int) { pets[i], pets[j] = pets[j], pets[i] })
			return pets
		})
	}),
	ordered("ordered-by-name", "Listings are ordered by name.", func(b *behaviour) {
		b.refind(func(_ *call, _ filter, pets []spec.Pet) []spec.Pet {
			slices.SortStableFunc(pets, func(p, q spec.Pet) int { return strings.Compare(p.Name, q.Name) })
			return pets
		})
	}),
	populated("many-animals", "More than a hundred animals of others are there, so that new ones may be on no page.", 150, plainSeed),
	populated("some-animals", "Thirty animals of others are there.", 30, plainSeed),
	populated("animals-without-status", "Forty animals of others are there, none of which has a status.", 40, func(i int) spec.NewPet {
		return spec.NewPet{Name: plainSeed(i).Name, CategoryID: 1}
	}),
	populated("odd-animals", "Animals of others are there whose names and categories are unusual.", 24, func(i int) spec.NewPet {
		odd := [...]string{"", " ", strings.Repeat("Rex", 400), "\"\\\n\t\x01", "<b>Bello</b>", "犬 \U0001f415", "null", "e\u0301"}
		numbers := [...]int64{0, -1, 1<<63 - 1, -1 << 63, 1<<53 + 1}
		return spec.NewPet{Name: odd[i%len(odd)], CategoryID: numbers[i%len(numbers)], Status: plainSeed(i).Status}
	}),
	lagging("list-lags", "A new animal is listed 300 ms after its creation.", 300*time.Millisecond, 0),
	lagging("get-lags", "A new animal can be fetched 300 ms after its creation.", 0, 300*time.Millisecond),
	lagging("replica-lags", "A new animal can be read 1.5 s after its creation.", 1500*time.Millisecond, 1500*time.Millisecond),
	{
		Name: "others-create", Open: open("What the service does: it has other clients"), Part: "others",
		Says: "With each new animal somebody else creates one too.",
		apply: func(b *behaviour) {
			add := b.add
			b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
				pet, err := add(c, p)
				if err == nil {
					_, err = add(c, spec.NewPet{Name: "Somebody else's", CategoryID: 3, Status: spec.Available})
				}
				return pet, err
			}
		},
	},
}
