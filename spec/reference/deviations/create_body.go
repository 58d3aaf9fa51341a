package deviations

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"

	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/strictjson"
)

// firstObject returns the body up to the brace that closes its first object.
func firstObject(body []byte) []byte {
	depth, inString := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '\\' && inString:
			i++
		case c == '"':
			inString = !inString
		case c == '{' && !inString:
			depth++
		case c == '}' && !inString:
			if depth--; depth == 0 {
				return body[:i+1]
			}
		}
	}
	return body
}

var (
	comments      = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	trailingComma = regexp.MustCompile(`,(\s*[}\]])`)
	bareMember    = regexp.MustCompile(`([{,]\s*)([A-Za-z]\w*)(\s*:)`)
	leadingZero   = regexp.MustCompile(`(:\s*)[+0]+([1-9]\d*)`)
	hexNumber     = regexp.MustCompile(`(:\s*)0[xX][0-9a-fA-F]+`)
	notANumber    = regexp.MustCompile(`(:\s*)(?:NaN|-?Infinity)`)
)

// formFields turns the fields of a form into an object.
func formFields(body []byte) []byte {
	values, err := url.ParseQuery(string(body))
	if err != nil || !values.Has("name") {
		return body
	}
	fields := []Field{Pair("name", Quoted(values.Get("name")))}
	if values.Has("categoryId") {
		fields = append(fields, Pair("categoryId", values.Get("categoryId")))
	}
	return Encode(fields)
}

// unquoted returns the content of a JSON string.
func unquoted(body []byte) []byte {
	if v, err := strictjson.Parse(body); err == nil && v.Kind == strictjson.String {
		return []byte(v.Text)
	}
	return body
}

// controlsEscaped escapes the control characters in strings.
func controlsEscaped(body []byte) []byte {
	var out []byte
	inString := false
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == '\\' && inString && i+1 < len(body):
			out = append(out, c, body[i+1])
			i++
			continue
		case c == '"':
			inString = !inString
		case c < ' ' && inString:
			out = append(out, `\u00`...)
			out = append(out, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
			continue
		}
		out = append(out, c)
	}
	return out
}

// bodyIs selects bodies by their text without white space around it.
type bodyIs func(text string) bool

func anArray(text string) bool { return strings.HasPrefix(text, "[") }

func aText(text string) bool { return strings.HasPrefix(text, `"`) }

func aNumber(text string) bool {
	v, err := strictjson.Parse([]byte(text))
	return err == nil && (v.Kind == strictjson.Number || v.Kind == strictjson.Bool)
}

func equalTo(text string) bodyIs { return func(t string) bool { return t == text } }

// takeAnyway creates an animal from such bodies.
func takeAnyway(is bodyIs) Change {
	return Repair(func(body []byte) []byte {
		if is(string(bytes.TrimSpace(body))) {
			return []byte(`{"name":"Unnamed","categoryId":1}`)
		}
		return body
	})
}

// refuseBody refuses such bodies with another status than 400.
func refuseBody(status int, is bodyIs) Change {
	return func(b *Behaviour) {
		b.ReadBody = After(b.ReadBody, func(c *Call, refused *Refusal) *Refusal {
			if refused == nil && is(string(bytes.TrimSpace(c.Body))) {
				return Refused(status, "refused", "The body is refused.")
			}
			return refused
		})
	}
}

var createBodyRows = faults(breaks("CREATE-11"))(
	fault("body-text-behind-ignored", Repair(firstObject)),
	fault("body-second-object-ignored", Repair(func(body []byte) []byte {
		if head := firstObject(body); bytes.HasPrefix(bytes.TrimSpace(body[len(head):]), []byte("{")) {
			return head
		}
		return body
	}), needs(Full)),
	fault("body-comments-ignored", RepairPattern(comments, "")),
	fault("body-trailing-comma-ignored", RepairPattern(trailingComma, "$1")),
	fault("body-single-quotes-accepted", Repair(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("'"), []byte(`"`)) }), needs(Full)),
	fault("body-bare-members-accepted", RepairPattern(bareMember, `$1"$2"$3`), needs(Full)),
	fault("body-nan-as-0", RepairPattern(notANumber, "${1}0")),
	fault("body-leading-zeros-accepted", RepairPattern(leadingZero, "$1$2"), needs(Full)),
	fault("body-hex-accepted", RepairPattern(hexNumber, "${1}7"), needs(Full)),
	fault("body-bare-line-breaks-accepted", Repair(controlsEscaped), needs(Full)),
	fault("body-unfinished-accepted", Repair(func(body []byte) []byte { return append(body, '}') })),
	fault("body-array-of-one-accepted", Repair(func(body []byte) []byte { return bytes.Trim(bytes.TrimSpace(body), "[]") })),
	fault("body-encoded-twice-accepted", Repair(unquoted)),
	fault("body-form-accepted", func(b *Behaviour) {
		b.MediaType = NothingToDo
		Repair(formFields)(b)
	}),
	fault("body-empty-accepted", takeAnyway(equalTo(""))),
	fault("body-null-accepted", takeAnyway(equalTo("null"))),
	fault("body-array-accepted", takeAnyway(anArray)),
	fault("body-text-accepted", takeAnyway(aText)),
	fault("body-number-accepted", takeAnyway(aNumber), needs(Full)),
	fault("body-empty-500", refuseBody(500, equalTo("")), may("ERROR-7")),
	fault("body-empty-411", refuseBody(411, equalTo(""))),
	fault("body-null-500", refuseBody(500, equalTo("null")), may("ERROR-7")),
	fault("body-array-422", refuseBody(422, anArray)),
)
