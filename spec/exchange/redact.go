package exchange

import (
	"bytes"
	"net/http"
	"slices"
)

// Redactor finds keys in data and replaces them with Mask. It reads the data as a person would who looks for a key: without escapes,
// decoded from base64, base32 and hexadecimal, forwards and backwards. What has eight consecutive letters or digits of a key in one
// of these readings, in any case, is a piece of the key.
type Redactor struct {
	keys []Secret
	// telling are the pieces that tell a key from other text. all are those that stand in petconform's own texts too: they go only
	// together with a telling one that they overlap.
	telling, all pieces
	// whole are the keys that have no piece by which to tell them from other text, since they are short, or made of words that
	// petconform writes.
	whole []whole
	// least is the length in bytes of the shortest text that may be a key, and letters the number of its letters and digits.
	least, letters int
	// levels are how many escapes are undone, one within the other: all, and 1 and 2 too if a key has what looks like an escape.
	levels []byte
}

// NewRedactor returns a Redactor of the keys and of the damaged keys that checks send.
func NewRedactor(keys ...Secret) *Redactor { return newRedactor(keys, nil) }

// Sparing returns a Redactor that leaves the addresses as they are: what a key and an address have in common is no piece of the key.
// An address with a whole key in it does not count.
func (r *Redactor) Sparing(addresses ...string) *Redactor {
	if r == nil {
		return nil
	}
	return newRedactor(r.keys, addresses)
}

func newRedactor(keys []Secret, addresses []string) *Redactor {
	r := &Redactor{keys: keys, least: pieceLength, letters: pieceLength, levels: []byte{allLevels}}
	var found, all []uint64
	for _, k := range keys {
		telling := tellingPieces(k.key, addresses)
		if len(telling) == 0 {
			r.addWhole(k.key)
			continue
		}
		variants := []string{k.key, Damage(k.key)}
		if t := (text{data: []byte(k.key)}); t.escaped() {
			r.levels = []byte{allLevels, 1, 2}
			variants = append(variants, string(t.plain(allLevels).data))
		}
		for _, v := range variants {
			found, all = append(found, tellingPieces(v, addresses)...), append(all, piecesOf(v)...)
		}
	}
	r.telling, r.all = newPieces(found), newPieces(all)
	return r
}

// mostDecodings is how often data is decoded: base64 of base64 takes two.
const mostDecodings = 2

// read calls look with every reading of t, until it returns true.
func (r *Redactor) read(t text, decodings int, look func(text) bool) bool {
	if look(t) {
		return true
	}
	if decodings == 0 {
		return r.readText(t, decodings, look)
	}
	for part := range asciiText.runs(t, r.least) { // most of what is decoded was no digits of a text
		if r.readText(part, decodings, look) {
			return true
		}
	}
	return false
}

// readText calls look with what t decodes to, and with t without its escapes, until it returns true.
func (r *Redactor) readText(t text, decodings int, look func(text) bool) bool {
	if r.decoded(t, decodings, look) {
		return true
	}
	if !t.escaped() {
		return false
	}
	return slices.ContainsFunc(r.levels, func(levels byte) bool {
		if plain := t.plain(levels); look(plain) || r.decoded(plain, decodings, look) {
			return true
		}
		if !bytes.ContainsAny(t.data, space) {
			return false
		}
		plain := t.unspaced().plain(levels)
		return look(plain) || r.decoded(plain, decodings, look)
	})
}

// decoded calls look with every reading of what t decodes to, until it returns true.
func (r *Redactor) decoded(t text, decodings int, look func(text) bool) bool {
	if decodings == mostDecodings {
		return false
	}
	decodings++
	for run := range base64Digits.runs(t, r.least) {
		if r.decode(base64Digits, run, decodings, look) || r.decode(base64Swapped, run, decodings, look) {
			return true
		}
		for _, c := range []*coding{base32Upper, base32Lower} {
			for short := range c.runs(run, r.least) {
				if r.decode(c, short, decodings, look) {
					return true
				}
			}
		}
	}
	for run := range hexDigits.runs(t.unprefixed(), r.least) {
		if r.decode(hexDigits, run, decodings, look) {
			return true
		}
	}
	for numbers := range t.numbers(r.least) {
		if look(numbers) {
			return true
		}
	}
	return false
}

