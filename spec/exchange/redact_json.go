package exchange

import (
	"bytes"
	"encoding/json"
	"time"
)

// FoundInJSON reports whether a string of a JSON document, or of JSON lines, contains a key. A number of the document is not looked
// at, nor is a time: petconform itself writes them.
func (r *Redactor) FoundInJSON(data []byte) bool {
	for from, to := stringIn(data, 0); from < len(data); from, to = stringIn(data, to) {
		if !isTime(data[from:to]) && r.Found(contentOf(data[from:to])) {
			return true
		}
	}
	return false
}

// RedactJSON is Redact for a JSON document, or for JSON lines. It changes strings only, so that the document stays well-formed.
func (r *Redactor) RedactJSON(data []byte) (clean []byte, hit bool) {
	at := 0
	for from, to := stringIn(data, 0); from < len(data); from, to = stringIn(data, to) {
		if isTime(data[from:to]) {
			continue
		}
		if content, found := r.Redact(contentOf(data[from:to])); found {
			clean, hit = append(append(clean, data[at:from]...), quoted(content)...), true
			at = to
		}
	}
	if !hit {
		return data, false
	}
	return append(clean, data[at:]...), true
}

// stringIn returns the place of the first string from an offset on, with its quotation marks; the end of data if there is none.
func stringIn(data []byte, from int) (begin, end int) {
	i := bytes.IndexByte(data[from:], '"')
	if i < 0 {
		return len(data), len(data)
	}
	begin = from + i
	for end = begin + 1; end < len(data); end++ {
		switch data[end] {
		case '\\':
			end++
		case '"':
			return begin, end + 1
		case '\n': // of a torn line
			return begin, end
		}
	}
	return begin, len(data)
}

// contentOf returns what a string of a JSON document stands for, or its own bytes if it does not end or is malformed.
func contentOf(s []byte) []byte {
	if len(s) < 2 || bytes.IndexByte(s, '\\') < 0 {
		return bytes.Trim(s, `"`)
	}
	var content string
	if json.Unmarshal(s, &content) != nil {
		return s
	}
	return []byte(content)
}

// quoted is the string of a JSON document that stands for content.
func quoted(content []byte) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(string(content)) // a string has no error
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// isTime reports whether a string of a JSON document is a time as petconform writes it.
func isTime(s []byte) bool {
	if len(s) < len(`"2006-01-02T15:04:05Z"`) || s[1] < '0' || s[1] > '9' || s[11] != 'T' {
		return false
	}
	_, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(s))
	return err == nil
}
