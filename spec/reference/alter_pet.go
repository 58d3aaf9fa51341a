package reference

import (
	"slices"
	"sync"
	"time"

	"petconform/spec"
)

// The operations that show animals. Those in reading show them after the creation.
var (
	onList   = []spec.Operation{spec.ListPets}
	onCreate = []spec.Operation{spec.CreatePet}
	onGet    = []spec.Operation{spec.GetPet}
	showing  = slices.Concat(onList, onCreate, onGet)
	reading  = slices.Concat(onList, onGet)
)

// relabel changes the animals that an operation shows. The store stays as it is.
func relabel(ops []spec.Operation, change func(c *call, pets []spec.Pet)) func(*behaviour) {
	return func(b *behaviour) {
		before := b.shown
		b.shown = func(c *call, pets []spec.Pet) {
			if before(c, pets); slices.Contains(ops, c.operation) {
				change(c, pets)
			}
		}
	}
}

// show is relabel for each animal by itself.
func show(ops []spec.Operation, change func(spec.Pet) spec.Pet) func(*behaviour) {
	return relabel(ops, func(_ *call, pets []spec.Pet) {
		for i := range pets {
			pets[i] = change(pets[i])
		}
	})
}

// keep changes what is stored of a NewPet, and so everything that is shown later.
func keep(change func(spec.NewPet) spec.NewPet) func(*behaviour) {
	return func(b *behaviour) {
		before := b.keep
		b.keep = func(c *call, p spec.NewPet) spec.NewPet { return change(before(c, p)) }
	}
}

func named(change func(string) string) func(spec.Pet) spec.Pet {
	return func(p spec.Pet) spec.Pet {
		p.Name = change(p.Name)
		return p
	}
}

func inCategory(change func(int64) int64) func(spec.Pet) spec.Pet {
	return func(p spec.Pet) spec.Pet {
		p.CategoryID = change(p.CategoryID)
		return p
	}
}

// inStatus changes a status. An animal without one keeps none: a default is lawful.
func inStatus(change func(spec.PetStatus) spec.PetStatus) func(spec.Pet) spec.Pet {
	return func(p spec.Pet) spec.Pet {
		if p.Status != "" {
			p.Status = change(p.Status)
		}
		return p
	}
}

// stored applies a change of a Pet to the NewPet that is stored.
func stored(change func(spec.Pet) spec.Pet) func(*behaviour) {
	return keep(func(p spec.NewPet) spec.NewPet { return change(spec.Pet{NewPet: p}).NewPet })
}

func storedName(change func(string) string) func(*behaviour)   { return stored(named(change)) }
func storedCategory(change func(int64) int64) func(*behaviour) { return stored(inCategory(change)) }
func storedStatus(change func(spec.PetStatus) spec.PetStatus) func(*behaviour) {
	return stored(inStatus(change))
}

// instead returns to for from, and every other value as it is.
func instead[T comparable](from, to T) func(T) T {
	return func(v T) T {
		if v == from {
			return to
		}
		return v
	}
}

func constant[T any](v T) func(T) T { return func(T) T { return v } }

// relist lists the animals that choose returns, of all animals with the filter's status.
func relist(choose func(c *call, pets []spec.Pet) []spec.Pet) func(*behaviour) {
	return func(b *behaviour) {
		find := b.find
		b.find = func(c *call, f filter) ([]spec.Pet, error) {
			pets, err := find(c, filter{status: f.status})
			if err != nil {
				return nil, err
			}
			return choose(c, pets), nil
		}
	}
}

// refind is relist, cut to the limit afterwards.
func refind(choose func(c *call, pets []spec.Pet) []spec.Pet) func(*behaviour) {
	return relist(func(c *call, pets []spec.Pet) []spec.Pet {
		pets = choose(c, pets)
		if c.filter.limit > 0 {
			pets = pets[:min(c.filter.limit, len(pets))]
		}
		return pets
	})
}

// hide leaves animals out of listings. Others take their places within the limit.
func hide(hidden func(c *call, p spec.Pet) bool) func(*behaviour) {
	return refind(func(c *call, pets []spec.Pet) []spec.Pet {
		return slices.DeleteFunc(pets, func(p spec.Pet) bool { return hidden(c, p) })
	})
}

// refetch changes what getPet finds for an id.
func refetch(change func(c *call, pet spec.Pet, found bool) (spec.Pet, bool)) func(*behaviour) {
	return func(b *behaviour) {
		load := b.load
		b.load = func(c *call, id int64) (spec.Pet, bool, error) {
			pet, found, err := load(c, id)
			pet, found = change(c, pet, found)
			return pet, found, err
		}
	}
}

// unfetched are animals that getPet does not find.
func unfetched(is func(c *call, p spec.Pet) bool) func(*behaviour) {
	return refetch(func(c *call, pet spec.Pet, found bool) (spec.Pet, bool) { return pet, found && !is(c, pet) })
}

// gone are animals that neither listings nor getPet find.
func gone(is func(c *call, p spec.Pet) bool) func(*behaviour) { return all(hide(is), unfetched(is)) }

// onAdd calls note with each new animal.
func (b *behaviour) onAdd(note func(c *call, pet spec.Pet)) {
	add := b.add
	b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
		pet, err := add(c, p)
		note(c, pet)
		return pet, err
	}
}

// assignBy gives new animals their ids by a rule; own is the id that the store would give. The call is nil for animals that
// are there from the start.
func assignBy(rule func(c *call, p spec.NewPet, own int64) int64) func(*behaviour) {
	return func(b *behaviour) {
		own := b.assign
		b.assign = func(c *call, p spec.NewPet, n uint64) int64 { return rule(c, p, own(c, p, n)) }
	}
}

// populated puts animals of other clients into an empty store.
func populated(count int, animal func(i int) spec.NewPet) func(*behaviour) {
	return func(b *behaviour) { b.seed, b.seedPet = max(b.seed, count), animal }
}

// lag is a replica lag: every nth listing, and every getPet, does not show an animal until that long after its creation.
func lag(nth int64, onLists, onGets time.Duration) func(*behaviour) {
	return func(b *behaviour) {
		var created sync.Map
		lags := every(nth)
		b.onAdd(func(c *call, pet spec.Pet) { created.Store(pet.ID, c.now) })
		arrived := func(c *call, id int64, lag time.Duration) bool {
			at, known := created.Load(id)
			return !known || c.now.Sub(at.(time.Time)) >= lag
		}
		refind(func(c *call, pets []spec.Pet) []spec.Pet {
			if !lags(c, nil) {
				return pets
			}
			return slices.DeleteFunc(pets, func(p spec.Pet) bool { return !arrived(c, p.ID, onLists) })
		})(b)
		unfetched(func(c *call, p spec.Pet) bool { return !arrived(c, p.ID, onGets) })(b)
	}
}

// asked changes the petId that is read.
func asked(change func(id int64, refused *refusal) (int64, *refusal)) func(*behaviour) {
	return func(b *behaviour) {
		read := b.parsePetID
		b.parsePetID = func(raw string) (int64, *refusal) { return change(read(raw)) }
	}
}
