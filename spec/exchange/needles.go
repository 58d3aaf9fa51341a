package exchange

import "slices"

const (
	// needleLength is how many characters of a key in a row are searched for. Four of them, a gram, are looked up: at
	// every ninth character of a text, so that no needle is missed.
	needleLength = 12
	gramLength   = 4
	// lowerCase is set in each character, which makes a letter lower case.
	lowerCase = 0x20
)

// needles are those of a key: any 12 characters of it in a row.
type needles struct {
	key []byte // with lowerCase set
	// tells says of each needle, by its first character, whether it is more than words.
	tells []bool
}

// gram is a place in a key.
type gram struct {
	of *needles
	at int
}

// text is what is searched.
type text interface{ string | []byte }

func gramAt[T text](s T, i int) uint32 {
	const lower = lowerCase * 0x01010101
	return lower | uint32(s[i])<<24 | uint32(s[i+1])<<16 | uint32(s[i+2])<<8 | uint32(s[i+3])
}

// add adds a key to the table.
func (r *Redactor) add(key string) {
	n := &needles{}
	for i, c := range []byte(key) {
		if n.key = append(n.key, c|lowerCase); i+needleLength <= len(key) {
			n.tells = append(n.tells, noWord.MatchString(key[i:i+needleLength]))
		}
		if i+gramLength <= len(key) {
			all := gramAt(key, i)
			r.grams[all] = append(r.grams[all], gram{n, i})
		}
	}
}

// parts calls found with the range of each part of a key in s that is as long as a needle, and where it begins in the
// key.
func parts[T text](r *Redactor, s T, found func(in place, n *needles, at int)) {
	for i := 0; i+gramLength <= len(s); i += needleLength - gramLength + 1 {
		for _, g := range r.grams[gramAt(s, i)] {
			from, to, key, ahead := i, i+gramLength, g.of.key, g.at-i
			for from > 0 && from+ahead > 0 && s[from-1]|lowerCase == key[from+ahead-1] {
				from--
			}
			for to < len(s) && to+ahead < len(key) && s[to]|lowerCase == key[to+ahead] {
				to++
			}
			if to-from >= needleLength {
				found(place{from, to}, g.of, from+ahead)
			}
		}
	}
}

// search returns the ranges of s that are a key: all of it, or a part that is more than words.
func search[T text](r *Redactor, s T) (all []place) {
	parts(r, s, func(in place, n *needles, at int) {
		length := in.to - in.from
		if length == len(n.key) || slices.Contains(n.tells[at:at+length-needleLength+1], true) {
			all = append(all, in)
		}
	})
	return all
}

// Sparing makes r leave the addresses as they are, before it is used: what a key and an address have in common is no
// part of the key, unless it is all of it. It returns r.
func (r *Redactor) Sparing(addresses ...string) *Redactor {
	for _, a := range addresses {
		parts(r, a, func(in place, n *needles, at int) {
			if length := in.to - in.from; length < len(n.key) {
				clear(n.tells[at : at+length-needleLength+1])
			}
		})
	}
	return r
}
