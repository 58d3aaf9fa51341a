package exchange

import (
	"bytes"
	"html"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// text is data, or a reading of it: without its escapes, decoded, or backwards. at has the place in the data that each
// byte stands for; it is nil where nobody asks for places.
type text struct {
	data []byte
	at   []place
}

type place struct{ from, to int32 }

// add appends a byte that stands for the bytes first to last of another text.
func (t *text) add(c byte, of text, first, last int) {
	t.data = append(t.data, c)
	if of.at != nil {
		t.at = append(t.at, of.place(first, last))
	}
}

// place is where the bytes first to last stand in the data. The text may be backwards.
func (t text) place(first, last int) place {
	return place{min(t.at[first].from, t.at[last].from), max(t.at[first].to, t.at[last].to)}
}

func (t text) cut(from, to int) text {
	if t.at == nil {
		return text{data: t.data[from:to]}
	}
	return text{t.data[from:to], t.at[from:to]}
}

func (t text) backwards() text {
	out := text{slices.Clone(t.data), slices.Clone(t.at)}
	slices.Reverse(out.data)
	slices.Reverse(out.at)
	return out
}

// unspaced returns t without white space, and without the zero bytes that UTF-16 has.
func (t text) unspaced() (out text) {
	for i, c := range t.data {
		if !isSpace(c) {
			out.add(c, t, i, i)
		}
	}
	return out
}

func (t text) escaped() bool {
	return bytes.IndexByte(t.data, '\\') >= 0 || bytes.IndexByte(t.data, '%') >= 0 || bytes.IndexByte(t.data, '&') >= 0
}

// plain returns t without one level of the escapes of URLs, JSON and HTML.
func (t text) plain() (out text, changed bool) {
	for i := 0; i < len(t.data); i++ {
		plain, n := unescape(t.data[i:])
		if n == 0 {
			out.add(t.data[i], t, i, i)
			continue
		}
		for _, c := range []byte(plain) {
			out.add(c, t, i, i+n-1)
		}
		i, changed = i+n-1, true
	}
	return out, changed
}

const longestEntity = 34 // &CounterClockwiseContourIntegral;

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
func (t text) numbers() iter.Seq[text] {
	return func(yield func(text) bool) {
		var out text
		v, first := 0, 0
		for i := 0; i <= len(t.data); i++ {
			c := byte('z') // behind the end
			if i < len(t.data) {
				c = t.data[i]
			}
			if c >= '0' && c <= '9' {
				if v == 0 {
					first = i
				}
				v = min(v*10+int(c-'0'), 0xff)
				continue
			}
			if v > 0 {
				out.add(byte(v), t, first, i-1)
				v = 0
			}
			if lower[c] != 0 {
				if len(out.data) >= pieceLength && !yield(out) {
					return
				}
				out = text{}
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

// runs yields both ends of every run of digits that is long enough for a piece.
func (c *coding) runs(data []byte) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for at := 0; at < len(data); at++ {
			from, digits := at, 0
			for ; at < len(data) && c.digit[data[at]] != ends; at++ {
				if c.digit[data[at]] >= 0 {
					digits++
				}
			}
			if digits*c.bits >= pieceLength*8 && !yield(from, at) {
				return
			}
		}
	}
}

// decode sets out to what the digits of t stand for, from one place to another, forwards or backwards, if the first
// ones, so many, do not count.
func (c *coding) decode(out *text, t text, from, to, without int) {
	out.data, out.at = out.data[:0], out.at[:0]
	step, have, value, first := 1, 0, 0, 0
	if to < from {
		step = -1
	}
	for i := from; i != to; i += step {
		d := c.digit[t.data[i]]
		if d >= 0 {
			without--
		}
		if d < 0 || without >= 0 {
			continue
		}
		if have == 0 {
			first = i
		}
		if value, have = value<<c.bits|int(d), have+c.bits; have >= 8 {
			have -= 8
			out.add(byte(value>>have), t, first, i)
			value, first = value&(1<<have-1), i
		}
	}
}

// lettersOfPair has, for two digits of base64, a one in each lane of 16 bits whose byte of the group is a letter or a
// digit.
var lettersOfPair = func() (table [1 << 12]uint64) {
	for pair := range table {
		for nth := range 3 { // the byte that begins with the nth digit of a group
			if lower[byte(pair>>(4-2*nth))] != 0 {
				table[pair] |= 1 << (16 * (-nth & 3))
			}
		}
	}
	return table
}()

// letters counts the letters and digits that a run of base64 stands for, in lanes of 16 bits that do not overflow: one
// for each number of digits that do not count. It is there for speed: most runs are words that stand for none.
func (c *coding) letters(data []byte, from, to int) (lanes uint64) {
	if c != base64Digits {
		return ^uint64(0)
	}
	step, pair, n := 1, 0, -1
	if to < from {
		step = -1
	}
	for i := from; i != to; i += step {
		d := c.digit[data[i]]
		if d < 0 {
			continue
		}
		if pair = pair<<6&0xfff | int(d); n >= 0 {
			lanes += bits.RotateLeft64(lettersOfPair[pair], 16*n)
			lanes -= lanes >> 1 & 0x4000400040004000
		}
		n++
	}
	return lanes
}
