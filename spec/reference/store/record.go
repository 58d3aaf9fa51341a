package store

import (
	"encoding/binary"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"petconform/spec"
)

// A record is the id, the category, the length of the status, the status and the name. The format must not change, so
// that a new release reads the files of an older one.
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
			Status:     spec.PetStatus(b[recordHead:nameAt]),
		},
	}, nil
}

// put writes one animal and its two index entries.
func put(tx *bolt.Tx, p spec.NewPet, assign func(uint64) int64) (pet spec.Pet, number uint64, err error) {
	if len(p.Status) > 255 {
		return pet, 0, fmt.Errorf("a status of %d bytes is too long; the limit is 255", len(p.Status))
	}
	pets := tx.Bucket(petsBucket)
	if number, err = pets.NextSequence(); err != nil {
		return pet, 0, err
	}
	pet = spec.Pet{ID: assign(number), NewPet: p}
	pets.FillPercent = 0.95 // numbers only rise, so pages can be filled nearly completely
	return pet, number, errors.Join(pets.Put(key(number), encode(pet)), tx.Bucket(idsBucket).Put(key(uint64(pet.ID)), key(number)),
		tx.Bucket(statusBucket).Put(statusKey(p.Status, key(number)), []byte{}))
}

// statusKey is the key of an animal in the index of statuses.
func statusKey(status spec.PetStatus, number []byte) []byte {
	return append(append([]byte(status), 0), number...)
}
