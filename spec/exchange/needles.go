package exchange

import (
	"encoding/binary"
	"strings"
)

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
type place struct{ from, to int }

func needleAt(s []byte, at int) (n needle) {
	for i := range n {
		n[i] = s[at+i] | lowerCase
	}
	return n
}

func gramAt(s []byte, at int) uint32 { return binary.BigEndian.Uint32(s[at:]) | lowerCase*0x01010101 }

// add adds the needles of a key that are not in the table.
func (r *Redactor) add(key string) {
	for i := range len(key) - needleLength + 1 {
		if n := needleAt([]byte(key), i); r.needles[n] == "" {
			r.needles[n] = key
		}
	}
	for i := range len(key) - gramLength + 1 {
		r.grams[gramAt([]byte(key), i)] = true
	}
}

// search returns the ranges of s that are a key.
func (r *Redactor) search(s []byte) (all []place) {
	for gram := 0; gram+gramLength <= len(s); gram += needleLength - gramLength + 1 {
		if !r.grams[gramAt(s, gram)] {
			continue
		}
		for at := max(0, gram+gramLength-needleLength); at <= min(gram, len(s)-needleLength); at++ {
			_, is := r.needles[needleAt(s, at)]
			switch last := len(all) - 1; {
			case !is:
			case last >= 0 && all[last].to == at+needleLength-1:
				all[last].to++
			default:
				all = append(all, place{at, at + needleLength})
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
