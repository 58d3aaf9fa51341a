package reference

import (
	"slices"

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

// show changes the values of animals that the operations show. The store stays as it is.
func show(ops []spec.Operation, change func(spec.Pet) spec.Pet) func(*behaviour) {
	return func(b *behaviour) {
		for _, op := range ops {
			switch op {
			case spec.ListPets:
				b.relabel(func(_ *call, pets []spec.Pet) {
					for i := range pets {
						pets[i] = change(pets[i])
					}
				})
			case spec.CreatePet:
				before := b.created
				b.created = func(c *call, p spec.Pet) spec.Pet { return change(before(c, p)) }
			case spec.GetPet:
				before := b.fetched
				b.fetched = func(c *call, p spec.Pet) spec.Pet { return change(before(c, p)) }
			}
		}
	}
}

// relabel changes the values of the animals of a listing.
func (b *behaviour) relabel(change func(c *call, pets []spec.Pet)) {
	before := b.listed
	b.listed = func(c *call, pets []spec.Pet) []spec.Pet {
		pets = before(c, pets)
		change(c, pets)
		return pets
	}
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
func relist(choose func(c *call, f filter, pets []spec.Pet) []spec.Pet) func(*behaviour) {
	return func(b *behaviour) {
		find := b.find
		b.find = func(c *call, f filter) ([]spec.Pet, error) {
			pets, err := find(c, filter{status: f.status})
			if err != nil {
				return nil, err
			}
			return choose(c, f, pets), nil
		}
	}
}

// refind is relist, cut to the limit afterwards.
func refind(choose func(c *call, f filter, pets []spec.Pet) []spec.Pet) func(*behaviour) {
	return relist(func(c *call, f filter, pets []spec.Pet) []spec.Pet {
		pets = choose(c, f, pets)
		if f.limit > 0 {
			pets = pets[:min(f.limit, len(pets))]
		}
		return pets
	})
}

// hide leaves animals out of listings. Others take their places within the limit.
func hide(hidden func(f filter, p spec.Pet) bool) func(*behaviour) {
	return refind(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
		return slices.DeleteFunc(pets, func(p spec.Pet) bool { return hidden(f, p) })
	})
}

// refetch changes what getPet finds for an id.
func refetch(change func(c *call, id int64, pet spec.Pet, found bool) (spec.Pet, bool)) func(*behaviour) {
	return func(b *behaviour) {
		load := b.load
		b.load = func(c *call, id int64) (spec.Pet, bool, error) {
			pet, found, err := load(c, id)
			pet, found = change(c, id, pet, found)
			return pet, found, err
		}
	}
}

// onAdd calls note with each new animal.
func (b *behaviour) onAdd(note func(c *call, pet spec.Pet)) {
	add := b.add
	b.add = func(c *call, p spec.NewPet) (spec.Pet, error) {
		pet, err := add(c, p)
		note(c, pet)
		return pet, err
	}
}
