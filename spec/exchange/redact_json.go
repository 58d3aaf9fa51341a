package exchange

import (
	"bytes"
	"encoding/json"
	"regexp"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// ownName matches the name of a member as petconform writes it. A target's name of a header begins with a capital.
var ownName = regexp.MustCompile(`^"[a-z][A-Za-z]*"$`)

// FoundInJSON reports whether RedactJSON would change data.
func (r *Redactor) FoundInJSON(data []byte) bool {
	_, hit := r.RedactJSON(data)
	return hit
}

// RedactJSON is Redact for a JSON document, or for JSON lines. It changes strings only, so that the document stays
// well-formed, and none that petconform itself writes: times, and the names of members, which are of letters alone.
// What follows a fault, such as the end of a line that is torn, it takes for no JSON.
func (r *Redactor) RedactJSON(data []byte) (clean []byte, hit bool) {
	in := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	copied := 0
	replace := func(from, to int, found bool, by []byte) {
		if found {
			clean, copied, hit = append(append(clean, data[copied:from]...), by...), to, true
		}
	}
	for {
		part, err := nextString(in)
		end := int(in.InputOffset())
		if err != nil {
			rest, found := r.Redact(data[end:])
			if replace(end, len(data), found, rest); !hit {
				return data, false
			}
			return append(clean, data[copied:]...), true
		}
		content, _ := jsontext.AppendUnquote(nil, part)
		without, found := r.Redact(content)
		quoted, _ := json.Marshal(string(without)) // a string has no error
		replace(end-len(part), end, found, quoted)
	}
}

// nextString returns the next string that is not one of petconform's own.
func nextString(in *jsontext.Decoder) (jsontext.Value, error) {
	for {
		if in.PeekKind() != '"' {
			if _, err := in.ReadToken(); err != nil {
				return nil, err
			}
			continue
		}
		part, err := in.ReadValue()
		if err != nil {
			return nil, err
		}
		parent, length := in.StackIndex(in.StackDepth())
		if isName := parent == '{' && length%2 == 1; isName && ownName.Match(part) || isTime(part) {
			continue
		}
		return part, nil
	}
}

// isTime reports whether a string of a JSON document is a time as petconform writes it.
func isTime(s []byte) bool {
	if len(s) < len(`"2006-01-02T15:04:05Z"`) || s[11] != 'T' {
		return false
	}
	_, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(s))
	return err == nil
}
