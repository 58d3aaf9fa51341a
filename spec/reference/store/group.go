package store

import (
	bolt "go.etcd.io/bbolt"

	"petconform/spec"
)

// maxGroup is the largest number of additions in one commit.
const maxGroup = 256

// addition is one call of Add.
type addition struct {
	pet    spec.NewPet
	assign func(uint64) int64
	added  spec.Pet
	done   chan error
}

// Add returns when the animal is on the disk. Additions that come during a commit share the next one. bbolt's own Batch is
// not used, because it delays a lone client by a fixed time at every request.
func (d *durable) Add(p spec.NewPet, assign func(uint64) int64) (spec.Pet, error) {
	a := &addition{pet: p, assign: assign, done: make(chan error, 1)}
	d.closing.RLock()
	if d.closed {
		d.closing.RUnlock()
		return spec.Pet{}, ErrClosed
	}
	d.adds <- a
	d.closing.RUnlock()
	err := <-a.done
	return a.added, err
}

// commitGroups commits the waiting additions together, until the store is closed.
func (d *durable) commitGroups() {
	defer close(d.stopped)
	group := make([]*addition, 0, maxGroup)
	for first := range d.adds {
		group = append(group[:0], first)
		for len(group) < maxGroup && len(d.adds) > 0 {
			group = append(group, <-d.adds)
		}
		err := d.db.Update(func(tx *bolt.Tx) error {
			for _, a := range group {
				var err error
				if a.added, err = put(tx, a.pet, a.assign); err != nil {
					return err
				}
			}
			return nil
		})
		for _, a := range group {
			a.done <- err
		}
	}
}
