package exchange

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Body is the content of a message. In a recording it is a string if it is UTF-8, else {"base64": "…"}, so that a judge
// of the recording reads the same bytes. UTF-8 with control characters, which JSON escapes at length, is base64 too.
type Body []byte

type encodedBody struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON writes a string or {"base64": "…"}.
func (b Body) MarshalJSON() ([]byte, error) {
	long := func(c rune) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' } // \u0001 takes six bytes
	if !utf8.Valid(b) || bytes.ContainsFunc(b, long) {
		return json.Marshal(encodedBody{b})
	}
	return jsontext.AppendQuote(nil, []byte(b))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Body) UnmarshalJSON(data []byte) error {
	var text string
	var encoded encodedBody
	if len(data) > 0 && data[0] == '{' {
		err := json.Unmarshal(data, &encoded)
		*b = encoded.Base64
		return err
	}
	err := json.Unmarshal(data, &text)
	*b = Body(text)
	return err
}
