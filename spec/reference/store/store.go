// Package store keeps animals in memory.
package store

import "petconform/spec"

// Query says which animals to list.
type Query struct {
	// Status selects the animals with that status; "" selects all, including those without a status.
	Status spec.PetStatus
	// Limit is the largest number of animals; 0 or less means all.
	Limit int
}

// Store keeps animals in the order of creation; none is ever removed. It is not safe for concurrent use: the service
// finds and stores animals in turn.
type Store struct {
	pets []spec.Pet
	byID map[int64]int // the index of an animal in pets
}

// New returns an empty store.
func New() *Store { return &Store{byID: map[int64]int{}} }

// Add stores a new animal. assign returns its id; n is the number of the animal in the store, from 1. If an id is
// assigned twice, Get finds the later animal.
func (s *Store) Add(p spec.NewPet, assign func(n uint64) int64) spec.Pet {
	pet := spec.Pet{ID: assign(uint64(len(s.pets)) + 1), NewPet: p}
	s.byID[pet.ID] = len(s.pets)
	s.pets = append(s.pets, pet)
	return pet
}

// Get finds an animal by its id.
func (s *Store) Get(id int64) (pet spec.Pet, found bool) {
	i, found := s.byID[id]
	if !found {
		return spec.Pet{}, false
	}
	return s.pets[i], true
}

// List returns the animals that the query selects, in the order of creation. The interface promises none.
func (s *Store) List(q Query) (all []spec.Pet) {
	for _, p := range s.pets {
		if q.Status == "" || q.Status == p.Status {
			all = append(all, p)
		}
		if q.Limit > 0 && len(all) == q.Limit {
			break
		}
	}
	return all
}

// Len counts the animals.
func (s *Store) Len() int {
	return len(s.pets)
}

// Sequential assigns 1, 2, 3, …
func Sequential(n uint64) int64 { return int64(n) }
