package behaviour

import (
	"net/http"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// InTurn waits until nobody else finds or stores animals. Others wait until done is called.
func (b *Behaviour) InTurn() (done func()) {
	b.turn.Lock()
	return b.turn.Unlock
}

// Adding changes how an animal is stored.
func Adding(change func(c *Call, p spec.NewPet, add func(spec.NewPet) spec.Pet) spec.Pet) Change {
	return func(b *Behaviour) {
		add := b.Add
		b.Add = func(c *Call, p spec.NewPet) spec.Pet {
			return change(c, p, func(p spec.NewPet) spec.Pet { return add(c, p) })
		}
	}
}

// OnAdd calls note with each new animal.
func OnAdd(note func(c *Call, pet spec.Pet)) Change {
	return Adding(func(c *Call, p spec.NewPet, add func(spec.NewPet) spec.Pet) spec.Pet {
		pet := add(p)
		note(c, pet)
		return pet
	})
}

// AssignBy gives new animals their ids by a rule; own is the id that the store would give. The call is nil for
// animals that are there from the start.
func AssignBy(rule func(c *Call, own int64) int64) Change {
	return func(b *Behaviour) {
		own := b.Assign
		b.Assign = func(c *Call, n uint64) int64 { return rule(c, own(c, n)) }
	}
}

// Populated puts animals of other clients into an empty store.
func Populated(count int, animal func(i int) spec.NewPet) Change {
	return func(b *Behaviour) { b.Seed, b.SeedPet = max(b.Seed, count), animal }
}

// Listing changes how animals are found. A limit of 0 finds all.
func Listing(change func(c *Call, q store.Query, find func(store.Query) []spec.Pet) []spec.Pet) Change {
	return func(b *Behaviour) {
		find := b.Find
		b.Find = func(c *Call, q store.Query) []spec.Pet {
			return change(c, q, func(q store.Query) []spec.Pet { return find(c, q) })
		}
	}
}

// Query changes the query of the selected listings.
func (w When) Query(change func(q *store.Query)) Change {
	return Listing(func(c *Call, q store.Query, find func(store.Query) []spec.Pet) []spec.Pet {
		if w(c) {
			change(&q)
		}
		return find(q)
	})
}

// Refind lists the animals that choose returns, of all animals with the filter's status, up to the limit.
func (w When) Refind(choose func(c *Call, pets []spec.Pet) []spec.Pet) Change {
	return Listing(func(c *Call, q store.Query, find func(store.Query) []spec.Pet) []spec.Pet {
		if !w(c) {
			return find(q)
		}
		return First(choose(c, find(store.Query{Status: q.Status})), q.Limit)
	})
}

// First are the first n animals; 0 means all.
func First(pets []spec.Pet, n int) []spec.Pet {
	if n == 0 {
		return pets
	}
	return pets[:min(max(n, 0), len(pets))]
}

// Hide leaves animals out of the selected listings. Others take their places within the limit. hidden reads c.Pet.
func (w When) Hide(hidden When) Change {
	return w.Refind(func(c *Call, pets []spec.Pet) []spec.Pet {
		return slices.DeleteFunc(pets, func(p spec.Pet) bool {
			c.Pet = p
			return hidden(c)
		})
	})
}

// Unfetched are animals that getPet does not find. is reads c.Pet, in turn.
func Unfetched(is When) Change {
	return Fetched.And(func(c *Call) bool {
		defer c.Service.InTurn()()
		return is(c)
	}).Then(WithStatus(http.StatusNotFound))
}

// Gone are animals that neither listings nor getPet find.
func Gone(is When) Change { return Together(Always.Hide(is), Unfetched(is)) }

// Lag is a replica lag: every nth listing, and every getPet, does not show an animal until that long after its
// creation.
func Lag(nth int64, onLists, onGets time.Duration) Change {
	created := map[int64]time.Time{}
	late := func(lag time.Duration) When {
		return func(c *Call) bool {
			at, known := created[c.Pet.ID]
			return known && c.Now.Sub(at) < lag
		}
	}
	return Together(OnAdd(func(c *Call, pet spec.Pet) { created[pet.ID] = c.Now }),
		Every(nth).Hide(late(onLists)), Unfetched(late(onGets)))
}
