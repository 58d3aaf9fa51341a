package store

import (
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"petconform/spec"
)

// The buckets. An animal is stored under its number, in the order of creation. The other two buckets are indexes, by id
// and by status followed by number: they show damage.
var (
	petsBucket   = []byte("pets")
	idsBucket    = []byte("ids")
	statusBucket = []byte("status")
)

// durable is a store in a bbolt file, whose animals are in memory too. When Add returns, the animal is on the disk.
type durable struct {
	*memory
	db *bolt.DB
}

// ErrClosed is returned by Add after Close.
var ErrClosed = berrors.ErrDatabaseNotOpen

// batchDelay is how long an addition waits for others, with which it shares a commit: 1 ms, about the time of a commit.
const batchDelay = time.Millisecond

// lockTimeout is how long Open waits for another process that has the file open.
const lockTimeout = time.Second

// Open opens the file, or creates it. It reads a file that exists as a whole, and refuses one that is damaged.
func Open(file string) (Store, error) {
	d := &durable{memory: newMemory()}
	err := guarded(func() (err error) {
		if err = d.read(file); err == nil {
			d.db, err = bolt.Open(file, 0o600, &bolt.Options{Timeout: lockTimeout})
		}
		if err == nil {
			err = d.db.Update(prepare)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the store file %s cannot be opened: %w", file, plainly(err))
	}
	d.db.MaxBatchDelay = batchDelay
	return d, nil
}

// prepare makes the buckets of a new store.
func prepare(tx *bolt.Tx) error {
	for _, name := range [][]byte{petsBucket, idsBucket, statusBucket} {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	return nil
}

// Add returns when the animal is on the disk.
func (d *durable) Add(p spec.NewPet, assign func(uint64) int64) (pet spec.Pet, err error) {
	var number uint64
	err = d.db.Batch(func(tx *bolt.Tx) error {
		pet, number, err = put(tx, p, assign)
		return err
	})
	if err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.set(number, pet)
	}
	return pet, err
}

// Close waits for additions in flight and closes the file.
func (d *durable) Close() error {
	err := d.db.Close()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = ErrClosed
	return err
}
