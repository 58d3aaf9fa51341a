package exchange

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// FoundInJSON reports whether RedactJSON would change data.
func (r *Redactor) FoundInJSON(data []byte) bool {
	_, hit := r.RedactJSON(data)
	return hit
}

// RedactJSON is Redact for a JSON document, or for JSON lines. It changes strings only, so that the document stays
// well-formed. What follows a fault, such as the end of a line that is torn, it takes for no JSON.
func (r *Redactor) RedactJSON(data []byte) (clean []byte, hit bool) {
	in := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	copied := 0
	replace := func(from, to int, found bool, by []byte) {
		if found {
			clean, copied, hit = append(append(clean, data[copied:from]...), by...), to, true
		}
	}
	for {
		var part jsontext.Value
		var err error
		if in.PeekKind() == '"' {
			part, err = in.ReadValue()
		} else {
			_, err = in.ReadToken()
		}
		end := int(in.InputOffset())
		switch {
		case err != nil:
			rest, found := r.Redact(data[end:])
			if replace(end, len(data), found, rest); !hit {
				return data, false
			}
			return append(clean, data[copied:]...), true
		case part != nil:
			content, _ := jsontext.AppendUnquote(nil, part)
			without, found := r.Redact(content)
			quoted, _ := json.Marshal(string(without)) // a string has no error
			replace(end-len(part), end, found, quoted)
		}
	}
}
