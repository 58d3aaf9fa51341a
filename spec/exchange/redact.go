package exchange

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Redactor finds keys in data and replaces them with Mask. It reads the data as a person would who looks for a key:
// without escapes, decoded from base64, hexadecimal and decimal numbers, forwards and backwards. What has eight
// consecutive letters or digits of a key in one of these readings, in any case, is a piece of the key, unless English
// words, numbers in order or an address have it too. A key that has no other piece is looked for as a whole: behind
// "Bearer", and, if it is long or has letters and digits, as a word anywhere.
type Redactor struct {
	keys   []Secret
	pieces pieces
	whole  *regexp.Regexp // nil if every key has a telling piece
}

// NewRedactor returns a Redactor of the keys and of the damaged keys that checks send.
func NewRedactor(keys ...Secret) *Redactor { return newRedactor(keys, nil) }

// Sparing returns a Redactor that leaves the addresses as they are: what a key and an address have in common is no
// piece of the key. An address with a whole key in it does not count.
func (r *Redactor) Sparing(addresses ...string) *Redactor {
	if r == nil {
		return nil
	}
	return newRedactor(r.keys, addresses)
}

func newRedactor(keys []Secret, addresses []string) *Redactor {
	r := &Redactor{keys: keys, pieces: pieces{telling: map[uint64]bool{}}}
	var whole []string
	for _, k := range keys {
		if !k.IsZero() && !r.pieces.addKey(k.key, addresses) {
			whole = append(whole, wholeKey(k.key))
		}
	}
	if whole != nil {
		r.whole = regexp.MustCompile("(?i)" + strings.Join(whole, "|"))
	}
	return r
}

const (
	// mostDecodings is how often data is decoded: base64 of base64 takes two.
	mostDecodings = 2
	// mostLevels is how many escapes are undone, one within the other.
	mostLevels = 4
)

// read calls look with every reading of t, until it returns true.
func (r *Redactor) read(t text, decodings int, look func(text) bool) bool {
	if r.readLevels(t, decodings, look) {
		return true
	}
	return t.escaped() && r.readLevels(t.unspaced(), decodings, look)
}

// readLevels calls look with t and what it decodes to, and with the same without escapes, until it returns true.
func (r *Redactor) readLevels(t text, decodings int, look func(text) bool) bool {
	for range mostLevels + 1 {
		if look(t) || decodings < mostDecodings && r.decoded(t, decodings+1, look) {
			return true
		}
		if !t.escaped() {
			return false
		}
		plain, changed := t.plain()
		if !changed {
			return false
		}
		t = plain
	}
	return false
}

// decoded calls look with every reading of what t decodes to, until it returns true.
func (r *Redactor) decoded(t text, decodings int, look func(text) bool) bool {
	for out := range t.numbers() {
		if r.read(out, decodings, look) {
			return true
		}
	}
	var out text
	for _, c := range []*coding{base64Digits, hexDigits} {
		for begin, end := range c.runs(t.data) {
			for _, way := range [][2]int{{begin, end}, {end - 1, begin - 1}} {
				letters := c.letters(t.data, way[0], way[1])
				for without := range c.group {
					if letters>>(16*without)&0xffff < pieceLength {
						continue
					}
					c.decode(&out, t, way[0], way[1], without)
					for from, to := range asciiText.runs(out.data) { // most of what is decoded was no digits of a text
						if r.read(out.cut(from, to), decodings, look) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// readBoth calls look with every reading of t, forwards and backwards, until it returns true.
func (r *Redactor) readBoth(t text, look func(text) bool) bool {
	return r.read(t, 0, look) || t.escaped() && r.read(t.backwards(), 0, look)
}

// Found reports whether data contains a key.
func (r *Redactor) Found(data []byte) bool {
	if r == nil || len(r.keys) == 0 {
		return false
	}
	telling := func(_, _ int, telling bool) bool { return telling }
	return r.readBoth(text{data: data}, func(t text) bool {
		return r.pieces.each(t.data, telling) || r.whole != nil && r.whole.Match(t.data)
	})
}

// found is a place of data that is read as a piece of a key.
type found struct {
	place
	telling bool
}

// places returns the ranges of data that contain keys, in order and without overlaps.
func (r *Redactor) places(data []byte) (out []found) {
	t := text{data, make([]place, len(data))}
	for i := range data {
		t.at[i] = place{int32(i), int32(i + 1)}
	}
	var all []found
	r.readBoth(t, func(t text) bool {
		add := func(from, to int, telling bool) bool {
			all = append(all, found{t.place(from, to-1), telling})
			return false
		}
		if r.whole != nil {
			for _, p := range r.whole.FindAllIndex(t.data, -1) {
				add(p[0], p[1], true)
			}
		}
		return r.pieces.each(t.data, add)
	})
	slices.SortFunc(all, func(a, b found) int { return int(a.from) - int(b.from) })
	for _, f := range all {
		if n := len(out); n > 0 && f.from < out[n-1].to {
			out[n-1].to, out[n-1].telling = max(out[n-1].to, f.to), out[n-1].telling || f.telling
			continue
		}
		out = append(out, f)
	}
	return slices.DeleteFunc(out, func(f found) bool { return !f.telling })
}

// mostPasses is the largest number of passes over data. More than one may be needed, since a mask together with the
// text next to it may form a key.
const mostPasses = 4

// Redact returns data with every key replaced with Mask, and whether there was one.
func (r *Redactor) Redact(data []byte) (clean []byte, hit bool) {
	for pass := 0; r.Found(data); pass++ {
		if hit = true; pass == mostPasses {
			return []byte(Mask), true // no part of data is worth leaking a key
		}
		var out []byte
		at := int32(0)
		for _, p := range r.places(data) {
			out = append(append(out, data[at:p.from]...), Mask...)
			at = p.to
		}
		data = append(out, data[at:]...)
	}
	return data, hit
}

// foundInHeader reports whether h contains a key. It searches all of h at once, which is faster than one value after
// the other. The names that rules read are no keys, and nor is the media type.
func (r *Redactor) foundInHeader(h http.Header) bool {
	const between = "|z|" // ends digits and numbers of every coding
	all := make([]byte, 0, 512)
	for name, values := range h {
		if !IsRead(name) {
			all = append(append(all, name...), between...)
		}
		for _, v := range values {
			if v != "application/json" {
				all = append(append(all, v...), between...)
			}
		}
	}
	return r.Found(all)
}

// RedactHeader returns a copy of h without keys, and whether there was one. Without any it may return h itself.
func (r *Redactor) RedactHeader(h http.Header) (http.Header, bool) {
	if !r.foundInHeader(h) {
		return h, false
	}
	out, hit := make(http.Header, len(h)), false
	clean := func(s string) string {
		c, found := r.Redact([]byte(s))
		hit = hit || found
		return string(c)
	}
	for name, values := range h {
		kept := make([]string, len(values))
		for i, v := range values {
			kept[i] = clean(v)
		}
		out[clean(name)] = kept
	}
	return out, hit
}
