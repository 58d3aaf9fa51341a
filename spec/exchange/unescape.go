package exchange

import (
	"bytes"
	"html"
	"iter"
)

// text is data, as it stands or without one level of the escapes of URLs, JSON, program text and HTML.
type text struct {
	data []byte
	// places has where each byte, and the end, stands in the data; nil if there was no escape.
	places []int
}

func (t text) at(i int) int {
	if t.places == nil {
		return i
	}
	return t.places[i]
}

// readings yields data as it stands and, if there are escapes in it, without them.
func readings(data []byte) iter.Seq[text] {
	return func(yield func(text) bool) {
		if !yield(text{data: data}) || !bytes.ContainsAny(data, `%\&`) {
			return
		}
		t := text{make([]byte, 0, len(data)), make([]int, 0, len(data)+1)}
		for i := 0; i < len(data); {
			c, n := unescape(data[i:])
			t.data, t.places = append(t.data, c), append(t.places, i)
			i += n
		}
		t.places = append(t.places, len(data))
		yield(t)
	}
}

const (
	longestEntity = 34     // &CounterClockwiseContourIntegral;
	noASCII       = '\x7f' // stands for every character that is in no key
)

// unescape returns the character that the beginning of data stands for, and the length of that.
func unescape(data []byte) (c byte, n int) {
	switch data[0] {
	case '%':
		return number(data, 1, 3)
	case '&':
		end := bytes.IndexByte(data[:min(longestEntity, len(data))], ';') + 1
		if plain := html.UnescapeString(string(data[:end])); len(plain) == 1 {
			return plain[0], end
		}
	case '\\':
		return backslash(data)
	}
	return data[0], 1
}

const mostBackslashes = 8

// backslash reads \u0070, \u{70}, \x70 and \/. A text within a text has two backslashes for one.
func backslash(data []byte) (c byte, n int) {
	most := data[:min(mostBackslashes, len(data))]
	at := len(most) - len(bytes.TrimLeft(most, `\`))
	switch {
	case at == len(most):
	case data[at] == 'x':
		return number(data, at+1, at+3)
	case bytes.HasPrefix(data[at:], []byte("u{")):
		end := bytes.IndexByte(data[:min(at+len("u{000070}"), len(data))], '}')
		if c, n := number(data, at+2, end); n > 1 {
			return c, n + 1
		}
	case data[at] == 'u':
		return number(data, at+1, at+5)
	case bytes.IndexByte([]byte("bfnrt"), data[at]) >= 0:
		return ' ', at + 1
	case at == 1:
		return data[at], at + 1
	}
	return data[0], min(2, at)
}

// number returns the character of a hexadecimal number, and where it ends; else the first character of data.
func number(data []byte, from, to int) (c byte, n int) {
	if to <= from || to > len(data) {
		return data[0], 1
	}
	v := 0
	for _, c := range data[from:to] {
		if hexDigits[c] < 0 {
			return data[0], 1
		}
		v = v<<4 | int(hexDigits[c])
	}
	if v >= 0x80 {
		return noASCII, to
	}
	return byte(v), to
}
