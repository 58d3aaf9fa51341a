package exchange

import (
	"bytes"
	"encoding/json"
	"iter"
	"regexp"
	"time"
)

// FoundInJSON reports whether a string of a JSON document, or of JSON lines, contains a key. It leaves out what petconform
// itself writes: numbers, times, and the names of members, which are of letters alone.
func (r *Redactor) FoundInJSON(data []byte) bool {
	for part := range partsOf(data) {
		if r.Found(contentOf(part)) {
			return true
		}
	}
	return false
}

// RedactJSON is Redact for a JSON document, or for JSON lines. It changes strings only, so that the document stays
// well-formed.
func (r *Redactor) RedactJSON(data []byte) (clean []byte, hit bool) {
	for part := range partsOf(data) {
		content, found := r.Redact(contentOf(part))
		switch {
		case !found:
			content = part
		case part[0] == '"':
			content, _ = json.Marshal(string(content)) // a string has no error
		}
		clean, hit = append(clean, content...), hit || found
	}
	if !hit {
		return data, false
	}
	return clean, hit
}

// ownName matches the name of a member as petconform writes it. A target's name of a header begins with a capital.
var ownName = regexp.MustCompile(`^"[a-z][A-Za-z]*":$`)

// partsOf yields the strings of a JSON document, with their quotation marks, and what stands between them. A line break
// ends a string too, since a line may be torn. One of petconform's own names has its colon with it.
func partsOf(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for from, at := 0, 0; from < len(data); from = at {
			if data[at] != '"' {
				for ; at < len(data) && data[at] != '"'; at++ {
				}
			} else {
				for at++; at < len(data) && data[at] != '"' && data[at] != '\n'; at++ {
					if data[at] == '\\' {
						at++
					}
				}
				if at = min(at, len(data)); at < len(data) && data[at] == '"' {
					at++
				}
				if name := data[from:min(at+1, len(data))]; ownName.Match(name) {
					at++
				}
			}
			if !yield(data[from:at]) {
				return
			}
		}
	}
}

// betweenStrings are the characters that stand between the strings of a document: punctuation, numbers, true, false and
// null.
const betweenStrings = "{}[]:, \t\r\n0123456789+-.eEtrufalsn"

// contentOf returns what a string of a JSON document stands for; nothing for a time, or for what lawfully stands
// between strings; the bytes themselves of what is malformed.
func contentOf(part []byte) []byte {
	switch {
	case part[0] != '"' && len(bytes.Trim(part, betweenStrings)) == 0 || isTime(part) || ownName.Match(part):
		return nil
	case part[0] != '"' || len(part) < 2 || part[len(part)-1] != '"':
		return part
	case bytes.IndexByte(part, '\\') < 0:
		return part[1 : len(part)-1]
	}
	var content string
	if json.Unmarshal(part, &content) != nil {
		return part
	}
	return []byte(content)
}

// isTime reports whether a string of a JSON document is a time as petconform writes it.
func isTime(s []byte) bool {
	if len(s) < len(`"2006-01-02T15:04:05Z"`) || s[11] != 'T' {
		return false
	}
	_, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(s))
	return err == nil
}
