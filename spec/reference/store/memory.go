package store

import (
	"sync"

	"petconform/spec"
)

// memory keeps animals by their number, in the order of creation. Animals are never removed.
type memory struct {
	mu   sync.RWMutex
	pets []*spec.Pet // nil for an animal that is about to be stored
	byID map[int64]uint64
	// closed is the error of reading after Close.
	closed error
}

// Memory returns a store that is lost when the process ends.
func Memory() Store { return newMemory() }

func newMemory() *memory { return &memory{byID: map[int64]uint64{}} }

func (m *memory) Add(p spec.NewPet, assign func(uint64) int64) (spec.Pet, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	number := uint64(len(m.pets)) + 1
	pet := spec.Pet{ID: assign(number), NewPet: p}
	m.set(number, pet)
	return pet, nil
}

// set keeps an animal under its number. The caller holds the lock.
func (m *memory) set(number uint64, pet spec.Pet) {
	for uint64(len(m.pets)) < number {
		m.pets = append(m.pets, nil)
	}
	m.pets[number-1] = &pet
	m.byID[pet.ID] = max(m.byID[pet.ID], number)
}

func (m *memory) Get(id int64) (spec.Pet, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	number, found := m.byID[id]
	if !found || m.closed != nil {
		return spec.Pet{}, false, m.closed
	}
	return *m.pets[number-1], true, nil
}

func (m *memory) List(q Query) (all []spec.Pet, err error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed != nil {
		return nil, m.closed
	}
	for i := range m.pets {
		if q.Order == NewestFirst {
			i = len(m.pets) - 1 - i
		}
		if p := m.pets[i]; p != nil && (q.Status == "" || q.Status == p.Status) {
			all = append(all, *p)
		}
		if q.Limit > 0 && len(all) == q.Limit {
			break
		}
	}
	return all, nil
}

func (m *memory) Len() (int, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.pets), m.closed
}

func (*memory) Close() error { return nil }
