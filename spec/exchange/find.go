package exchange

import (
	"encoding/binary"
	"slices"
)

const (
	// window is how many bytes are compared at once, and stride how far apart the places are that are looked at: whatever
	// is at least shortest bytes long has a window of its first stride ones at such a place.
	window = 4
	stride = shortest - window + 1
)

// finder tells in one pass whether one of many forms may stand in data. Looking for each of them takes a hundred passes,
// and almost nothing that comes has one.
type finder struct {
	// windows are the windows that a form may be met by, sorted, and marked has a bit for the hash of each.
	windows []uint32
	marked  [1 << (hashBits - 6)]uint64
}

const hashBits = 13

func hash(w uint32) uint32 { return w * 2654435761 >> (32 - hashBits) } // Knuth's multiplicative hash

// newFinder looks for forms of at least shortest bytes each.
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

// maybe is false when none of the forms stands in data.
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
