package store

import (
	bolt "go.etcd.io/bbolt"

	"petconform/spec"
)

// maxGroup bounds how many additions share one commit.
const maxGroup = 256

// addition is one animal on its way into the file.
type addition struct {
	pet    spec.NewPet
	assign func(uint64) int64
	added  spec.Pet
	done   chan error
}

// Add returns when the animal is on the disk. Additions that come while a commit is under way share the next one.
// bbolt's own Batch waits a fixed time for company instead, which a lone client pays for at every request.
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

// commitGroups commits what has gathered, again and again, until the store is closed.
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
