package store

import (
	"bytes"
	"iter"

	bolt "go.etcd.io/bbolt"
)

// walk goes over the numbers of the animals that have the query's status, in its order. Without a status it goes over
// the animals themselves and gives each one's record too.
func (*durable) walk(tx *bolt.Tx, q Query) iter.Seq2[[]byte, []byte] {
	if q.Status == "" {
		return func(yield func(number, record []byte) bool) {
			c := tx.Bucket(petsBucket).Cursor()
			start, step := c.First, c.Next
			if q.Order == NewestFirst {
				start, step = c.Last, c.Prev
			}
			for number, record := start(); number != nil && yield(number, record); {
				number, record = step()
			}
		}
	}
	prefix := append([]byte(q.Status), 0)
	return func(yield func(number, record []byte) bool) {
		c := tx.Bucket(statusBucket).Cursor()
		k, _ := c.Seek(prefix)
		step := c.Next
		if q.Order == NewestFirst {
			k, step = lastUnder(c, prefix), c.Prev
		}
		for bytes.HasPrefix(k, prefix) && yield(k[len(prefix):], nil) {
			k, _ = step()
		}
	}
}

// lastUnder finds the last key that begins with prefix, which ends in a zero byte: it stands before prefix's successor.
func lastUnder(c *bolt.Cursor, prefix []byte) []byte {
	after := bytes.Clone(prefix)
	after[len(after)-1]++
	var k []byte
	if found, _ := c.Seek(after); found == nil {
		k, _ = c.Last()
	} else {
		k, _ = c.Prev()
	}
	return k
}
