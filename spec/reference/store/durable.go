package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

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
type durable struct {
	db      *bolt.DB
	adds    chan *addition
	stopped chan struct{}
	closing sync.RWMutex
	closed  bool
}

// ErrClosed is returned by Add after Close.
var ErrClosed = errors.New("the store is closed")

// lockTimeout is how long Open waits for another process that has the file open.
const lockTimeout = time.Second

// Open opens the file, or creates it. It reads a file that exists as a whole, and refuses one that is damaged.
func Open(file string) (Store, error) {
	var db *bolt.DB
	err := guarded(func() error { return sound(file) })
	if err == nil {
		err = guarded(func() (err error) {
			db, err = bolt.Open(file, 0o600, &bolt.Options{Timeout: lockTimeout, FreelistType: bolt.FreelistMapType, NoFreelistSync: true})
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("the store file %s cannot be opened: %w", file, plainly(err))
	}
	err = db.Update(func(tx *bolt.Tx) error {
		for _, name := range [][]byte{petsBucket, idsBucket, statusBucket} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the store file %s cannot be prepared: %w", file, err), db.Close())
	}
	d := &durable{db: db, adds: make(chan *addition, maxGroup), stopped: make(chan struct{})}
	go d.commitGroups()
	return d, nil
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

func (d *durable) List(dst []spec.Pet, q Query) ([]spec.Pet, error) {
	err := d.db.View(func(tx *bolt.Tx) error {
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
			dst = append(dst, pet)
			if left--; left == 0 {
				break
			}
		}
		return nil
	})
	return dst, err
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
func (d *durable) Close() error {
	d.closing.Lock()
	already := d.closed
	d.closed = true
	d.closing.Unlock()
	if already {
		return nil
	}
	close(d.adds)
	<-d.stopped
	return d.db.Close()
}
