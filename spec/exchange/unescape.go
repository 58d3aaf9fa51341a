package exchange

import (
	"bytes"
	"strconv"
)

// text is data in which escapes may be undone. from and to are, for each byte, the place in the original data that it stands for; they
// are nil where nobody asks for places.
type text struct {
	data     []byte
	from, to []int32
}

// mostLevels is how many times escapes are undone, one within the other: a body in a string in a recording has three.
const mostLevels = 5

// original returns data with places.
func original(data []byte) text {
	t := text{data: data, from: make([]int32, len(data)), to: make([]int32, len(data))}
	for i := range data {
		t.from[i], t.to[i] = int32(i), int32(i+1)
	}
	return t
}

// unescape undoes one level of escapes: those of JSON, of programming languages, of URLs and of HTML. again is false if there is none.
func (t text) unescape() (out text, again bool) {
	if !bytes.ContainsAny(t.data, `\%&`) {
		return t, false
	}
	out.data = make([]byte, 0, len(t.data))
	for i := 0; i < len(t.data); {
		c, n := escapeAt(t.data[i:])
		if n == 0 {
			c, n = t.data[i], 1
		} else {
			again = true
		}
		out.data = append(out.data, c)
		if t.from != nil {
			out.from, out.to = append(out.from, t.from[i]), append(out.to, t.to[i+n-1])
		}
		i += n
	}
	return out, again
}

// escapeAt returns the byte that an escape at the beginning of data stands for, and its length; 0 if there is none. What is not
// ASCII becomes a NUL, since no key has it.
func escapeAt(data []byte) (c byte, n int) {
	switch data[0] {
	case '%':
		if len(data) > 1 && data[1] == 'u' { // JavaScript's escape
			return number(data, 2, 4, 16)
		}
		return number(data, 1, 2, 16)
	case '\\':
		if len(data) < 2 {
			return 0, 0
		}
		switch data[1] {
		case 'u':
			if end := bytes.IndexByte(data[:min(len(data), longestBraces)], '}'); end > 3 && data[2] == '{' {
				if c, n = number(data, 3, end-3, 16); n > 0 {
					n++
				}
				return c, n
			}
			return number(data, 2, 4, 16)
		case 'U':
			return number(data, 2, 8, 16)
		case '0', '1', '2', '3':
			return number(data, 1, 3, 8)
		case 'x':
			return number(data, 2, 2, 16)
		case 'n', 'r', 't', 'b', 'f':
			return 0, 2
		case '\\', '/', '"', '\'':
			return data[1], 2
		}
	case '&':
		return entityAt(data)
	}
	return 0, 0
}

// longestBraces is the length of \u{00000070}.
const longestBraces = 12

// number reads a number of so many digits at an offset.
func number(data []byte, at, digits, base int) (byte, int) {
	if len(data) < at+digits {
		return 0, 0
	}
	v, err := strconv.ParseUint(string(data[at:at+digits]), base, 32)
	if err != nil {
		return 0, 0
	}
	return ascii(v), at + digits
}

func ascii(v uint64) byte {
	if v > 0x7e {
		return 0
	}
	return byte(v)
}

// longestEntity is longer than the longest name of HTML, CounterClockwiseContourIntegral.
const longestEntity = 34

// entityAt reads &#115; &#x73; and names, which stand for no letter or digit of a key.
func entityAt(data []byte) (byte, int) {
	end := bytes.IndexByte(data[:min(len(data), longestEntity)], ';')
	if end < 2 {
		return 0, 0
	}
	name, base := string(data[1:end]), 10
	if name[0] != '#' {
		for _, c := range []byte(name) {
			if lower[c] == 0 {
				return 0, 0
			}
		}
		return map[string]byte{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}[name], end + 1
	}
	digits := name[1:]
	if len(digits) > 0 && digits[0]|0x20 == 'x' {
		digits, base = digits[1:], 16
	}
	v, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return 0, 0
	}
	return ascii(v), end + 1
}

// lower maps a letter to lower case and a digit to itself; everything else is 0.
var lower = func() (table [256]byte) {
	for c := range table {
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z':
			table[c] = byte(c)
		case c >= 'A' && c <= 'Z':
			table[c] = byte(c) + 'a' - 'A'
		}
	}
	return table
}()

// letters leaves only letters, in lower case, and digits. With quotes it also leaves quotation marks, so that nothing is found across
// the strings of a JSON document.
func (t text) letters(quotes bool) text {
	out := text{data: make([]byte, 0, len(t.data))}
	for i, b := range t.data {
		c := lower[b]
		if c == 0 && (!quotes || b != '"') {
			continue
		} else if c == 0 {
			c = '"'
		}
		out.data = append(out.data, c)
		if t.from != nil {
			out.from, out.to = append(out.from, t.from[i]), append(out.to, t.to[i])
		}
	}
	return out
}
