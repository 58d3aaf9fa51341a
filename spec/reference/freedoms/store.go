package freedoms

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/store"
)

// numbered gives ids by a rule from 1, 2, 3, ….
func numbered(rule func(n int64) int64) Change {
	return AssignBy(func(_ *Call, own int64) int64 { return rule(own) })
}

// scattered maps numbers to others that look random. Each step can be undone within 63 bits, so no two are the same.
func scattered(n int64) int64 {
	const within = 1<<63 - 1
	x := uint64(n) & within
	x = x * 0x5851f42d4c957f2d & within
	x ^= x >> 31
	x = x * 0x14057b7ef767814f & within
	return int64(x ^ x>>29)
}

// sorted changes the order of a listing.
func sorted(sort func(pets []spec.Pet)) Change {
	return Always.Refind(func(_ *Call, pets []spec.Pet) []spec.Pet {
		sort(pets)
		return pets
	})
}

// comeAndGo has 400 guests, animals of other clients. Before each odd listing five more of them are gone, and before
// each even one five others are there.
func comeAndGo() Change {
	name := func(i int) string { return fmt.Sprintf("Guest %d", i) }
	number := map[string]int{}
	for i := range 400 {
		number[name(i)] = i
	}
	listings := 0
	return Together(Populated(len(number), func(i int) spec.NewPet {
		return spec.NewPet{Name: name(i), CategoryID: 1, Status: spec.Available}
	}), Always.Query(func(*store.Query) { listings++ }), Gone(func(c *Call) bool {
		i, guest := number[c.Pet.Name]
		return guest && (i < (listings+1)/2*5 || i >= 40+listings/2*5)
	}))
}

func oddAnimal(i int) spec.NewPet {
	names := [...]string{
		"", " ", strings.Repeat("Rex", 400), "\"\\\n\t\x01", "<b>Bello</b>", "犬 \U0001f415", "null", "e\u0301",
	}
	categories := [...]int64{0, -1, 1<<63 - 1, -1 << 63, 1<<53 + 1}
	return spec.NewPet{Name: names[i%len(names)], CategoryID: categories[i%len(categories)], Status: PlainSeed(i).Status}
}

func storeRows(t *table) {
	t.part("ids", "Resources / Pet: id is an int64, assigned by the service")
	t.variant("ids-random", "Ids are random numbers of 63 bits.", numbered(scattered))
	t.variant("ids-beyond-2-53", "Ids are beyond 2^53, where float64 is not exact.",
		numbered(func(n int64) int64 { return 1<<53 + 2*n + 1 }))
	t.variant("ids-near-the-end", "Ids count down from the largest int64.",
		numbered(func(n int64) int64 { return 1<<63 - 1 - n }))
	t.variant("ids-with-gaps", "Ids rise by 37.", numbered(func(n int64) int64 { return 1000 + 37*n }))
	t.variant("ids-irregular", "Ids rise by 1 and by 9 in turn.", numbered(func(n int64) int64 { return 5*n + n%2*4 }))
	t.variant("ids-from-0", "The first id is 0.", numbered(func(n int64) int64 { return n - 1 }))
	t.part("order", "LIST-15")
	t.variant("newest-first", "Listings begin with the animal that was created last.",
		sorted(slices.Reverse[[]spec.Pet]))
	t.variant("random-order", "Each listing has another order.", sorted(func(pets []spec.Pet) {
		rand.Shuffle(len(pets), func(i, j int) { pets[i], pets[j] = pets[j], pets[i] })
	}))
	t.variant("ordered-by-name", "Listings are ordered by name.", sorted(func(pets []spec.Pet) {
		slices.SortStableFunc(pets, func(p, q spec.Pet) int { return strings.Compare(p.Name, q.Name) })
	}))
	t.part("animals", "What the service does: it keeps a store of animals")
	t.variant("many-animals", "The store has 150 animals of other clients, so that a page of 100 may lack new ones.",
		Populated(150, PlainSeed))
	t.variant("animals-without-status", "The store has 40 animals of other clients, none with a status.",
		Populated(40, func(i int) spec.NewPet { return spec.NewPet{Name: PlainSeed(i).Name, CategoryID: 1} }))
	t.variant("odd-animals", "The store has 24 animals of other clients, with unusual names and categories.",
		Populated(24, oddAnimal))
	t.part("replica", "Endpoints / createPet: when an animal can be read is not shown")
	t.variant("list-lags", "A new animal is listed 300 ms after its creation.", Lag(1, 300*time.Millisecond, 0))
	t.variant("get-lags", "A new animal can be fetched 300 ms after its creation.", Lag(1, 0, 300*time.Millisecond))
	t.variant("replica-lags", "A new animal can be listed and fetched 1.5 s after its creation.",
		Lag(1, 1500*time.Millisecond, 1500*time.Millisecond))
	t.variant("one-replica-lags", "Every third listing shows a new animal 1.5 s after its creation, the others at once.",
		Lag(3, 1500*time.Millisecond, 0))
	t.part("misses", "Endpoints / createPet: when an animal can be read is not shown")
	missed := map[string]time.Time{}
	t.variant("misses-cached-briefly", "The 404 of an id is repeated for 300 ms.",
		OnGet.Of(200, 404).Then(func(c *Call, a *Answer) {
			defer c.Service.InTurn()()
			if c.Now.Sub(missed[c.PetID]) < 300*time.Millisecond {
				WithStatus(404)(c, a)
			} else if a.Status == 404 {
				missed[c.PetID] = c.Now
			}
		}))
	t.part("others", "What the service does: it has other clients")
	t.variant("others-create", "Another client creates an animal right after each new one.",
		Adding(func(_ *Call, p spec.NewPet, add func(spec.NewPet) spec.Pet) spec.Pet {
			pet := add(p)
			add(spec.NewPet{Name: "Somebody else's", CategoryID: 3, Status: spec.Available})
			return pet
		}))
	t.variant("others-come-and-go",
		"Of 40 animals of other clients, five are gone before each odd listing, and others come before each even one.",
		comeAndGo())
}
