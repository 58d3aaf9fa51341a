package exchange

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Redactor finds keys in data and replaces them with Mask. It finds any 12 characters of a key in a row, in upper or
// lower case: as they stand, percent-, JSON- or HTML-escaped, as \x70, in hexadecimal, base64 or base64url. A shorter
// key, or a word, is found as a word of its own, or, if it is letters or digits alone, behind "Bearer" only.
type Redactor struct {
	needles map[needle]string // the key of each
	grams   []bool            // by their hash
	short   *regexp.Regexp    // nil if no key is short
}

// JSON is the media type of responses, at its longest.
const JSON = "application/json; charset=utf-8"

// longWord is the fewest characters of a key of words alone that no text has by chance.
const longWord = 16

var (
	noWord         = regexp.MustCompile(`[0-9]|[a-z][A-Z]`)
	letterAndDigit = regexp.MustCompile(`[A-Za-z].*[0-9]|[0-9].*[A-Za-z]`)
	word           = regexp.MustCompile(`\w`)
)

// NewRedactor returns a Redactor of the keys and of the damaged keys that checks send.
func NewRedactor(keys ...Secret) *Redactor {
	length := 0
	for _, k := range keys {
		length += len(k.key)
	}
	r := &Redactor{needles: map[needle]string{}, grams: make([]bool, 1<<bits.Len(uint(64*length)))} // few have the same hash
	var short []string
	for _, k := range keys {
		switch {
		case k.IsZero():
		case len(k.key) < needleLength || len(k.key) < longWord && !noWord.MatchString(k.key):
			short = append(short, shortKey(k.key))
		default:
			for _, sent := range []string{k.key, Damage(k.key)} {
				r.add(sent)
			}
		}
	}
	if short != nil {
		r.short = regexp.MustCompile("(?i)" + strings.Join(short, "|"))
	}
	return r.Sparing(append([]string{JSON}, judged...)...) // which reports name
}

// shortKey is the expression for a key that is shorter than a needle, or a word.
func shortKey(key string) string {
	edge := func(of string) string { // of a word
		return map[bool]string{true: `\b`}[word.MatchString(of)]
	}
	before := edge(key[:1])
	if !letterAndDigit.MatchString(key) {
		before = `\bbearer\s+`
	}
	return before + regexp.QuoteMeta(key) + edge(key[len(key)-1:])
}

// places returns the ranges of s that have a key, by their beginnings.
func (r *Redactor) places(s []byte) []place {
	if r == nil || len(s) < needleLength && r.short == nil {
		return nil
	}
	all := r.read(s)
	if bytes.ContainsAny(s, `%\&`) {
		plain, at := unescaped(s)
		for _, p := range r.read(plain) {
			all = append(all, place{from: at[p.from], to: at[p.to], short: p.short})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Compare(a.from, b.from) })
	return all
}

// read returns the ranges of s that have a key as it stands, or in digits.
func (r *Redactor) read(s []byte) []place {
	all := r.search(s)
	for _, c := range codings {
		all = append(all, r.numbers(s, c)...)
	}
	if r.short != nil {
		for _, p := range r.short.FindAllIndex(s, -1) {
			all = append(all, place{from: p[0], to: p[1], short: true})
		}
	}
	return all
}

// Found reports whether data contains a key.
func (r *Redactor) Found(data []byte) bool { return len(r.places(data)) > 0 }

// Leaked reports whether what petconform wrote contains a key. Its own texts may have words of a long one, such as
// authorization, of fewer than longWord characters.
func (r *Redactor) Leaked(data []byte) bool {
	return slices.ContainsFunc(r.places(data), func(p place) bool {
		return p.short || p.to-p.from >= longWord || noWord.Match(data[p.from:p.to])
	})
}

// Redact returns data with every key replaced with Mask, and whether there was one. If a mask together with the text
// next to it forms a key, nothing is left of data.
func (r *Redactor) Redact(data []byte) (clean []byte, hit bool) {
	at := 0
	for _, p := range r.places(data) {
		if p.from >= at {
			clean = append(append(clean, data[at:p.from]...), Mask...)
		}
		at = max(at, p.to)
	}
	if at == 0 {
		return data, false
	}
	if clean = append(clean, data[at:]...); r.Found(clean) {
		return []byte(Mask), true
	}
	return clean, true
}

// RedactHeader returns h if it has no key, else a copy without keys, and whether it had one. The names that rules read
// are no keys.
func (r *Redactor) RedactHeader(h http.Header) (clean http.Header, hit bool) {
	var text []byte
	found := func(s string) bool {
		text = append(text[:0], s...)
		return r.Found(text)
	}
	for name, values := range h {
		hit = hit || !IsRead(name) && found(name) || slices.ContainsFunc(values, found)
	}
	if !hit {
		return h, false
	}
	clean = make(http.Header, len(h))
	for name, values := range h {
		if without, _ := r.Redact([]byte(name)); !IsRead(name) {
			name = string(without)
		}
		for _, v := range values {
			without, _ := r.Redact([]byte(v))
			clean[name] = append(clean[name], string(without))
		}
	}
	return clean, true
}

const (
	// needleLength is how many characters of a key in a row are searched for. Four of them, a gram, are looked up: at
	// every ninth character of a text, so that no needle is missed.
	needleLength = 12
	gramLength   = 4
	// lowerCase is set in each character, which makes a letter lower case.
	lowerCase = 0x20
)

// needle is any 12 characters of a key in a row, with lowerCase set.
type needle [needleLength]byte

// place is a range of a text.
type place struct {
	from, to int
	short    bool // it has a short key
}

func needleAt(s []byte, at int) (n needle) {
	for i := range n {
		n[i] = s[at+i] | lowerCase
	}
	return n
}

// gramAt returns the hash of a gram (Fibonacci hashing). Another gram of the same hash costs a look at the needles.
func (r *Redactor) gramAt(s []byte, at int) int {
	gram := binary.BigEndian.Uint32(s[at:]) | lowerCase*0x01010101
	return int(uint64(gram*2654435769) * uint64(len(r.grams)) >> 32)
}

// add adds the needles of a key that are not in the table.
func (r *Redactor) add(key string) {
	for i := range len(key) - needleLength + 1 {
		if n := needleAt([]byte(key), i); r.needles[n] == "" {
			r.needles[n] = key
		}
	}
	for i := range len(key) - gramLength + 1 {
		r.grams[r.gramAt([]byte(key), i)] = true
	}
}

// search returns the ranges of s that are a key.
func (r *Redactor) search(s []byte) (all []place) {
	for gram := 0; gram+gramLength <= len(s); gram += needleLength - gramLength + 1 {
		if !r.grams[r.gramAt(s, gram)] {
			continue
		}
		for at := max(0, gram+gramLength-needleLength); at <= min(gram, len(s)-needleLength); at++ {
			_, is := r.needles[needleAt(s, at)]
			switch last := len(all) - 1; {
			case !is:
			case last >= 0 && all[last].to == at+needleLength-1:
				all[last].to++
			default:
				all = append(all, place{from: at, to: at + needleLength})
			}
		}
	}
	return all
}

// Sparing makes r leave the addresses as they are, before it is used: what a key and an address have in common is no
// part of the key, unless the address has the whole key. It returns r.
func (r *Redactor) Sparing(addresses ...string) *Redactor {
	for _, a := range addresses {
		for at := range len(a) - needleLength + 1 {
			n := needleAt([]byte(a), at)
			if key := r.needles[n]; !strings.Contains(strings.ToLower(a), strings.ToLower(key)) {
				delete(r.needles, n)
			}
		}
	}
	return r
}
