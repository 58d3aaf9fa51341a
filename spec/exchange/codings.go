package exchange

import (
	"bytes"
	"iter"
)

// coding is a way to write bytes as digits of so many bits.
type coding struct {
	bits  int
	digit [256]int8
	// bytes say which digits of a group end a byte, and by how many bits the byte lies above the digit's end.
	bytes []place
	// group is the number of digits after which a byte begins with a digit again.
	group int
}

type place struct{ digit, shift int }

const (
	ends = -1 // ends a run of digits
	skip = -2 // stands between digits
)

const space = "\x00 \t\n\v\f\r"

var (
	upperCase, lowerCase, figures = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
	base64Digits                  = newCoding(6, space, upperCase+lowerCase+figures+"+/", upperCase+lowerCase+figures+"-_")
	base64Swapped                 = newCoding(6, space, lowerCase+upperCase+figures+"+/", lowerCase+upperCase+figures+"-_")
	base32Upper                   = newCoding(5, space, upperCase+"234567")
	base32Lower                   = newCoding(5, space, lowerCase+"234567")
	hexDigits                     = newCoding(4, bytesThat(func(b byte) bool { return lower[b] == 0 }), figures+"abcdef", figures+"ABCDEF") // 70:65
	// asciiText stands for itself.
	asciiText = newCoding(8, "", space+bytesThat(func(b byte) bool { return b >= ' ' && b < 0x7f }))
)

func newCoding(bits int, skipped string, alphabets ...string) *coding {
	c := &coding{bits: bits, group: 8}
	for b := range c.digit {
		c.digit[b] = ends
	}
	for _, b := range []byte(skipped) {
		c.digit[b] = skip
	}
	for _, alphabet := range alphabets {
		for i, b := range []byte(alphabet) {
			c.digit[b] = int8(i)
		}
	}
	for c.group*bits/2%8 == 0 {
		c.group /= 2
	}
	for i := range c.group {
		if shift := (i + 1) * bits % 8; shift < bits {
			c.bytes = append(c.bytes, place{i, shift})
		}
	}
	return c
}

func bytesThat(are func(byte) bool) string {
	var all []byte
	for b := range 256 {
		if are(byte(b)) {
			all = append(all, byte(b))
		}
	}
	return string(all)
}

// runs yields every run of digits that is long enough for so many bytes.
func (c *coding) runs(t text, least int) iter.Seq[text] {
	return func(yield func(text) bool) {
		for at := 0; at < len(t.data); at++ {
			from, digits := at, 0
			for ; at < len(t.data) && c.digit[t.data[at]] != ends; at++ {
				if c.digit[t.data[at]] >= 0 {
					digits++
				}
			}
			if digits*c.bits >= least*8 && !yield(t.cut(from, at)) {
				return
			}
		}
	}
}

func (t text) cut(from, to int) text {
	if t.from == nil {
		return text{data: t.data[from:to]}
	}
	return text{t.data[from:to], t.from[from:to], t.to[from:to]}
}

// unprefixed returns t without the 0x before hexadecimal numbers.
func (t text) unprefixed() text {
	if !bytes.Contains(t.data, []byte("0x")) && !bytes.Contains(t.data, []byte("0X")) {
		return t
	}
	out := text{data: make([]byte, 0, len(t.data))}
	for i := 0; i < len(t.data); i++ {
		if t.data[i] == '0' && i+1 < len(t.data) && t.data[i+1]|0x20 == 'x' {
			i++
			continue
		}
		out.add(t.data[i], t, i, i)
	}
	return out
}

// letters counts the letters and digits in what a run stands for that is read from a place on, in steps of 1 or -1, for each digit
// that can be the first of a group. It may count one too many.
func (c *coding) letters(data []byte, at, step int) (counts [8]int) {
	value, i := 0, 0
	for ; at >= 0 && at < len(data); at += step {
		d := c.digit[data[at]]
		if d < 0 {
			continue
		}
		value = value<<c.bits | int(d)
		for _, p := range c.bytes {
			counts[(i-p.digit)&7&(c.group-1)] += isLetter[byte(value>>p.shift)]
		}
		i++
	}
	return counts
}

// decode returns what a run stands for if its first digits, so many, do not count.
func (c *coding) decode(t text, without int) text {
	out := text{data: make([]byte, 0, len(t.data)*c.bits/8)}
	bits, value, first := 0, 0, 0
	for i, b := range t.data {
		d := c.digit[b]
		if d < 0 {
			continue
		}
		if without > 0 {
			without--
			continue
		}
		if bits == 0 {
			first = i
		}
		if value, bits = value<<c.bits|int(d), bits+c.bits; bits >= 8 {
			bits -= 8
			out.add(byte(value>>bits), t, first, i)
			value, first = value&(1<<bits-1), i
		}
	}
	return out
}
