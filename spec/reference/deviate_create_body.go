package reference

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"petconform/spec/reference/strictjson"
)

// laxBody makes a deviation that makes JSON of a body which is none. What it cannot make anything of is refused as ever.
func laxBody(name, suffers string, repair func(body []byte) []byte) Deviation {
	return Deviation{
		Name: name, Breaks: ids("CREATE-11"), Suffers: suffers,
		apply: func(b *behaviour) {
			strict := b.parse
			b.parse = func(body []byte) (strictjson.Value, error) {
				v, err := strict(body)
				if err == nil && v.Kind == strictjson.Object {
					return v, nil
				}
				if repaired, again := strict(repair(bytes.Clone(body))); again == nil && repaired.Kind == strictjson.Object {
					return repaired, nil
				}
				return v, err
			}
		},
	}
}

// firstObject gives what stands from the first brace to the one that closes it.
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

// replacing makes a repair of a pattern.
func replacing(pattern *regexp.Regexp, by string) func([]byte) []byte {
	return func(body []byte) []byte { return pattern.ReplaceAll(body, []byte(by)) }
}

// form makes an object of a form's fields.
func form(body []byte) []byte {
	values, err := url.ParseQuery(string(body))
	if err != nil || !values.Has("name") {
		return body
	}
	fields := []field{{"name", quoted(values.Get("name"))}}
	if values.Has("categoryId") {
		fields = append(fields, field{"categoryId", values.Get("categoryId")})
	}
	return appendFields(nil, fields)
}

// unquoted gives what a JSON string holds.
func unquoted(body []byte) []byte {
	if v, err := strictjson.Parse(body); err == nil && v.Kind == strictjson.String {
		return []byte(v.Text)
	}
	return body
}

// controlsEscaped escapes bare line breaks and tabs inside of strings.
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

const someAnimal = `{"name":"Unnamed","categoryId":1}`

var createBodyDeviations = []Deviation{
	laxBody("body-text-behind-ignored", "What follows the object is lost without a word.", firstObject),
	explored(laxBody("body-second-object-ignored", "Of two objects in one body the second is lost.", func(body []byte) []byte {
		if head := firstObject(body); bytes.HasPrefix(bytes.TrimSpace(body[len(head):]), []byte("{")) {
			return head
		}
		return body
	})),
	laxBody("body-comments-ignored", "Comments pass here and nowhere else.", replacing(comments, "")),
	laxBody("body-trailing-comma-ignored", "A comma too many passes here and nowhere else.", replacing(trailingComma, "$1")),
	explored(laxBody("body-single-quotes-accepted", "A printed dictionary passes for JSON.", func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("'"), []byte(`"`)) })),
	explored(laxBody("body-bare-members-accepted", "An object of a script language passes for JSON.", replacing(bareMember, `$1"$2"$3`))),
	laxBody("body-nan-as-0", "NaN becomes category 0.", replacing(notANumber, "${1}0")),
	explored(laxBody("body-leading-zeros-accepted", "007 and +7 pass for numbers.", replacing(leadingZero, "$1$2"))),
	explored(laxBody("body-hex-accepted", "0x07 passes for a number.", replacing(hexNumber, "${1}7"))),
	explored(laxBody("body-bare-line-breaks-accepted", "A line break inside of a name passes here and nowhere else.", controlsEscaped)),
	laxBody("body-unfinished-accepted", "A body that was cut off on its way is taken for whole.", func(body []byte) []byte { return append(body, '}') }),
	laxBody("body-array-of-one-accepted", "An array with one animal passes for the animal.", func(body []byte) []byte { return bytes.Trim(bytes.TrimSpace(body), "[]") }),
	laxBody("body-encoded-twice-accepted", "A string with JSON in it passes for the JSON.", unquoted),
	explored(laxBody("body-form-accepted", "A form passes for JSON.", form)),
	laxBody("body-empty-accepted", "An empty body makes an animal.", onlyWhen(func(t string) bool { return t == "" })),
	laxBody("body-null-accepted", "null makes an animal.", onlyWhen(func(t string) bool { return t == "null" })),
	laxBody("body-array-accepted", "Any array makes an animal.", onlyWhen(func(t string) bool { return strings.HasPrefix(t, "[") })),
	laxBody("body-text-accepted", "Any string makes an animal of that name.", onlyWhen(func(t string) bool { return strings.HasPrefix(t, `"`) })),
	explored(laxBody("body-number-accepted", "A bare number makes an animal.", onlyWhen(func(t string) bool {
		v, err := strictjson.Parse([]byte(t))
		return err == nil && slices.Contains([]strictjson.Kind{strictjson.Number, strictjson.Bool}, v.Kind)
	}))),
	refusedBodyAs("body-empty-500", "An empty body ends in a server error.", 500, func(t string) bool { return t == "" }),
	refusedBodyAs("body-empty-411", "An empty body is told as one of unknown length.", 411, func(t string) bool { return t == "" }),
	refusedBodyAs("body-null-500", "null passes the parser and fails behind it.", 500, func(t string) bool { return t == "null" }),
	refusedBodyAs("body-array-422", "An array passes the parser and fails in the validator.", 422, func(t string) bool { return strings.HasPrefix(t, "[") }),
	refusedBodyAs("body-broken-500", "The parser's exception is caught by nobody.", 500, func(t string) bool {
		_, err := strictjson.Parse([]byte(t))
		return t != "" && err != nil
	}),
}

// onlyWhen puts an animal in the place of such a body.
func onlyWhen(is func(text string) bool) func([]byte) []byte {
	return func(body []byte) []byte {
		if is(string(bytes.TrimSpace(body))) {
			return []byte(someAnimal)
		}
		return body
	}
}

// refusedBodyAs makes a deviation that refuses such bodies with another status than 400.
func refusedBodyAs(name, suffers string, status int, is func(text string) bool) Deviation {
	d := Deviation{Name: name, Breaks: ids("CREATE-11"), Suffers: suffers}
	if status >= 500 {
		d.May = ids("ERROR-7")
	}
	d.apply = func(b *behaviour) {
		read := b.readBody
		b.readBody = func(c *call) *refusal {
			if refused := read(c); refused != nil {
				return refused
			}
			if is(string(bytes.TrimSpace(c.body))) {
				return &refusal{status: status, code: "refused", message: "The body is refused."}
			}
			return nil
		}
	}
	return d
}
