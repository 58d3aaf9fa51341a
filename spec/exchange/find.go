package exchange

import (
	"encoding/binary"
	"slices"
)

const (
	// window is the number of bytes that are compared at once, and stride the distance between the places where data is compared.
	// A form of at least shortest bytes has one of its first stride windows at such a place, wherever it begins.
	window = 4
	stride = shortest - window + 1
)

// finder decides in one pass whether data may contain one of many forms of the keys. A search for each form would take a hundred
// passes, and almost no data contains one.
type finder struct {
	// windows are the first stride windows of each form, sorted. marked has a bit for the hash of each.
	windows []uint32
	marked  [1 << (hashBits - 6)]uint64
}

const hashBits = 13

func hash(w uint32) uint32 { return w * 2654435761 >> (32 - hashBits) } // Knuth's multiplicative hash

// newFinder returns a finder of forms, which must have at least shortest bytes each.
func newFinder(forms formList) *finder {
	f := &finder{windows: make([]uint32, 0, stride*len(forms.ends))}
	for form := range forms.all {
		for at := range stride {
			w := binary.LittleEndian.Uint32(form[at:])
			f.windows = append(f.windows, w)
			f.marked[hash(w)>>6] |= 1 << (hash(w) & 63)
		}
	}
	slices.Sort(f.windows)
	f.windows = slices.Clip(slices.Compact(f.windows))
	return f
}

// maybe is false if data contains none of the forms.
func (f *finder) maybe(data []byte) bool {
	for at := 0; at+window <= len(data); at += stride {
		w := binary.LittleEndian.Uint32(data[at:])
		h := hash(w)
		if f.marked[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		if _, ok := slices.BinarySearch(f.windows, w); ok {
			return true
		}
	}
	return false
}
