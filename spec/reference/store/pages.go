package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
)

// pages reads the pages of a bbolt file as bbolt lays them out: a header of 16 bytes (number, kind, count, overflow), elements of
// 16 bytes, and the keys and values that these point to. It is here because bbolt checks a file in a goroutine of its own when it
// opens it for writing, where a damaged page ends the process.
type pages struct {
	file *os.File
	size int
	high uint64 // pages in use, free ones included
	seen map[uint64]bool
}

const (
	pageHeader = 16
	branchPage = 1
	leafPage   = 2
	metaMagic  = 0xED0CDAED
	metaSize   = 64 // the last 8 bytes are the checksum of the others
)

var order = binary.NativeEndian

// checkPages follows every page from the root: each is what it says, within the file, pointed to once, and its keys rise.
func checkPages(name string) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	p := &pages{file: f, size: os.Getpagesize(), seen: map[uint64]bool{}}
	root, err := p.head()
	if err != nil {
		return err
	}
	return p.follow(root, nil, nil)
}

// head reads the two meta pages and returns the root of the newer one. Both have to be whole: with one of them bbolt opens the file
// as it was a transaction earlier, without the last animals.
func (p *pages) head() (root uint64, err error) {
	whole, newest := 0, uint64(0)
	for i := range int64(2) {
		m := make([]byte, metaSize)
		if _, err := p.file.ReadAt(m, i*int64(p.size)+pageHeader); err != nil {
			break
		}
		h := fnv.New64a()
		_, _ = h.Write(m[:metaSize-8])
		if order.Uint32(m) != metaMagic || order.Uint64(m[metaSize-8:]) != h.Sum64() {
			continue
		}
		if whole++; whole == 1 || order.Uint64(m[48:]) > newest {
			root, p.high, newest = order.Uint64(m[16:]), order.Uint64(m[40:]), order.Uint64(m[48:])
		}
		p.size = int(order.Uint32(m[8:]))
	}
	switch whole {
	case 0:
		return 0, fmt.Errorf("it is no store of petconform, or %w", errDamaged)
	case 1:
		return 0, fmt.Errorf("%w (one of its two heads is gone, so the last animals may be missing)", errDamaged)
	}
	return root, nil
}

// follow checks a page and those below it, whose keys are at least low and below high where these are not nil.
func (p *pages) follow(id uint64, low, high []byte) error {
	page, err := p.read(id)
	if err != nil {
		return err
	}
	bad := fmt.Errorf("%w (page %d is not as it was written)", errDamaged, id)
	kind, count := order.Uint16(page[8:]), int(order.Uint16(page[10:]))
	if kind != branchPage && kind != leafPage || pageHeader+16*count > len(page) {
		return bad
	}
	keys, values := make([][]byte, count), make([][]byte, count)
	for i := range count {
		if keys[i], values[i] = element(page, kind, i); keys[i] == nil || i == 0 && bytes.Compare(keys[i], low) < 0 ||
			i > 0 && bytes.Compare(keys[i-1], keys[i]) >= 0 || high != nil && bytes.Compare(keys[i], high) >= 0 {
			return bad
		}
	}
	for i := range count {
		at := page[pageHeader+16*i:]
		switch {
		case kind == branchPage:
			next := high
			if i+1 < count {
				next = keys[i+1]
			}
			if err := p.follow(order.Uint64(at[8:]), keys[i], next); err != nil {
				return err
			}
		case order.Uint32(at)&1 == 0: // no bucket
		case len(values[i]) < 16:
			return bad
		case order.Uint64(values[i]) != 0: // a bucket of its own pages
			if err := p.follow(order.Uint64(values[i]), nil, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// element returns the key of the i-th element of a page, and its value on a leaf; a nil key where they lie beyond the page.
func element(page []byte, kind uint16, i int) (key, value []byte) {
	at := pageHeader + 16*i
	from, n, v := order.Uint32(page[at:]), order.Uint32(page[at+4:]), uint32(0)
	if kind == leafPage {
		from, n, v = order.Uint32(page[at+4:]), order.Uint32(page[at+8:]), order.Uint32(page[at+12:])
	}
	first := uint64(at) + uint64(from)
	last := first + uint64(n)
	if last+uint64(v) > uint64(len(page)) {
		return nil, nil
	}
	return page[first:last:last], page[last : last+uint64(v)]
}

// read reads a page with its overflow.
func (p *pages) read(id uint64) ([]byte, error) {
	bad := fmt.Errorf("%w (page %d is not where it was written)", errDamaged, id)
	header := make([]byte, pageHeader)
	if id < 2 || id >= p.high {
		return nil, bad
	}
	if _, err := p.file.ReadAt(header, int64(id)*int64(p.size)); err != nil || order.Uint64(header) != id {
		return nil, bad
	}
	last := id + uint64(order.Uint32(header[12:]))
	if last >= p.high {
		return nil, bad
	}
	for n := id; n <= last; n++ {
		if p.seen[n] {
			return nil, bad
		}
		p.seen[n] = true
	}
	page := make([]byte, (last-id+1)*uint64(p.size))
	if _, err := p.file.ReadAt(page, int64(id)*int64(p.size)); err != nil {
		return nil, bad
	}
	return page, nil
}
