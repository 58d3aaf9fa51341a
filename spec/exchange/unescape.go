package exchange

import (
	"bytes"
	"html"
	"regexp"
	"strconv"
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

// escape matches %70, \u0070, \u{70}, \x70, \n, \/ and &amp;. A text within a text has two backslashes for one.
var escape = regexp.MustCompile(`(?is)%[0-9a-f]{2}|` +
	`\\{1,8}(?:x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|(?-i:[bfnrt]))|\\.|&#?[0-9a-z]{1,32};`)

// readings returns data as it stands and, if there are escapes in it, without them.
func readings(data []byte) []text {
	if !bytes.ContainsAny(data, `%\&`) {
		return []text{{data: data}}
	}
	t := text{make([]byte, 0, len(data)), make([]int, 0, len(data)+1)}
	for at := 0; at < len(data); {
		begin, end := len(data), len(data)
		if found := escape.FindIndex(data[at:]); found != nil {
			begin, end = at+found[0], at+found[1]
		}
		for ; at < begin; at++ {
			t.data, t.places = append(t.data, data[at]), append(t.places, at)
		}
		for _, c := range unescape(data[begin:end]) {
			t.data, t.places = append(t.data, c), append(t.places, begin)
		}
		at = end
	}
	t.places = append(t.places, len(data))
	return []text{{data: data}, t}
}

// unescape returns what an escape stands for. A character that is in no key may be any other such character.
func unescape(e []byte) []byte {
	if len(e) == 0 || e[0] == '&' {
		return []byte(html.UnescapeString(string(e)))
	}
	switch content := bytes.TrimLeft(e, `\`); {
	case len(content) == 0:
		return e[:1]
	case len(content) == 1 && bytes.ContainsAny(content, "bfnrt"):
		return []byte{' '}
	case len(content) == 1:
		return content
	}
	number, _ := strconv.ParseUint(string(bytes.Trim(e, `%\xXuU{}`)), 16, 32)
	return []byte{byte(min(number, 0x7f))}
}
