package exchange

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Body is the content of a message. In a recording it is a string if it is UTF-8, else {"base64": "…"}, so that a judge
// of the recording reads the same bytes. UTF-8 that JSON would have to escape at length, like control characters, is
// base64 too.
type Body []byte

type encodedBody struct {
	Base64 string `json:"base64"`
}

// MarshalJSON writes a string or {"base64": "…"}.
func (b Body) MarshalJSON() ([]byte, error) {
	if !b.IsText() {
		return json.Marshal(encodedBody{base64.StdEncoding.EncodeToString(b)})
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(string(b))
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// IsText reports whether the body is UTF-8 that takes less room as a JSON string than in base64.
func (b Body) IsText() bool { return utf8.Valid(b) && escapes(b) <= len(b)/3+64 }

// escapes is the number of bytes that escaping adds to a JSON string.
func escapes(b []byte) int {
	n := 0
	for _, c := range b {
		switch {
		case c == '"', c == '\\', c == '\n', c == '\r', c == '\t':
			n++
		case c < ' ':
			n += 5
		}
	}
	return n
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Body) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var e encodedBody
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		raw, err := base64.StdEncoding.DecodeString(e.Base64)
		if err != nil {
			return fmt.Errorf("the body is not valid base64: %w", err)
		}
		*b = raw
		return nil
	}
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("the body is neither a string nor {\"base64\": …}: %w", err)
	}
	*b = Body(s)
	return nil
}
