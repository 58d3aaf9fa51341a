package behaviour

import (
	"slices"
	"sync"
	"time"

	"petconform/spec"
)

// The operations that show animals. Those in reading show them after the creation.
var (
	OnList   = []spec.Operation{spec.ListPets}
	OnCreate = []spec.Operation{spec.CreatePet}
	OnGet    = []spec.Operation{spec.GetPet}
	Showing  = slices.Concat(OnList, OnCreate, OnGet)
	Reading  = slices.Concat(OnList, OnGet)
)

// Relabel changes the animals that an operation shows. The store stays as it is.
func Relabel(ops []spec.Operation, change func(c *Call, pets []spec.Pet)) Change {
	return func(b *Behaviour) {
		before := b.shown
		b.shown = func(c *Call, pets []spec.Pet) {
			if before(c, pets); slices.Contains(ops, c.Operation) {
				defer b.inTurn()()
				change(c, pets)
			}
		}
	}
}

// Show is relabel for each animal by itself.
func Show(ops []spec.Operation, change func(spec.Pet) spec.Pet) Change {
	return Relabel(ops, func(_ *Call, pets []spec.Pet) {
		for i := range pets {
			pets[i] = change(pets[i])
		}
	})
}

// Keep changes what is stored of a NewPet, and so everything that is shown later.
func Keep(change func(spec.NewPet) spec.NewPet) Change {
	return func(b *Behaviour) {
		before := b.keep
		b.keep = func(c *Call, p spec.NewPet) spec.NewPet {
			p = before(c, p)
			defer b.inTurn()()
			return change(p)
		}
	}
}

func Named(change func(string) string) func(spec.Pet) spec.Pet {
	return func(p spec.Pet) spec.Pet {
		p.Name = change(p.Name)
		return p
	}
}

func InCategory(change func(int64) int64) func(spec.Pet) spec.Pet {
	return func(p spec.Pet) spec.Pet {
		p.CategoryID = change(p.CategoryID)
		return p
	}
}

// InStatus changes a status. An animal without one keeps none: a default is lawful.
func InStatus(change func(spec.PetStatus) spec.PetStatus) func(spec.Pet) spec.Pet {
	return func(p spec.Pet) spec.Pet {
		if p.Status != "" {
			p.Status = change(p.Status)
		}
		return p
	}
}

// stored applies a change of a Pet to the NewPet that is stored.
func stored(change func(spec.Pet) spec.Pet) Change {
	return Keep(func(p spec.NewPet) spec.NewPet { return change(spec.Pet{NewPet: p}).NewPet })
}

func StoredName(change func(string) string) Change   { return stored(Named(change)) }
func StoredCategory(change func(int64) int64) Change { return stored(InCategory(change)) }
func StoredStatus(change func(spec.PetStatus) spec.PetStatus) Change {
	return stored(InStatus(change))
}

// Instead returns to for from, and every other value as it is.
func Instead[T comparable](from, to T) func(T) T {
	return func(v T) T {
		if v == from {
			return to
		}
		return v
	}
}

func Constant[T any](v T) func(T) T { return func(T) T { return v } }

// Relist lists the animals that choose returns, of all animals with the filter's status.
func Relist(choose func(c *Call, pets []spec.Pet) []spec.Pet) Change {
	return func(b *Behaviour) {
		find := b.Find
		b.Find = func(c *Call, f Filter) []spec.Pet {
			pets := find(c, Filter{Status: f.Status})
			defer b.inTurn()()
			return choose(c, pets)
		}
	}
}

// Refind is Relist, cut to the limit afterwards. A choice that another one chooses from has no limit.
func Refind(choose func(c *Call, pets []spec.Pet) []spec.Pet) Change {
	return func(b *Behaviour) {
		Relist(choose)(b)
		find := b.Find
		b.Find = func(c *Call, f Filter) []spec.Pet {
			pets := find(c, f)
			if f.Limit > 0 {
				pets = pets[:min(f.Limit, len(pets))]
			}
			return pets
		}
	}
}

// Hide leaves animals out of listings. Others take their places within the limit.
func Hide(hidden func(c *Call, p spec.Pet) bool) Change {
	return Refind(func(c *Call, pets []spec.Pet) []spec.Pet {
		return slices.DeleteFunc(pets, func(p spec.Pet) bool { return hidden(c, p) })
	})
}

// Refetch changes what getPet finds for an id.
func Refetch(change func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool)) Change {
	return func(b *Behaviour) {
		load := b.Load
		b.Load = func(c *Call, id int64) (spec.Pet, bool) {
			pet, found := load(c, id)
			defer b.inTurn()()
			return change(c, pet, found)
		}
	}
}

// Unfetched are animals that getPet does not find.
func Unfetched(is func(c *Call, p spec.Pet) bool) Change {
	return Refetch(func(c *Call, pet spec.Pet, found bool) (spec.Pet, bool) { return pet, found && !is(c, pet) })
}

// Gone are animals that neither listings nor getPet find.
func Gone(is func(c *Call, p spec.Pet) bool) Change { return all(Hide(is), Unfetched(is)) }

// OnAdd calls note with each new animal.
func (b *Behaviour) OnAdd(note func(c *Call, pet spec.Pet)) {
	add := b.Add
	b.Add = func(c *Call, p spec.NewPet) spec.Pet {
		pet := add(c, p)
		defer b.inTurn()()
		note(c, pet)
		return pet
	}
}

// AssignBy gives new animals their ids by a rule; own is the id that the store would give. The call is nil for
// animals that are there from the start.
func AssignBy(rule func(c *Call, p spec.NewPet, own int64) int64) Change {
	return func(b *Behaviour) {
		own := b.Assign
		b.Assign = func(c *Call, p spec.NewPet, n uint64) int64 { return rule(c, p, own(c, p, n)) }
	}
}

// Populated puts animals of other clients into an empty store.
func Populated(count int, animal func(i int) spec.NewPet) Change {
	return func(b *Behaviour) { b.Seed, b.seedPet = max(b.Seed, count), animal }
}

// Lag is a replica lag: every nth listing, and every getPet, does not show an animal until that long after its
// creation.
func Lag(nth int64, onLists, onGets time.Duration) Change {
	return func(b *Behaviour) {
		var created sync.Map
		lags := Every(nth)
		b.OnAdd(func(c *Call, pet spec.Pet) { created.Store(pet.ID, c.Now) })
		arrived := func(c *Call, id int64, lag time.Duration) bool {
			at, known := created.Load(id)
			return !known || c.Now.Sub(at.(time.Time)) >= lag
		}
		Refind(func(c *Call, pets []spec.Pet) []spec.Pet {
			if !lags(c, nil) {
				return pets
			}
			return slices.DeleteFunc(pets, func(p spec.Pet) bool { return !arrived(c, p.ID, onLists) })
		})(b)
		Unfetched(func(c *Call, p spec.Pet) bool { return !arrived(c, p.ID, onGets) })(b)
	}
}

// Asked changes the petId that is read.
func Asked(change func(id int64, refused *Refusal) (int64, *Refusal)) Change {
	return func(b *Behaviour) {
		read := b.parsePetID
		b.parsePetID = func(raw string) (int64, *Refusal) { return change(read(raw)) }
	}
}
