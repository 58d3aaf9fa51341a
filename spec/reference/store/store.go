// Package store keeps animals: in memory, or in a file that survives the process. Both list by status from an index,
// never by looking at every animal.
package store

import "petconform/spec"

// Order is the order in which animals are listed. The interface promises none.
type Order int

const (
	// OldestFirst lists in the order of creation.
	OldestFirst Order = iota
	// NewestFirst lists the last created first.
	NewestFirst
)

// Query says which animals to list.
type Query struct {
	// Status keeps only the animals with that status; empty keeps all, those without a status among them.
	Status spec.PetStatus
	// Limit is the most that is wanted; 0 or less means all.
	Limit int
	Order Order
}

// Store keeps animals. Its methods may be called at the same time.
type Store interface {
	// Add keeps a new animal. n counts the animals of the store from 1; assign makes the id from it. What is stored
	// under an id that is assigned twice is the later animal.
	Add(pet spec.NewPet, assign func(n uint64) int64) (spec.Pet, error)
	// Get finds an animal by its id.
	Get(id int64) (pet spec.Pet, found bool, err error)
	// List appends the animals that the query asks for to dst.
	List(dst []spec.Pet, q Query) ([]spec.Pet, error)
	// Len counts the animals.
	Len() (int, error)
	// Close releases what the store holds; nothing may be called after it.
	Close() error
}

// Sequential assigns 1, 2, 3, …
func Sequential(n uint64) int64 { return int64(n) }
