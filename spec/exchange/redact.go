package exchange

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Codings says in which forms a key is found, for manuals and reports.
const Codings = `plain, percent-, JSON- or HTML-escaped, as \x70, in hexadecimal, base64 or base64url, in upper or lower case`

// Redactor finds keys in data and replaces them with Mask. It finds any 12 characters of a key in a row, as they stand
// or written in one of the Codings. Words alone are no part of a key, since petconform's own texts may have them: of 12
// characters one is a digit, or a capital behind a small letter. A key that has none of these is found as a whole, and
// if it is short too, as a word of its own or behind "Bearer" only.
type Redactor struct {
	keys    []Secret
	needles map[needle]int              // how much a needle weighs
	marks   [1 << (markBits - 6)]uint64 // of the hashes of the needles
	short   *regexp.Regexp              // nil if no key is short
}

// aKey is the weight of a whole key, and of each needle that is no word.
const aKey = 1 << 16

// NewRedactor returns a Redactor of the keys and of the damaged keys that checks send.
func NewRedactor(keys ...Secret) *Redactor {
	r := &Redactor{keys: keys, needles: map[needle]int{}}
	var short []string
	for _, k := range keys {
		switch {
		case k.IsZero():
		case len(k.key) < needleLength || len(k.key) < longWord && !noWord.MatchString(k.key):
			short = append(short, shortKey(k.key))
		default:
			r.add(k.key)
		}
	}
	for n := range r.needles {
		r.marks[n.hash()>>6] |= 1 << (n.hash() & 63)
	}
	if short != nil {
		r.short = regexp.MustCompile("(?i)" + strings.Join(short, "|"))
	}
	return r
}

func (r *Redactor) add(key string) {
	for _, written := range []string{Damage(key), ChangeEnd(key), key} {
		all := len(written) - needleLength + 1
		for i, n := range needlesOf(written) {
			if r.needles[n] = (aKey + all - 1) / all; noWord.MatchString(written[i : i+needleLength]) {
				r.needles[n] = aKey
			}
		}
	}
}

// Sparing returns a Redactor that leaves the addresses as they are: what a key and an address have in common is no
// part of the key. An address with a whole key in it does not count.
func (r *Redactor) Sparing(addresses ...string) *Redactor {
	if r == nil {
		return nil
	}
	sparing := *r
	sparing.needles = maps.Clone(r.needles)
	for _, a := range addresses {
		within := func(k Secret) bool {
			return !k.IsZero() && strings.Contains(strings.ToLower(a), strings.ToLower(k.key))
		}
		if !slices.ContainsFunc(r.keys, within) {
			for _, n := range needlesOf(a) {
				delete(sparing.needles, n)
			}
		}
	}
	return &sparing
}

// longWord is the fewest characters of a key of words alone that no text has by chance.
const longWord = 16

// shortKey is the expression for a key that is shorter than a needle, or a word.
func shortKey(key string) string {
	edge := func(of string) string { // of a word
		return map[bool]string{true: `\b`}[word.MatchString(of)]
	}
	before := edge(key[:1])
	if !letter.MatchString(key) || !digit.MatchString(key) {
		before = `\bbearer\s+`
	}
	return before + regexp.QuoteMeta(key) + edge(key[len(key)-1:])
}

var (
	letter = regexp.MustCompile(`[A-Za-z]`)
	digit  = regexp.MustCompile(`[0-9]`)
	noWord = regexp.MustCompile(`[0-9]|[a-z][A-Z]`)
	word   = regexp.MustCompile(`\w`)
)

// Found reports whether data contains a key.
func (r *Redactor) Found(data []byte) bool { return len(r.places(data)) > 0 }

// place is a range of data, and what the needles in it weigh.
type place struct{ from, to, weight int }

// places returns the ranges of data that contain keys, in order and without overlaps.
func (r *Redactor) places(data []byte) (all []place) {
	if r == nil || len(r.keys) == 0 {
		return nil
	}
	for _, t := range readings(data) {
		for _, c := range []*coding{&characters, &hexadecimal, &inBase64} {
			var read []place
			r.search(t.data, c, func(p place) { read = appendPlace(read, place{t.at(p.from), t.at(p.to), p.weight}) })
			all = append(all, slices.DeleteFunc(read, func(p place) bool { return p.weight < aKey })...)
		}
		if r.short != nil {
			for _, p := range r.short.FindAllIndex(t.data, -1) {
				all = append(all, place{t.at(p[0]), t.at(p[1]), aKey})
			}
		}
	}
	slices.SortFunc(all, func(a, b place) int { return a.from - b.from })
	var merged []place
	for _, p := range all {
		merged = appendPlace(merged, p)
	}
	return merged
}

// appendPlace appends p, or adds it to the last place if p begins within that one.
func appendPlace(all []place, p place) []place {
	if n := len(all) - 1; n >= 0 && all[n].from <= p.from && p.from < all[n].to {
		all[n].to, all[n].weight = max(all[n].to, p.to), min(all[n].weight+p.weight, aKey)
		return all
	}
	return append(all, p)
}

// Redact returns data with every key replaced with Mask, and whether there was one. If a mask together with the text
// next to it forms a key, nothing is left of data.
func (r *Redactor) Redact(data []byte) (clean []byte, hit bool) {
	at := 0
	for _, p := range r.places(data) {
		clean, at = append(append(clean, data[at:p.from]...), Mask...), p.to
	}
	if at == 0 {
		return data, false
	}
	if clean = append(clean, data[at:]...); r.Found(clean) {
		return []byte(Mask), true
	}
	return clean, true
}

// RedactHeader returns h without keys, and whether there was one. The names that rules read are no keys.
func (r *Redactor) RedactHeader(h http.Header) (clean http.Header, hit bool) {
	all := make([]byte, 0, 512) // all of h, which is searched faster than one value after the other
	for name, values := range h {
		if IsRead(name) {
			name = ""
		}
		for _, s := range append([]string{name}, values...) {
			all = append(append(all, s...), "|z|"...) // ends the digits of every coding
		}
	}
	if !r.Found(all) {
		return h, false
	}
	clean = make(http.Header, len(h))
	redact := func(s string) string {
		c, found := r.Redact([]byte(s))
		hit = hit || found
		return string(c)
	}
	for name, values := range h {
		if !IsRead(name) {
			name = redact(name)
		}
		for _, v := range values {
			clean[name] = append(clean[name], redact(v))
		}
	}
	return clean, hit
}
