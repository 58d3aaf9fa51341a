package store

import (
	"encoding/binary"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"petconform/spec"
)

// A record is the id, the category, the length of the status, the status and the name. The format must not change, so that a
// new release reads the files of an older one.
const recordHead = 8 + 8 + 1

func key(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func encode(p spec.Pet) []byte {
	b := make([]byte, 0, recordHead+len(p.Status)+len(p.Name))
	b = binary.BigEndian.AppendUint64(b, uint64(p.ID))
	b = binary.BigEndian.AppendUint64(b, uint64(p.CategoryID))
	b = append(b, byte(len(p.Status)))
	b = append(b, p.Status...)
	return append(b, p.Name...)
}

func decode(b []byte) (spec.Pet, error) {
	if len(b) < recordHead || len(b) < recordHead+int(b[recordHead-1]) {
		return spec.Pet{}, fmt.Errorf("the file is damaged: a record of %d bytes is shorter than its head of %d bytes and its status", len(b), recordHead)
	}
	nameAt := recordHead + int(b[recordHead-1])
	return spec.Pet{
		ID: int64(binary.BigEndian.Uint64(b)),
		NewPet: spec.NewPet{
			Name:       string(b[nameAt:]),
			CategoryID: int64(binary.BigEndian.Uint64(b[8:])),
			Status:     known(b[recordHead:nameAt]),
		},
	}, nil
}

// known returns the constant of a status, so that a listing does not allocate a string for every animal.
func known(status []byte) spec.PetStatus {
	switch string(status) {
	case string(spec.Available):
		return spec.Available
	case string(spec.Pending):
		return spec.Pending
	case string(spec.Sold):
		return spec.Sold
	}
	return spec.PetStatus(status)
}

// put writes one animal and its two index entries.
func put(tx *bolt.Tx, p spec.NewPet, assign func(uint64) int64) (spec.Pet, error) {
	if len(p.Status) > 255 {
		return spec.Pet{}, fmt.Errorf("a status of %d bytes is too long; the limit is 255", len(p.Status))
	}
	pets := tx.Bucket(petsBucket)
	n, err := pets.NextSequence()
	if err != nil {
		return spec.Pet{}, err
	}
	pet, number := spec.Pet{ID: assign(n), NewPet: p}, key(n)
	// Numbers only rise, so pages can be filled nearly completely.
	pets.FillPercent = 0.95
	if err := pets.Put(number, encode(pet)); err != nil {
		return spec.Pet{}, err
	}
	if err := tx.Bucket(idsBucket).Put(key(uint64(pet.ID)), number); err != nil {
		return spec.Pet{}, err
	}
	return pet, tx.Bucket(statusBucket).Put(statusKey(p.Status, number), []byte{})
}

// statusKey is the key of an animal in the index of statuses.
func statusKey(status spec.PetStatus, number []byte) []byte {
	return append(append([]byte(status), 0), number...)
}
