package store

import (
	"slices"
	"sync"

	"petconform/spec"
)

// memory keeps animals in the order of creation. Animals are never removed, so indexes into pets stay valid.
type memory struct {
	mu       sync.RWMutex
	pets     []spec.Pet
	byID     map[int64]int
	byStatus map[spec.PetStatus][]int
}

// Memory returns a store that is lost when the process ends.
func Memory() Store {
	return &memory{byID: map[int64]int{}, byStatus: map[spec.PetStatus][]int{}}
}

func (m *memory) Add(p spec.NewPet, assign func(uint64) int64) (spec.Pet, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := len(m.pets)
	pet := spec.Pet{ID: assign(uint64(at) + 1), NewPet: p}
	m.pets = append(m.pets, pet)
	m.byID[pet.ID] = at
	m.byStatus[pet.Status] = append(m.byStatus[pet.Status], at)
	return pet, nil
}

func (m *memory) Get(id int64) (spec.Pet, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	at, found := m.byID[id]
	if !found {
		return spec.Pet{}, false, nil
	}
	return m.pets[at], true, nil
}

func (m *memory) List(q Query) (all []spec.Pet, err error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if q.Status == "" {
		first, end := span(len(m.pets), q)
		if q.Order == OldestFirst {
			return slices.Clone(m.pets[first:end]), nil
		}
		for i := end - 1; i >= first; i-- {
			all = append(all, m.pets[i])
		}
		return all, nil
	}
	index := m.byStatus[q.Status]
	first, end := span(len(index), q)
	for i := first; i < end; i++ {
		at := index[i]
		if q.Order == NewestFirst {
			at = index[end-1-(i-first)]
		}
		all = append(all, m.pets[at])
	}
	return all, nil
}

// span returns the range of n animals that the query's limit and order select.
func span(n int, q Query) (first, end int) {
	if q.Limit <= 0 || q.Limit >= n {
		return 0, n
	}
	if q.Order == NewestFirst {
		return n - q.Limit, n
	}
	return 0, q.Limit
}

func (m *memory) Len() (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.pets), nil
}

func (*memory) Close() error { return nil }
