package exchange

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// shortestMark is the number of letters and digits from which on a key is looked for by these alone.
	shortestMark = 12
	// lead and tail are the numbers of letters at the ends of a mark that may be missing or changed: the text before the key can
	// form an escape with its first two characters.
	lead, tail = 2, 1
	gram       = 8
	markStride = shortestMark - gram + 1
)

// marks finds keys by their letters and digits alone, so that no separator, escape or change of case hides one: plain, reversed, in
// hexadecimal, in decimal numbers, in base32 and in base64 at each of its three offsets. It takes one pass for any number of keys.
type marks struct {
	all []mark
	// grams are the first markStride pieces of the core of each mark, sorted. marked has a bit for the hash of each.
	grams  []placed
	marked [1 << (hashBits - 6)]uint64
}

// mark is a form of a key. Its core is what has to be there.
type mark struct {
	letters  []byte
	from, to int
}

// placed is a piece of a mark's core.
type placed struct {
	gram uint64
	mark int32
	at   int32
}

// markable reports whether the letters and digits of a key are enough to distinguish it from other text.
func markable(key string) bool {
	l := lettersOf(key)
	return len(l) >= shortestMark && (bytes.ContainsAny(l, "0123456789") || len(l) >= 2*shortestMark)
}

func lettersOf(s string) []byte { return text{data: []byte(s)}.letters(false).data }

func newMarks(keys []string) *marks {
	m := &marks{}
	for _, key := range keys {
		for _, variant := range []string{key, Damage(key)} {
			for _, form := range markedForms(variant) {
				m.add(lettersOf(form))
			}
		}
	}
	slices.SortFunc(m.grams, func(a, b placed) int {
		switch {
		case a.gram < b.gram:
			return -1
		case a.gram > b.gram:
			return 1
		}
		return 0
	})
	m.grams = slices.Clip(m.grams)
	return m
}

func markedForms(key string) []string {
	raw := []byte(key)
	backwards := slices.Clone(raw)
	slices.Reverse(backwards)
	prefixed, decimal := "", ""
	for _, c := range raw {
		prefixed += fmt.Sprintf("0x%02x", c)
		decimal += strconv.Itoa(int(c))
	}
	forms := []string{key, string(backwards), hex.EncodeToString(raw), prefixed, decimal,
		strings.TrimRight(base32.StdEncoding.EncodeToString(raw), "=")}
	for offset := range 3 {
		// The characters at the ends also depend on the bytes next to the key.
		coded := base64.RawStdEncoding.EncodeToString(append(make([]byte, offset), raw...))
		forms = append(forms, coded[(offset*8+5)/6:(offset+len(raw))*8/6])
	}
	return forms
}

func (m *marks) add(letters []byte) {
	if len(letters) < shortestMark {
		return
	}
	spare := len(letters) - shortestMark
	k := mark{letters: letters, from: min(lead, spare), to: len(letters)}
	k.to -= min(tail, spare-k.from)
	for at := range markStride {
		w := binary.LittleEndian.Uint64(letters[k.from+at:])
		m.grams = append(m.grams, placed{w, int32(len(m.all)), int32(k.from + at)})
		h := hashGram(w)
		m.marked[h>>6] |= 1 << (h & 63)
	}
	m.all = append(m.all, k)
}

func hashGram(w uint64) uint32 { return uint32(w * 0x9e3779b97f4a7c15 >> (64 - hashBits)) }

// each calls found with each place of a mark in letters, until it returns false.
func (m *marks) each(letters []byte, found func(from, to int) bool) {
	for at := 0; at+gram <= len(letters); at += markStride {
		w := binary.LittleEndian.Uint64(letters[at:])
		if h := hashGram(w); m.marked[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(m.grams, w, func(p placed, w uint64) int {
			switch {
			case p.gram < w:
				return -1
			case p.gram > w:
				return 1
			}
			return 0
		})
		for ; i < len(m.grams) && m.grams[i].gram == w; i++ {
			if from, to, ok := m.all[m.grams[i].mark].at(letters, at-int(m.grams[i].at)); ok && !found(from, to) {
				return
			}
		}
	}
}

// at reports whether letters contains the mark's core if the mark begins at begin, and how far the mark reaches beyond its core.
func (k mark) at(letters []byte, begin int) (from, to int, ok bool) {
	from, to = begin+k.from, begin+k.to
	if from < 0 || to > len(letters) || !bytes.Equal(letters[from:to], k.letters[k.from:k.to]) {
		return 0, 0, false
	}
	for from > max(begin, 0) && letters[from-1] == k.letters[from-1-begin] {
		from--
	}
	for to < min(begin+len(k.letters), len(letters)) && letters[to] == k.letters[to-begin] {
		to++
	}
	return from, to, true
}

// found reports whether data contains a key, also behind escapes.
func (m *marks) found(data []byte, quotes bool) bool {
	if len(m.all) == 0 {
		return false
	}
	hit := false
	t, again := text{data: data}, true
	for level := 0; level <= mostLevels && again && !hit; level++ {
		m.each(t.letters(quotes).data, func(int, int) bool { hit = true; return false })
		t, again = t.unescape()
	}
	return hit
}

// spans returns the ranges of data that contain keys, in order and without overlaps.
func (m *marks) spans(data []byte, quotes bool) [][2]int32 {
	var all [][2]int32
	t, again := original(data), true
	for level := 0; level <= mostLevels && again; level++ {
		l := t.letters(quotes)
		m.each(l.data, func(from, to int) bool {
			all = append(all, [2]int32{l.from[from], l.to[to-1]})
			return true
		})
		t, again = t.unescape()
	}
	slices.SortFunc(all, func(a, b [2]int32) int { return int(a[0]) - int(b[0]) })
	var out [][2]int32
	for _, s := range all {
		if n := len(out); n > 0 && s[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], s[1])
			continue
		}
		out = append(out, s)
	}
	return out
}
