package store

import (
	"encoding/binary"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"petconform/spec"
)

// The buckets. An animal is stored under its number, in the order of creation. The other two buckets are indexes, by id and by
// status followed by number.
var (
	petsBucket   = []byte("pets")
	idsBucket    = []byte("ids")
	statusBucket = []byte("status")
)

// durable is a store in a bbolt file. When Add returns, the animal is on the disk.
type durable struct{ db *bolt.DB }

// ErrClosed is returned by Add after Close.
var ErrClosed = berrors.ErrDatabaseNotOpen

// batchDelay is how long an addition waits for others, with which it shares a commit: 1 ms, about the time of a commit.
const batchDelay = time.Millisecond

// lockTimeout is how long Open waits for another process that has the file open.
const lockTimeout = time.Second

// Open opens the file, or creates it. It reads a file that exists as a whole, and refuses one that is damaged.
func Open(file string) (Store, error) {
	var db *bolt.DB
	err := guarded(func() (err error) {
		if err = sound(file); err == nil {
			db, err = bolt.Open(file, 0o600, &bolt.Options{Timeout: lockTimeout})
		}
		if err == nil {
			err = db.Update(prepare)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the store file %s cannot be opened: %w", file, plainly(err))
	}
	db.MaxBatchDelay = batchDelay
	return &durable{db}, nil
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
	err = d.db.Batch(func(tx *bolt.Tx) error {
		pet, err = put(tx, p, assign)
		return err
	})
	return pet, err
}

func (d *durable) Get(id int64) (pet spec.Pet, found bool, err error) {
	err = d.db.View(func(tx *bolt.Tx) error {
		number := tx.Bucket(idsBucket).Get(key(uint64(id)))
		if number == nil {
			return nil
		}
		found = true
		pet, err = decode(tx.Bucket(petsBucket).Get(number))
		return err
	})
	return pet, found, err
}

func (d *durable) List(q Query) (all []spec.Pet, err error) {
	err = d.db.View(func(tx *bolt.Tx) error {
		pets := tx.Bucket(petsBucket)
		left := q.Limit
		for number, record := range d.walk(tx, q) {
			if record == nil {
				record = pets.Get(number)
			}
			pet, err := decode(record)
			if err != nil {
				return err
			}
			all = append(all, pet)
			if left--; left == 0 {
				break
			}
		}
		return nil
	})
	return all, err
}

func (d *durable) Len() (n int, err error) {
	err = d.db.View(func(tx *bolt.Tx) error {
		last, _ := tx.Bucket(petsBucket).Cursor().Last()
		if last != nil {
			n = int(binary.BigEndian.Uint64(last))
		}
		return nil
	})
	return n, err
}

// Close waits for additions in flight and closes the file.
func (d *durable) Close() error { return d.db.Close() }
