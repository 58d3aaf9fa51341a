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
		p.fail("expected a digit")
	}
}

// number reads -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)? and keeps its text.
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

// str reads a string.
func (p *parser) str() string {
	p.at++
	from := p.at
	var out []byte // the text before from, if it has escapes
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == '"':
			text := p.data[from:p.at]
			if out != nil {
				text = append(out, text...)
			}
			if !utf8.Valid(text) {
				p.fail("expected UTF-8 in the string that ends here")
				return ""
			}
			p.at++
			return string(text)
		case c == '\\':
			out = append(out, p.data[from:p.at]...)
			p.at++
			if out = p.escape(out); p.err != nil {
				return ""
			}
			from = p.at
		case c < ' ':
			p.fail("expected an escape of the control character")
			return ""
		default:
			p.at++
		}
	}
	p.fail("expected the end of the string")
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
	p.fail("expected an escape after the backslash")
	return out
}

// unicode reads the digits after \u. Half of a surrogate pair is refused, because it is not a character.
func (p *parser) unicode(out []byte) []byte {
	r := p.hex4()
	if utf16.IsSurrogate(r) && p.err == nil {
		low := rune(-1)
		if p.next('\\') && p.next('u') {
			low = p.hex4()
		}
		r = utf16.DecodeRune(r, low)
		if r == utf8.RuneError {
			p.fail("expected a surrogate pair")
		}
	}
	return utf8.AppendRune(out, r)
}

func (p *parser) hex4() rune {
	if p.at+4 > len(p.data) {
		p.fail("expected four hexadecimal digits")
		return utf8.RuneError
	}
	n, err := strconv.ParseUint(string(p.data[p.at:p.at+4]), 16, 16)
	if err != nil {
		p.fail("expected four hexadecimal digits")
		return utf8.RuneError
	}
	p.at += 4
	return rune(n)
}
