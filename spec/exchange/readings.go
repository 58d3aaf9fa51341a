package exchange

import (
	"bytes"
	"html"
	"iter"
	"slices"
	"strconv"
	"strings"
)

const (
	// mostDecodings is how often data is decoded: base64 of base64 takes two.
	mostDecodings = 2
	// mostLevels is how many escapes are undone, one within the other.
	mostLevels = 4
	// longestEntity is the length of &CounterClockwiseContourIntegral; and two characters more.
	longestEntity = 34
)

// A reading of data is what a person may read in it: the data itself, without its escapes, decoded, or backwards.

// readBoth calls look with every reading of data, forwards and backwards, until it returns true.
func readBoth(data []byte, look func([]byte) bool) bool {
	return read(data, 0, look) || escaped(data) && read(backwards(data), 0, look)
}

// read calls look with every reading of data, with white space and without, until it returns true.
func read(data []byte, decodings int, look func([]byte) bool) bool {
	return readLevels(data, decodings, look) || escaped(data) && readLevels(unspaced(data), decodings, look)
}

// readLevels calls look with data and what it decodes to, and with the same without escapes, until it returns true.
func readLevels(data []byte, decodings int, look func([]byte) bool) bool {
	for range mostLevels + 1 {
		if look(data) || decodings < mostDecodings && readDecoded(data, decodings+1, look) {
			return true
		}
		if !escaped(data) {
			return false
		}
		plain, changed := unescaped(data)
		if !changed {
			return false
		}
		data = plain
	}
	return false
}

// readDecoded calls look with every reading of what data decodes to, until it returns true.
func readDecoded(data []byte, decodings int, look func([]byte) bool) bool {
	for text := range numbers(data) {
		if read(text, decodings, look) {
			return true
		}
	}
	var digits, out []byte
	for _, c := range []*coding{base64Digits, hexDigits} {
		for run := range c.runs(data) {
			digits = c.valuesOf(digits[:0], run)
			for range 2 { // forwards and backwards
				for without := range c.group {
					out = c.decode(out[:0], digits[without:])
					for text := range asciiText.runs(out) { // most of what is decoded was no digits of a text
						if read(text, decodings, look) {
							return true
						}
					}
				}
				slices.Reverse(digits)
			}
		}
	}
	return false
}

func backwards(data []byte) []byte {
	out := bytes.Clone(data)
	slices.Reverse(out)
	return out
}

// unspaced returns data without white space, and without the zero bytes that UTF-16 has.
func unspaced(data []byte) []byte { return slices.DeleteFunc(bytes.Clone(data), isSpace) }

func escaped(data []byte) bool {
	return bytes.IndexByte(data, '\\') >= 0 || bytes.IndexByte(data, '%') >= 0 || bytes.IndexByte(data, '&') >= 0
}

// unescaped returns data without one level of the escapes of URLs, JSON and HTML.
func unescaped(data []byte) (out []byte, changed bool) {
	for len(data) > 0 {
		plain, n := unescape(data)
		if n == 0 {
			out, data = append(out, data[0]), data[1:]
			continue
		}
		out, data, changed = append(out, plain...), data[n:], true
	}
	return out, changed
}

// unescape returns what the escape at the beginning of data stands for, and its length; 0 if there is none.
func unescape(data []byte) (plain string, n int) {
	number := func(from, to int) (string, int) {
		if v, err := strconv.ParseUint(string(data[from:min(to, len(data))]), 16, 32); err == nil && to <= len(data) {
			return string(rune(v)), to
		}
		return "", 0
	}
	switch {
	case data[0] == '%':
		return number(1, 3)
	case data[0] == '&':
		n = bytes.IndexByte(data[:min(longestEntity, len(data))], ';') + 1
		if plain = html.UnescapeString(string(data[:n])); plain != string(data[:n]) {
			return plain, n
		}
	case data[0] != '\\' || len(data) < 2:
	case data[1] == 'u':
		return number(2, 6)
	case strings.IndexByte("bfnrt", data[1]) >= 0:
		return " ", 2
	case strings.IndexByte(`"\/`, data[1]) >= 0:
		return string(data[1:2]), 2
	}
	return "", 0
}

// numbers yields the texts whose bytes are written as decimal numbers: 112,101,116. A letter ends one.
func numbers(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var out []byte
		v := 0
		for i := range len(data) + 1 {
			c := byte('z') // behind the end
			if i < len(data) {
				c = data[i]
			}
			if c >= '0' && c <= '9' {
				v = min(v*10+int(c-'0'), 0xff)
				continue
			}
			if v > 0 {
				out, v = append(out, byte(v)), 0
			}
			if lower[c] != 0 {
				if len(out) >= pieceLength && !yield(out) {
					return
				}
				out = out[:0]
			}
		}
	}
}

// coding is a way to write bytes as digits of so many bits.
type coding struct {
	bits, group int // after so many digits a byte begins with a digit again
	digit       [256]int8
}

func isSpace(b byte) bool { return b == 0 || b == ' ' || b >= '\t' && b <= '\r' }

func visible() (all string) {
	for b := '!'; b <= '~'; b++ {
		all += string(b)
	}
	return all
}

const (
	ends = -1 // ends a run of digits
	skip = -2 // stands between digits
)

var (
	base64Digits = newCoding(6, 4, isSpace,
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "-_")
	hexDigits = newCoding(4, 2, func(b byte) bool { return lower[b] == 0 }, "0123456789abcdef", "ABCDEF") // 70:65
	asciiText = newCoding(8, 1, isSpace, visible(), "")                                                   // stands for itself
)

// newCoding returns a coding with two ways to write its last digits.
func newCoding(bits, group int, skipped func(byte) bool, digits, last string) *coding {
	c := &coding{bits: bits, group: group}
	for b := range c.digit {
		if c.digit[b] = ends; skipped(byte(b)) {
			c.digit[b] = skip
		}
	}
	for i := range len(digits) {
		c.digit[digits[i]] = int8(i)
	}
	for i := range len(last) {
		c.digit[last[i]] = int8(len(digits) - len(last) + i)
	}
	return c
}

// runs yields every run of digits that is long enough for a piece.
func (c *coding) runs(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := 0; at < len(data); at++ {
			from, digits := at, 0
			for ; at < len(data) && c.digit[data[at]] != ends; at++ {
				if c.digit[data[at]] >= 0 {
					digits++
				}
			}
			if digits*c.bits >= pieceLength*8 && !yield(data[from:at]) {
				return
			}
		}
	}
}

// valuesOf appends the values of the digits of a run to out.
func (c *coding) valuesOf(out, run []byte) []byte {
	for _, b := range run {
		if d := c.digit[b]; d >= 0 {
			out = append(out, byte(d))
		}
	}
	return out
}

// decode appends the bytes that digits stand for to out.
func (c *coding) decode(out, digits []byte) []byte {
	value, have := uint(0), 0
	for _, d := range digits {
		if value, have = value<<c.bits|uint(d), have+c.bits; have >= 8 {
			have -= 8
			out = append(out, byte(value>>have))
		}
	}
	return out
}
