package strictjson

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

func (p *parser) digits() {
	from := p.at
	for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' {
		p.at++
	}
	if p.at == from {
		p.fail("a digit was wanted")
	}
}

// number reads -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? and keeps its text.
func (p *parser) number() Value {
	from := p.at
	p.next('-')
	if !p.next('0') {
		p.digits()
	}
	if p.next('.') {
		p.digits()
	}
	if p.next('e') || p.next('E') {
		if !p.next('+') {
			p.next('-')
		}
		p.digits()
	}
	return Value{Kind: Number, Text: string(p.data[from:p.at])}
}

// str reads a string. One without escapes, which nearly all are, is copied once.
func (p *parser) str() string {
	p.at++
	from := p.at
	ascii := true
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == '"':
			text := p.data[from:p.at]
			if !ascii && !utf8.Valid(text) {
				p.fail("UTF-8 was wanted in the string that ends here")
				return ""
			}
			p.at++
			return string(text)
		case c == '\\':
			return p.escaped(from)
		case c < ' ':
			p.fail("a control character has to be escaped")
			return ""
		case c >= utf8.RuneSelf:
			ascii = false
		}
		p.at++
	}
	p.fail("the end of the string was wanted")
	return ""
}

// escaped goes on where str met the first backslash.
func (p *parser) escaped(from int) string {
	out := append(make([]byte, 0, p.at-from+32), p.data[from:p.at]...)
	for p.at < len(p.data) {
		c := p.data[p.at]
		switch {
		case c == '"':
			if !utf8.Valid(out) {
				p.fail("UTF-8 was wanted in the string that ends here")
				return ""
			}
			p.at++
			return string(out)
		case c == '\\':
			p.at++
			out = p.escape(out)
			if p.err != nil {
				return ""
			}
			continue
		case c < ' ':
			p.fail("a control character has to be escaped")
			return ""
		}
		out = append(out, c)
		p.at++
	}
	p.fail("the end of the string was wanted")
	return ""
}

var simpleEscapes = map[byte]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

func (p *parser) escape(out []byte) []byte {
	if p.at < len(p.data) {
		c := p.data[p.at]
		if plain, ok := simpleEscapes[c]; ok {
			p.at++
			return append(out, plain)
		}
		if c == 'u' {
			p.at++
			return p.unicode(out)
		}
	}
	p.fail("an escape was wanted after the backslash")
	return out
}

// unicode reads what follows \u. Half of a surrogate pair names no character, so it could not be given back.
func (p *parser) unicode(out []byte) []byte {
	r := p.hex4()
	if utf16.IsSurrogate(r) && p.err == nil {
		low := rune(-1)
		if p.next('\\') && p.next('u') {
			low = p.hex4()
		}
		r = utf16.DecodeRune(r, low)
		if r == utf8.RuneError {
			p.fail("a surrogate pair was wanted")
		}
	}
	return utf8.AppendRune(out, r)
}

func (p *parser) hex4() rune {
	if p.at+4 > len(p.data) {
		p.fail("four hexadecimal digits were wanted")
		return utf8.RuneError
	}
	n, err := strconv.ParseUint(string(p.data[p.at:p.at+4]), 16, 16)
	if err != nil {
		p.fail("four hexadecimal digits were wanted")
		return utf8.RuneError
	}
	p.at += 4
	return rune(n)
}
