package reference

import (
	"slices"
	"strconv"

	"petconform/spec"
	"petconform/spec/reference/strictjson"
)

// showing are the operations that show animals, reading the two that do so after the creation.
var (
	showing = []spec.Operation{spec.ListPets, spec.CreatePet, spec.GetPet}
	reading = []spec.Operation{spec.ListPets, spec.GetPet}
)

// quoted writes a JSON string.
func quoted(s string) string { return string(strictjson.AppendString(nil, s)) }

func petFields(p spec.Pet) []field {
	fields := []field{
		{"id", strconv.FormatInt(p.ID, 10)}, {"name", quoted(p.Name)}, {"categoryId", strconv.FormatInt(p.CategoryID, 10)},
	}
	if p.Status != "" {
		fields = append(fields, field{"status", quoted(string(p.Status))})
	}
	return fields
}

// writePet changes how the operations write a Pet.
func (b *behaviour) writePet(ops []spec.Operation, change func(p spec.Pet, fields []field) []field) {
	for _, op := range ops {
		b.pet[op] = func(dst []byte, p spec.Pet) []byte { return appendFields(dst, change(p, petFields(p))) }
	}
}

// show changes what the operations show of an animal. What is stored stays as it is.
func (b *behaviour) show(ops []spec.Operation, change func(spec.Pet) spec.Pet) {
	for _, op := range ops {
		switch op {
		case spec.ListPets:
			before := b.listed
			b.listed = func(c *call, pets []spec.Pet) []spec.Pet {
				pets = before(c, pets)
				for i := range pets {
					pets[i] = change(pets[i])
				}
				return pets
			}
		case spec.CreatePet:
			before := b.created
			b.created = func(c *call, p spec.Pet) spec.Pet { return change(before(c, p)) }
		case spec.GetPet:
			before := b.fetched
			b.fetched = func(c *call, p spec.Pet) spec.Pet { return change(before(c, p)) }
		}
	}
}

// store changes what is kept of a NewPet, and with it everything that is shown later.
func (b *behaviour) store(change func(spec.NewPet) spec.NewPet) {
	before := b.keep
	b.keep = func(c *call, p spec.NewPet) spec.NewPet { return change(before(c, p)) }
}

// hide leaves animals out of listings: it looks for so many more as there are hidden ones, so that the limit is used.
func (b *behaviour) hide(hidden func(f filter, p spec.Pet) bool) {
	b.refind(func(_ *call, f filter, pets []spec.Pet) []spec.Pet {
		return slices.DeleteFunc(pets, func(p spec.Pet) bool { return hidden(f, p) })
	})
}

// refind lists every animal that has the filter's status, lets change work on them, and cuts to the limit afterwards.
func (b *behaviour) refind(change func(c *call, f filter, pets []spec.Pet) []spec.Pet) {
	find := b.find
	b.find = func(c *call, f filter) ([]spec.Pet, error) {
		pets, err := find(c, filter{status: f.status})
		if err != nil {
			return nil, err
		}
		pets = change(c, f, pets)
		if f.limit > 0 && len(pets) > f.limit {
			pets = pets[:f.limit]
		}
		return pets, nil
	}
}

// named changes the name only.
func named(change func(string) string) func(spec.Pet) spec.Pet {
	return func(p spec.Pet) spec.Pet {
		p.Name = change(p.Name)
		return p
	}
}

// keptName changes the name that is kept.
func keptName(change func(string) string) func(spec.NewPet) spec.NewPet {
	return func(p spec.NewPet) spec.NewPet {
		p.Name = change(p.Name)
		return p
	}
}
