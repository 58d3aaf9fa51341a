package strictjson

import "fmt"

// maxDepth is the deepest nesting of arrays and objects that Parse reads, so that a body cannot exhaust the stack.
const maxDepth = 64

// syntaxError says where a text stops being JSON.
type syntaxError struct {
	// Offset is the number of bytes before the error.
	Offset int
	// Detail says what was expected and what was found.
	Detail string
}

// Error returns the detail and the offset.
func (e *syntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Detail, e.Offset) }

// Parse reads one value. Only white space may surround it.
func Parse(data []byte) (Value, error) {
	p := parser{data: data}
	p.space()
	v := p.value(0)
	p.space()
	if p.err == nil && p.at < len(data) {
		p.fail("expected the end of the text")
	}
	if p.err != nil {
		return Value{}, p.err
	}
	return v, nil
}

// parser reads data up to the first error. What it returns after an error has no meaning.
type parser struct {
	data []byte
	at   int
	err  error
}

func (p *parser) fail(expected string) {
	if p.err != nil {
		return
	}
	found := "the end of the text"
	if p.at < len(p.data) {
		found = fmt.Sprintf("%q", p.data[p.at])
	}
	p.err = &syntaxError{p.at, expected + ", found " + found}
}

func (p *parser) space() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// next skips c and returns true, if c comes next.
func (p *parser) next(c byte) bool {
	if p.at < len(p.data) && p.data[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) value(depth int) Value {
	if depth > maxDepth {
		p.fail(fmt.Sprintf("expected at most %d levels of nesting", maxDepth))
		return Value{}
	}
	if p.at >= len(p.data) {
		p.fail("expected a value")
		return Value{}
	}
	switch c := p.data[p.at]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return Value{Kind: String, Text: p.str()}
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return p.word("true", Bool)
	case c == 'f':
		return p.word("false", Bool)
	case c == 'n':
		return p.word("null", Null)
	}
	p.fail("expected a value")
	return Value{}
}

func (p *parser) word(w string, k Kind) Value {
	for i := range len(w) {
		if !p.next(w[i]) {
			p.fail("expected " + w)
			return Value{}
		}
	}
	return Value{Kind: k, Text: w}
}

func (p *parser) array(depth int) Value {
	v := Value{Kind: Array}
	p.sequence(']', "array", func() { v.Elements = append(v.Elements, p.value(depth+1)) })
	return v
}

func (p *parser) object(depth int) Value {
	v := Value{Kind: Object, Members: make([]Member, 0, 4)}
	p.sequence('}', "object", func() {
		if p.at >= len(p.data) || p.data[p.at] != '"' {
			p.fail("expected the name of a member")
			return
		}
		name := p.str()
		p.space()
		if !p.next(':') {
			p.fail("expected a colon")
			return
		}
		p.space()
		v.Members = append(v.Members, Member{name, p.value(depth + 1)})
	})
	return v
}

// sequence reads items with commas between them, up to the closing bracket of what.
func (p *parser) sequence(closing byte, what string, item func()) {
	p.at++
	p.space()
	if p.next(closing) {
		return
	}
	for p.err == nil {
		p.space()
		item()
		p.space()
		if p.next(closing) {
			return
		}
		if !p.next(',') {
			p.fail("expected a comma or the end of the " + what)
		}
	}
}
