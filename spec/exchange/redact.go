package exchange

import (
	"net/http"
	"regexp"
	"sort"
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

// Found reports whether data contains a key.
func (r *Redactor) Found(data []byte) bool { return r.found(data, false) }

// found reports whether data contains a piece of a key that tells it from other text; if any, of one that does not too.
func (r *Redactor) found(data []byte, any bool) bool {
	if r == nil || len(r.keys) == 0 {
		return false
	}
	return readBoth(data, func(text []byte) bool { return r.pieces.in(text, any) || r.whole != nil && r.whole.Match(text) })
}

// place returns the ends of the first key in data: the smallest part in which a piece is found that tells the key, with
// all pieces that overlap it, and those that overlap these.
func (r *Redactor) place(data []byte) (from, to int, found bool) {
	first, last, found := r.piece(data, false)
	if !found {
		return 0, 0, false
	}
	size := last - first // of every piece, about
	for next := max(0, first-r.pieces.longest*size/pieceLength); ; {
		begin, end, more := r.piece(data[next:min(len(data), max(to, last)+size+pieceLength)], true)
		begin, end = next+begin, next+end
		if !more || begin >= to && to > first {
			return min(from, first), max(to, last), true
		}
		if begin >= to { // it does not overlap those before
			from = begin
		}
		to, next = max(to, end), begin+1
	}
}

// piece returns the ends of the smallest part of data in which a piece is found, and of several the one that ends
// first.
func (r *Redactor) piece(data []byte, any bool) (from, to int, found bool) {
	if to, found = shortest(len(data), func(n int) bool { return r.found(data[:n], any) }); !found {
		return 0, 0, false
	}
	length, _ := shortest(to, func(n int) bool { return r.found(data[to-n:to], any) })
	return to - length, to, true
}

// shortest returns the least length up to most that is enough, if there is one. It tries few that are much longer.
func shortest(most int, enough func(n int) bool) (n int, found bool) {
	few, many := 0, min(pieceLength, most)
	for ; !enough(many); few, many = many, min(2*many, most) {
		if many == most {
			return most, false
		}
	}
	return few + sort.Search(many-few, func(n int) bool { return enough(few + n) }), true
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
		for from, to, found := r.place(data); found; from, to, found = r.place(data) {
			out, data = append(append(out, data[:from]...), Mask...), data[to:]
		}
		data = append(out, data...)
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
