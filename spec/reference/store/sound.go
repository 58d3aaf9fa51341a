package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// errDamaged says that a file holds no whole store.
var errDamaged = errors.New("it is damaged; restore it from a copy, or name a new file")

// read reads a whole file before it is served, without writing, so that no listing lacks an animal.
func (d *durable) read(file string) (err error) {
	info, err := os.Stat(file)
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil // a new store
	}
	if err == nil && !info.Mode().IsRegular() {
		return errors.New("it is not a regular file")
	}
	db, err := bolt.Open(file, 0o600, &bolt.Options{Timeout: lockTimeout, ReadOnly: true})
	if err != nil {
		return plainly(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if least := int64(db.Info().PageSize); info.Size()%least != 0 {
		return fmt.Errorf("%w (%d bytes are not whole pages of %d)", errDamaged, info.Size(), least)
	}
	return db.View(func(tx *bolt.Tx) error {
		if tx.Size() > info.Size() {
			return fmt.Errorf("%w (%d of %d bytes are there)", errDamaged, info.Size(), tx.Size())
		}
		return d.complete(tx)
	})
}

// guarded turns a panic about a damaged page into an error.
func guarded(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w (%v)", errDamaged, p)
		}
	}()
	return read()
}

// plainly tells an error of bbolt that a user can meet.
func plainly(err error) error {
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return errors.New("another process has it open; end that process, or name another file")
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrChecksum):
		return fmt.Errorf("it is no store of petconform, or %w", errDamaged)
	}
	return err
}

// complete reads the animals and holds the three buckets against each other: every number up to the last has a record,
// and every record its entry in the indexes.
func (d *durable) complete(tx *bolt.Tx) error {
	pets, ids, status := tx.Bucket(petsBucket), tx.Bucket(idsBucket), tx.Bucket(statusBucket)
	if pets == nil && ids == nil && status == nil {
		return nil // made, and killed before the first animal
	}
	var names [][]byte
	err := tx.ForEach(func(name []byte, _ *bolt.Bucket) error {
		names = append(names, bytes.Clone(name))
		return nil
	})
	if err != nil || !slices.EqualFunc(names, [][]byte{idsBucket, petsBucket, statusBucket}, bytes.Equal) {
		return fmt.Errorf("%w (its buckets are %q)", errDamaged, names)
	}
	if pets == nil || ids == nil || status == nil {
		return fmt.Errorf("it is no store of petconform, or %w (a bucket is missing)", errDamaged)
	}
	n := uint64(0)
	err = inOrder(pets, func(number, record []byte) error {
		n++
		if !bytes.Equal(number, key(n)) {
			return fmt.Errorf("%w (animal %d is missing)", errDamaged, n)
		}
		pet, err := decode(record)
		if err != nil {
			return fmt.Errorf("%w (animal %d: %w)", errDamaged, n, err)
		}
		if ids.Get(key(uint64(pet.ID))) == nil {
			return fmt.Errorf("%w (the index of ids lacks animal %d)", errDamaged, n)
		}
		if status.Get(statusKey(pet.Status, number)) == nil {
			return fmt.Errorf("%w (the index of statuses lacks animal %d)", errDamaged, n)
		}
		d.set(n, pet)
		return nil
	})
	if err != nil {
		return err
	}
	if n != pets.Sequence() {
		return fmt.Errorf("%w (%d of %d animals are there)", errDamaged, n, pets.Sequence())
	}
	entries := uint64(0)
	count := func(_, _ []byte) error { entries++; return nil }
	if err := inOrder(status, count); err != nil {
		return err
	}
	if entries != n {
		return fmt.Errorf("%w (%d animals have %d statuses)", errDamaged, n, entries)
	}
	return inOrder(ids, func(_, number []byte) error {
		if len(number) != 8 || binary.BigEndian.Uint64(number) > n || binary.BigEndian.Uint64(number) == 0 {
			return fmt.Errorf("%w (an id has no animal)", errDamaged)
		}
		return nil
	})
}

// inOrder walks over a bucket, whose keys rise.
func inOrder(b *bolt.Bucket, each func(k, v []byte) error) error {
	var last []byte
	return b.ForEach(func(k, v []byte) error {
		if v == nil || last != nil && bytes.Compare(last, k) >= 0 { // a value that is nil is a bucket, and there is none in these
			return fmt.Errorf("%w (keys out of order)", errDamaged)
		}
		last = k
		return each(k, v)
	})
}