// decode calls look with every reading of what a run of digits stands for, until it returns true.
func (r *Redactor) decode(c *coding, run text, decodings int, look func(text) bool) bool {
	for without, letters := range c.letters(run.data, 0, 1) {
		if letters >= r.letters && without < c.group && r.read(c.decode(run, without), decodings, look) {
			return true
		}
	}
	for without, letters := range c.letters(run.data, len(run.data)-1, -1) {
		if letters >= r.letters && without < c.group && r.read(c.decode(run.backwards(), without), decodings, look) {
			return true
		}
	}
	return false
}

// Found reports whether data contains a key.
func (r *Redactor) Found(data []byte) bool {
	if r == nil || len(data) < r.least {
		return false
	}
	yes := func(int, int) bool { return true }
	look := func(t text) bool { return r.telling.each(t.data, yes) || r.eachWhole(t.data, yes) }
	t := text{data: data}
	return r.read(t, 0, look) || t.escaped() && r.read(t.backwards(), 0, look)
}

// found is a place of data that is read as a piece of a key.
type found struct {
	from, to int32
	telling  bool
}

// places returns the ranges of data that contain keys, in order and without overlaps.
func (r *Redactor) places(data []byte) []found {
	var all []found
	look := func(t text) bool {
		add := func(telling bool) func(from, to int) bool {
			return func(from, to int) bool { // t may be backwards
				all = append(all, found{min(t.from[from], t.from[to-1]), max(t.to[from], t.to[to-1]), telling})
				return false
			}
		}
		return r.all.each(t.data, add(false)) || r.telling.each(t.data, add(true)) || r.eachWhole(t.data, add(true))
	}
	t := placed(data)
	_ = r.read(t, 0, look) || t.escaped() && r.read(t.backwards(), 0, look)
	slices.SortFunc(all, func(a, b found) int { return int(a.from) - int(b.from) })
	var out []found
	for _, f := range all {
		if n := len(out); n > 0 && f.from < out[n-1].to {
			out[n-1].to, out[n-1].telling = max(out[n-1].to, f.to), out[n-1].telling || f.telling
			continue
		}
		out = append(out, f)
	}
	return slices.DeleteFunc(out, func(f found) bool { return !f.telling })
}

// mostPasses is the largest number of passes over data. More than one may be needed, since a mask together with the text next to
// it may form a key.
const mostPasses = 4

// Redact returns data with every key replaced with Mask, and whether there was one.
func (r *Redactor) Redact(data []byte) ([]byte, bool) {
	hit := false
	for pass := 0; r.Found(data); pass++ {
		if hit = true; pass == mostPasses {
			return []byte(Mask), true // no part of data is worth leaking a key
		}
		data = masked(data, r.places(data))
	}
	return data, hit
}

// masked replaces places with Mask.
func masked(data []byte, places []found) []byte {
	var out []byte
	at := int32(0)
	for _, p := range places {
		out = append(append(out, data[at:p.from]...), maskFor(data[p.from:p.to])...)
		at = p.to
	}
	return append(out, data[at:]...)
}

// maskFor returns Mask, or 0 for a list of numbers, which may be outside of the strings of a JSON document.
func maskFor(found []byte) string {
	if bytes.IndexByte(found, ',') >= 0 && len(bytes.Trim(found, "0123456789, \t\r\n")) == 0 {
		return "0"
	}
	return Mask
}

// RedactHeader returns a copy of h without keys, and whether there was one.
func (r *Redactor) RedactHeader(h http.Header) (http.Header, bool) {
	out := make(http.Header, len(h))
	any := false
	for name, values := range h {
		clean, hit := r.Redact([]byte(name))
		any = any || hit
		kept := make([]string, len(values))
		for i, v := range values {
			c, hit := r.Redact([]byte(v))
			kept[i], any = string(c), any || hit
		}
		out[string(clean)] = kept
	}
	return out, any
}
