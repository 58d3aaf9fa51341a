package exchange

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Body is the content of a message. In a recording it is a string if it is UTF-8, else {"base64": "…"}, so that a judge of the
// recording reads the same bytes.
type Body []byte

type encodedBody struct {
	Base64 string `json:"base64"`
}

// MarshalJSON writes a string or {"base64": "…"}.
func (b Body) MarshalJSON() ([]byte, error) {
	if utf8.Valid(b) {
		return json.Marshal(string(b))
	}
	return json.Marshal(encodedBody{base64.StdEncoding.EncodeToString(b)})
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
