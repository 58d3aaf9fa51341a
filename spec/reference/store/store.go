// Package store keeps animals in memory, or in a file that survives the process. Both have an index by status.
package store

import "petconform/spec"

// Order is the order in which animals are listed. The interface promises none.
type Order int

const (
	// OldestFirst lists in the order of creation.
	OldestFirst Order = iota
	// NewestFirst lists in the reverse order of creation.
	NewestFirst
)

// Query says which animals to list.
type Query struct {
	// Status selects the animals with that status; "" selects all, including those without a status.
	Status spec.PetStatus
	// Limit is the largest number of animals; 0 or less means all.
	Limit int
	Order Order
}

// Store keeps animals. It is safe for concurrent use.
type Store interface {
	// Add stores a new animal. assign returns its id; n is the number of the animal in the store, from 1. If an id is
	// assigned twice, Get finds the later animal.
	Add(pet spec.NewPet, assign func(n uint64) int64) (spec.Pet, error)
	// Get finds an animal by its id.
	Get(id int64) (pet spec.Pet, found bool, err error)
	// List returns the animals that the query selects.
	List(q Query) ([]spec.Pet, error)
	// Len counts the animals.
	Len() (int, error)
	// Close closes the store. No method may be called afterwards.
	Close() error
}

// Sequential assigns 1, 2, 3, …
func Sequential(n uint64) int64 { return int64(n) }
