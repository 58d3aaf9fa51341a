package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// parse parses one JSON value. Numbers keep their text.
func parse(data []byte) Body {
	if !utf8.Valid(data) {
		return Body{Malformed: errors.New("not UTF-8")}
	}
	// Half of a surrogate pair is JSON by RFC 8259's grammar.
	v, err := strictjson.Parse(data, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return Body{Malformed: err}
	}
	return Body{Value: v, Twice: doubled(v)}
}

// doubled returns a member that an object of v has twice, or "".
func doubled(v strictjson.Value) string {
	twice, _ := v.Doubled()
	for _, m := range v.Members {
		twice = cmp.Or(twice, doubled(m.Value))
	}
	for _, e := range v.Elements {
		twice = cmp.Or(twice, doubled(e))
	}
	return twice
}

// elementsIn counts the complete elements of an array of which only the first part is there.
func elementsIn(part []byte) int {
	dec := json.NewDecoder(bytes.NewReader(part))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return 0
	}
	n := 0
	for element := (json.RawMessage{}); dec.More() && dec.Decode(&element) == nil; {
		n++
	}
	return n
}

// Int64 returns a JSON number within int64. It refuses 7.0 and 1e2, as clients that read int64 do.
func Int64(v strictjson.Value) (int64, bool) {
	n, err := strconv.ParseInt(v.Text, 10, 64)
	return n, err == nil && v.Kind == '0'
}

// decimal is a number whose exponent is small: 1e999999999 would take a gigabyte.
var decimal = regexp.MustCompile(`^-?[0-9]{1,40}(\.[0-9]{0,40})?([eE][+-]?[0-9]{1,2})?$`)

// numerically returns the decimal integer that v means in any form (7.0, 1e2, "7"), or "". Animals are recognised by it
// although their ids are written wrongly.
func numerically(v strictjson.Value) string {
	if i, err := strconv.ParseInt(v.Text, 10, 64); err == nil && v.Text[0] != '+' { // as nearly all are
		return strconv.FormatInt(i, 10)
	}
	if !decimal.MatchString(v.Text) {
		return ""
	}
	n, ok := new(big.Rat).SetString(v.Text)
	if !ok || !n.IsInt() {
		return ""
	}
	return n.Num().String()
}

// mostQuoted is how many characters of a value a message has.
const mostQuoted = 120

// KindOf describes a JSON value for a message: the number 7, null, an array of 2.
func KindOf(v strictjson.Value) string {
	switch v.Kind {
	case 't', 'f':
		return "the boolean " + v.Text
	case '0':
		return "the number " + Clip(v.Text, mostQuoted)
	case '"':
		if n := utf8.RuneCountInString(v.Text); n > mostQuoted {
			return fmt.Sprintf("the string of %d characters %s", n, quote(v.Text))
		}
		return "the string " + quote(v.Text)
	case '[':
		return fmt.Sprintf("an array of %d", len(v.Elements))
	case '{':
		return "an object with " + spec.Count(len(v.Members), "member")
	}
	return "null"
}

func quote(s string) string {
	b, _ := json.Marshal(Clip(s, mostQuoted))
	return string(b)
}

// Clip shortens s to at most that many characters and an ellipsis.
func Clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// Excerpt is the beginning of the response's body in one line, of at most 200 characters.
func (x Exchange) Excerpt() string {
	switch {
	case x.Response == nil:
		return "no response"
	case len(x.Response.Body) == 0:
		return "an empty body"
	}
	text := strings.ToValidUTF8(string(x.Response.Body[:min(len(x.Response.Body), 800)]), "\uFFFD")
	return Clip(strings.Join(strings.Fields(text), " "), 200)
}

// Whole returns the decimal integer that a JSON number means in any form (7.0, 1e2), or "".
func Whole(v strictjson.Value) string {
	if v.Kind != '0' {
		return ""
	}
	return numerically(v)
}
