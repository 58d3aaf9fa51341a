package history

import (
	"bytes"
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
func parse(data []byte) (b Body) {
	if !utf8.Valid(data) {
		return Body{Malformed: errors.New("not UTF-8")}
	}
	// Half of a surrogate pair is JSON by RFC 8259's grammar.
	v, err := strictjson.Parse(data, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return Body{Malformed: err}
	}
	b.Value = plain(v, &b.Twice)
	return b
}

// plain returns v as encoding/json would. It sets twice, if it is empty, to the first member that an object has twice.
func plain(v strictjson.Value, twice *string) any {
	switch v.Kind {
	case '{':
		if name, is := v.Doubled(); is && *twice == "" {
			*twice = name
		}
		o := make(map[string]any, len(v.Members))
		for _, m := range v.Members {
			o[m.Name] = plain(m.Value, twice)
		}
		return o
	case '[':
		a := make([]any, len(v.Elements))
		for i, e := range v.Elements {
			a[i] = plain(e, twice)
		}
		return a
	case '0':
		return json.Number(v.Text)
	case '"':
		return v.Text
	case 't', 'f':
		return v.Text == "true"
	}
	return nil
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
func Int64(v any) (int64, bool) {
	n, _ := v.(json.Number)
	i, err := n.Int64()
	return i, err == nil
}

// decimal is a number whose exponent is small: 1e999999999 would take a gigabyte.
var decimal = regexp.MustCompile(`^-?[0-9]{1,40}(\.[0-9]{0,40})?([eE][+-]?[0-9]{1,2})?$`)

// numerically returns the decimal integer that v means in any form (7.0, 1e2, "7"), or "". Animals are recognised by it
// although their ids are written wrongly.
func numerically(v any) string {
	text, _ := v.(string)
	if n, isNumber := v.(json.Number); isNumber {
		text = n.String()
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil && text[0] != '+' { // as nearly all are
		return strconv.FormatInt(i, 10)
	}
	if !decimal.MatchString(text) {
		return ""
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok || !n.IsInt() {
		return ""
	}
	return n.Num().String()
}

// mostQuoted is how many characters of a value a message has.
const mostQuoted = 120

// KindOf describes a JSON value for a message: the number 7, null, an array of 2.
func KindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("the boolean %t", v)
	case json.Number:
		return "the number " + Clip(v.String(), mostQuoted)
	case string:
		if n := utf8.RuneCountInString(v); n > mostQuoted {
			return fmt.Sprintf("the string of %d characters %s", n, quote(v))
		}
		return "the string " + quote(v)
	case []any:
		return fmt.Sprintf("an array of %d", len(v))
	case map[string]any:
		return "an object with " + spec.Count(len(v), "member")
	}
	return fmt.Sprintf("%v", v)
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
func Whole(v any) string {
	if _, number := v.(json.Number); !number {
		return ""
	}
	return numerically(v)
}
