package exchange

import (
	"iter"
)

// needleLength is how many characters of a key in a row are searched for.
const needleLength = 12

// needle is so many characters, each with bit 0x20 set, which makes a letter lower case. The last eight are in lo.
type needle struct{ hi, lo uint64 }

const (
	lowerCase = 0x2020202020202020
	firstFour = 0xffffffff
	markBits  = 13
)

func (n needle) hash() uint64 { return n.lo * 0x9e3779b97f4a7c15 >> (64 - markBits) }

// marked reports whether n may be a needle of r. It is there for speed: of other text one in a hundred is marked.
func (r *Redactor) marked(n needle) bool { return r.marks[n.hash()>>6]&(1<<(n.hash()&63)) != 0 }

// needlesOf yields each needle of s, and where it begins.
func needlesOf(s string) iter.Seq2[int, needle] {
	return func(yield func(int, needle) bool) {
		var read reader
		for i := range len(s) {
			if read.add(s[i], character, i); i+1 >= needleLength && !yield(i+1-needleLength, read.needle(0)) {
				return
			}
		}
	}
}

// reader reads digits of so many bits each, and keeps the last 128 bits of what they stand for.
type reader struct {
	hi, lo uint64
	began  [32]int32 // where each of the last digits stands: digit n in n%32
	digits int
}

// The bits of a digit. They are arguments of a reader's methods, and no field, for speed.
const (
	character   = 8
	hexadecimal = 4
	ofBase64    = 6
)

func (r *reader) add(digit byte, bits, at int) {
	r.hi, r.lo = r.hi<<bits|r.lo>>(64-bits), r.lo<<bits|uint64(digit)
	r.began[r.digits&31] = int32(at)
	r.digits++
}

// dropZero takes back the last hexadecimal digit if it was 0.
func (r *reader) dropZero() {
	if r.digits > 0 && r.lo&0xf == 0 {
		r.hi, r.lo = r.hi>>hexadecimal, r.lo>>hexadecimal|r.hi<<(64-hexadecimal)
		r.digits--
	}
}

// needle returns the last 12 bytes that were read, without so many bits behind them.
func (r *reader) needle(behind int) needle {
	hi, lo := r.hi>>behind, r.lo>>behind|r.hi<<(64-behind)
	return needle{hi&firstFour | lowerCase&firstFour, lo | lowerCase}
}

// span is how many digits a needle has, with so many bits behind it.
func span(bits, behind int) int { return (needleLength*8 + behind + bits - 1) / bits }

// search calls found with each needle in data, as it stands and as digits of hexadecimal and base64, until found returns
// true. It reports whether it did.
func (r *Redactor) search(data []byte, found func(place) bool) bool {
	var plain, hex, base64 reader
	hit := func(read *reader, bits, behind, at int) bool {
		n := read.needle(behind)
		if !r.marked(n) || r.needles[n] == 0 {
			return false
		}
		return found(place{int(read.began[(read.digits-span(bits, behind))&31]), at + 1, r.needles[n]})
	}
	for at, c := range data {
		plain.add(c, character, at)
		if hit(&plain, character, 0, at) {
			return true
		}
		switch d := hexDigits[c]; {
		case d >= 0:
			hex.add(byte(d), hexadecimal, at)
			if hex.digits >= span(hexadecimal, 0) && hit(&hex, hexadecimal, 0, at) {
				return true
			}
		case d == prefix:
			hex.dropZero()
		case d == ends:
			hex.digits = 0
		}
		switch d := base64Digits[c]; {
		case d >= 0:
			base64.add(byte(d), ofBase64, at)
			for behind := 0; behind < ofBase64 && base64.digits >= span(ofBase64, behind); behind += 2 { // three offsets
				if hit(&base64, ofBase64, behind, at) {
					return true
				}
			}
		case d == ends:
			base64.digits = 0
		}
	}
	return false
}

const (
	ends      = -1 // ends a number of digits
	separates = -2 // stands between digits
	prefix    = -3 // stands between digits: the 0 of 0x is none
)

var hexDigits, base64Digits = func() (hex, base64 [256]int8) {
	for c := range 256 {
		hex[c], base64[c] = separates, ends
	}
	for i, c := range []byte(base64Alphabet) {
		base64[c] = int8(i)
		if i < 62 {
			hex[c] = ends
		}
	}
	for i, c := range []byte(hexAlphabet) {
		hex[c] = int8(i & 15)
	}
	hex['x'], hex['X'] = prefix, prefix
	base64['-'], base64['_'] = 62, 63 // of base64url
	for _, c := range []byte(" \t\r\n") {
		base64[c] = separates
	}
	return hex, base64
}()

const (
	hexAlphabet    = "0123456789abcdef0123456789ABCDEF"
	base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
)
