package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds how deep a body may nest before it is called malformed: a member that the
// interface does not name may hold anything, but no server's own reader goes deeper.
const maxDepth = 5000

// parse reads one JSON value exactly: numbers stay as they are written. twice names a member that an object carries twice.
func parse(body []byte) (value any, twice string, err error) {
	if !utf8.Valid(body) {
		return nil, "", errors.New("not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	p := parser{dec: dec}
	value, err = p.value(0)
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("it ends before the value does")
		}
		return nil, "", err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, "", fmt.Errorf("more follows after the value, at byte %d", dec.InputOffset())
	}
	return value, p.twice, nil
}

type parser struct {
	dec   *json.Decoder
	twice string
}

func (p *parser) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	t, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		return p.object(depth)
	case json.Delim('['):
		return p.array(depth)
	}
	return t, nil
}

func (p *parser) object(depth int) (any, error) {
	o := map[string]any{}
	for p.dec.More() {
		t, err := p.dec.Token()
		if err != nil {
			return nil, err
		}
		name, ok := t.(string)
		if !ok {
			return nil, fmt.Errorf("a member's name was wanted at byte %d", p.dec.InputOffset())
		}
		if _, again := o[name]; again && p.twice == "" {
			p.twice = name
		}
		if o[name], err = p.value(depth + 1); err != nil {
			return nil, err
		}
	}
	_, err := p.dec.Token()
	return o, err
}

func (p *parser) array(depth int) (any, error) {
	a := []any{}
	for p.dec.More() {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		a = append(a, v)
	}
	_, err := p.dec.Token()
	return a, err
}

// isWhole says whether text is a JSON number that is written as a whole number.
func isWhole(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || digits[0] == '0' && digits != "0" {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

// Int64 reads a JSON number that is written as a whole number within int64. 7.0 and 1e2 are none: a client that reads
// int64 refuses them.
func Int64(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok || !isWhole(n.String()) {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil
}

// numerically gives the whole number that v stands for, however it is written (7.0, 1e2, "7"), so that an animal is
// recognised although its id is written wrongly; "" when there is none.
func numerically(v any) string {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = v
	default:
		return ""
	}
	if len(text) > 40 {
		return "" // 1e999999999 would be worked out in full
	}
	if text == "-0" {
		return "0" // one number, written in two ways
	}
	if isWhole(text) {
		return text
	}
	if len(text) == 0 || !(text[0] == '-' || text[0] >= '0' && text[0] <= '9') || bytes.ContainsAny([]byte(text), "/xXpP_") {
		return ""
	}
	f, _, err := big.ParseFloat(text, 10, 200, big.ToNearestEven)
	if err != nil || !f.IsInt() || f.MantExp(nil) > 128 {
		return ""
	}
	i, _ := f.Int(nil)
	return i.String()
}

// KindOf says in JSON's words what v is, with its value when it is short.
func KindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("the boolean %t", v)
	case json.Number:
		return "the number " + clip(v.String())
	case string:
		return "the string " + quote(v)
	case []any:
		return fmt.Sprintf("an array of %d", len(v))
	case map[string]any:
		return fmt.Sprintf("an object with %d members", len(v))
	}
	return fmt.Sprintf("%v", v)
}

func quote(s string) string {
	b, _ := json.Marshal(clip(s))
	return string(b)
}

func clip(s string) string {
	const most = 120
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// Whole gives the whole number that a JSON number stands for, however it is written (7.0, 1e2); "" when it stands for none.
func Whole(v any) string {
	if _, number := v.(json.Number); !number {
		return ""
	}
	return numerically(v)
}
