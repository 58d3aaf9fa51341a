package store

import (
	"bytes"
	"iter"

	bolt "go.etcd.io/bbolt"
)

// walk yields the numbers of the animals with the query's status, in the query's order. Without a status it yields their
// records too.
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

// lastUnder returns the last key that begins with prefix, which ends in a zero byte. The key precedes the successor of prefix.
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
