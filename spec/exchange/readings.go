package exchange

import (
	"bytes"
	"html"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// text is data, or a reading of it: without its escapes, decoded, or backwards. from and to are, for each byte, the place in the
// data itself that it stands for; they are nil where nobody asks for places.
type text struct {
	data     []byte
	from, to []int32
}

// placed returns data with places.
func placed(data []byte) text {
	t := text{data, make([]int32, len(data)), make([]int32, len(data))}
	for i := range data {
		t.from[i], t.to[i] = int32(i), int32(i+1)
	}
	return t
}

// add appends a byte that stands for the bytes first to last of another text.
func (t *text) add(c byte, of text, first, last int) {
	t.data = append(t.data, c)
	if of.from != nil {
		t.from, t.to = append(t.from, min(of.from[first], of.from[last])), append(t.to, max(of.to[first], of.to[last]))
	}
}

// backwards returns t from its end to its beginning.
func (t text) backwards() text {
	out := text{slices.Clone(t.data), slices.Clone(t.from), slices.Clone(t.to)}
	slices.Reverse(out.data)
	slices.Reverse(out.from)
	slices.Reverse(out.to)
	return out
}

// unspaced returns t without white space, and without the zero bytes that UTF-16 has.
func (t text) unspaced() text {
	out := text{data: make([]byte, 0, len(t.data))}
	for i, c := range t.data {
		if strings.IndexByte(space, c) < 0 {
			out.add(c, t, i, i)
		}
	}
	return out
}

func (t text) escaped() bool {
	return bytes.IndexByte(t.data, '\\') >= 0 || bytes.IndexByte(t.data, '%') >= 0 || bytes.IndexByte(t.data, '&') >= 0
}

// plain undoes the escapes of URLs, of JSON, of programming languages and of HTML. An escape is undone when its last byte comes, so
// that one pass also undoes the escapes of escapes, up to so many levels.
func (t text) plain(levels byte) text {
	out := text{data: make([]byte, 0, len(t.data))}
	undone := make([]byte, 0, len(t.data)) // for each byte of out, how many escapes were undone, one within the other
	for i, c := range t.data {
		out.add(c, t, i, i)
		undone = append(undone, 0)
		for {
			c, n := escapeEnding(out.data)
			last := len(out.data) - 1
			first := last + 1 - n
			if n == 0 || c == '\\' && n == 2 && undone[first] != undone[last] || slices.Max(undone[first:]) == levels {
				break
			}
			undone = append(undone[:first], slices.Max(undone[first:])+1)
			out.data = append(out.data[:first], c)
			if out.from != nil {
				out.from[first], out.to[first] = min(out.from[first], out.from[last]), max(out.to[first], out.to[last])
				out.from, out.to = out.from[:first+1], out.to[:first+1]
			}
		}
	}
	return out
}

const (
	allLevels     = 255
	longestBraces = 12 // \u{00000070}
	longestEntity = 34 // &CounterClockwiseContourIntegral;
	noASCII       = 0x80
)

// escapeEnding returns the byte that the escape at the end of data stands for, and its length; 0 if there is none.
func escapeEnding(data []byte) (c byte, n int) {
	last := data[len(data)-1]
	before := func(n int) byte { return data[max(0, len(data)-n)] }
	switch {
	case last == ';':
		return entityEnding(data)
	case last == '}':
		from := max(0, len(data)-longestBraces)
		if i := bytes.LastIndex(data[from:], []byte(`\u{`)); i >= 0 {
			return number(data, len(data)-from-i, 3, 1, 16)
		}
	case before(2) == '\\' && bytes.IndexByte([]byte("nrtbf"), last) >= 0:
		return ' ', 2
	case before(2) == '\\' && len(data) > 1 && bytes.IndexByte([]byte(`\/"'`), last) >= 0:
		return last, 2
	case hexDigits.digit[last] < 0:
	case before(3) == '%':
		return number(data, 3, 1, 0, 16)
	case before(4) == '\\' && before(3)|0x20 == 'x':
		return number(data, 4, 2, 0, 16)
	case before(4) == '\\':
		return number(data, 4, 1, 0, 8)
	case before(6) == '%' && before(5)|0x20 == 'u':
		return number(data, 6, 2, 0, 16)
	case before(6) == '\\' && (before(5) == 'u' || before(5) == 'U' && string(data[len(data)-4:]) != "0000"):
		return number(data, 6, 2, 0, 16)
	case before(10) == '\\' && before(9) == 'U':
		return number(data, 10, 2, 0, 16)
	}
	return 0, 0
}

// number reads the escape of n bytes at the end of data, whose number stands between so many bytes at its beginning and its end.
func number(data []byte, n, begin, end, base int) (byte, int) {
	if n > len(data) {
		return 0, 0
	}
	v, err := strconv.ParseUint(string(data[len(data)-n+begin:len(data)-end]), base, 32)
	if err != nil {
		return 0, 0
	}
	return byte(min(v, noASCII)), n
}

// entityEnding reads &#115; &#x73; and the names of HTML.
func entityEnding(data []byte) (byte, int) {
	from := max(0, len(data)-longestEntity)
	i := bytes.LastIndexByte(data[from:], '&')
	if i < 0 {
		return 0, 0
	}
	entity := string(data[from+i:])
	c, size := utf8.DecodeRuneInString(html.UnescapeString(entity))
	if size != len(html.UnescapeString(entity)) {
		return 0, 0
	}
	return byte(min(c, noASCII)), len(entity)
}

// numbers yields the texts whose bytes are written as decimal numbers: 112,101,116. A letter ends one.
func (t text) numbers(least int) iter.Seq[text] {
	return func(yield func(text) bool) {
		var out text
		v, first := 0, 0
		for i, c := range t.data {
			switch {
			case c >= '0' && c <= '9':
				if v == 0 {
					first = i
				}
				v = min(v*10+int(c-'0'), noASCII)
				continue
			case v > 0:
				out.add(byte(v), t, first, i-1)
				v = 0
			}
			if lower[c] != 0 {
				if len(out.data) >= least && !yield(out) {
					return
				}
				out = text{out.data[:0], out.from[:0], out.to[:0]}
			}
		}
		if v > 0 {
			out.add(byte(v), t, first, len(t.data)-1)
		}
		if len(out.data) >= least {
			yield(out)
		}
	}
}

// isLetter is 1 for a letter or a digit, for a sum without branches.
var isLetter = func() (table [256]int) {
	for c := range table {
		table[c] = min(1, int(lower[c]))
	}
	return table
}()

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
