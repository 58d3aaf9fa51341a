package deviations

import (
	"bytes"
	"regexp"
	"strings"

	. "petconform/spec/reference/internal/behaviour"
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

// bodyIs selects bodies by their text without white space around it.
type bodyIs func(text string) bool

func anArray(text string) bool { return strings.HasPrefix(text, "[") }

func aText(text string) bool { return strings.HasPrefix(text, `"`) }

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
	fault("body-comments-ignored", RepairPattern(comments, "")),
	fault("body-trailing-comma-ignored", RepairPattern(trailingComma, "$1")),
	fault("body-single-quotes-accepted",
		Repair(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte("'"), []byte(`"`)) }), needs(Full)),
	fault("body-bare-members-accepted", RepairPattern(bareMember, `$1"$2"$3`), needs(Full)),
	fault("body-nan-as-0", RepairPattern(notANumber, "${1}0")),
	fault("body-leading-zeros-accepted", RepairPattern(leadingZero, "$1$2"), needs(Full)),
	fault("body-hex-accepted", RepairPattern(hexNumber, "${1}7"), needs(Full)),
	fault("body-unfinished-accepted", Repair(func(body []byte) []byte { return append(body, '}') })),
	fault("body-array-of-one-accepted",
		Repair(func(body []byte) []byte { return bytes.Trim(bytes.TrimSpace(body), "[]") })),
	fault("body-null-accepted", takeAnyway(equalTo("null"))),
	fault("body-text-accepted", takeAnyway(aText)),
	fault("body-empty-500", refuseBody(500, equalTo("")), may("ERROR-7")),
	fault("body-empty-411", refuseBody(411, equalTo(""))),
	fault("body-null-500", refuseBody(500, equalTo("null")), may("ERROR-7")),
	fault("body-array-422", refuseBody(422, anArray)),
)
