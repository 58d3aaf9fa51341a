package exchange

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Redactor finds keys in data, in every form in which a target is likely to return them, and replaces them with Mask.
type Redactor struct {
	// marks are the keys that can be recognised by their letters and digits alone. The other keys are searched in the forms
	// below.
	marks *marks
	// long forms are replaced everywhere. short forms are replaced only as whole words, so that the key "pet" leaves the word
	// petconform alone.
	long, short formList
	find        *finder
	// words are forms of keys that are everyday words or numbers, like "test" or "free". Our own texts have these words too, so they
	// are replaced only after "Bearer".
	words formList
}

// shortest is the length in bytes of the shortest long form.
const shortest = 8

// NewRedactor returns a Redactor of the keys and of the damaged keys that checks send.
func NewRedactor(keys ...Secret) *Redactor {
	r := &Redactor{}
	seen := map[string]bool{}
	var long, short, words, marked []string
	for _, k := range keys {
		if markable(k.key) {
			if !slices.Contains(marked, k.key) {
				marked = append(marked, k.key)
			}
			continue
		}
		if everyday(k.key) {
			words = append(words, "Bearer "+k.key, "bearer "+k.key, "Bearer%20"+k.key)
			continue
		}
		for _, form := range forms(k.key) {
			if form == "" || seen[form] {
				continue
			}
			seen[form] = true
			if len(form) < shortest {
				short = append(short, form)
			} else {
				long = append(long, form)
			}
		}
	}
	r.long, r.short, r.words = newFormList(long), newFormList(short), newFormList(words)
	r.find, r.marks = newFinder(r.long), newMarks(marked)
	return r
}

// everyday reports whether a key is a short word of letters, or a short number.
func everyday(key string) bool {
	letters := strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	return key != "" && len(key) < shortest && (letters || strings.Trim(key, "0123456789") == "")
}

func forms(key string) []string {
	if key == "" {
		return nil
	}
	variants := []string{key}
	if len(key) >= shortest { // a short key's variants would be everyday words
		variants = append(variants, Damage(key), SwapCase(key), Truncate(key), strings.ToLower(key), strings.ToUpper(key))
	}
	var all []string
	for _, variant := range variants {
		escaped, _ := json.Marshal(variant)
		all = append(all, variant, string(escaped[1:len(escaped)-1]), html.EscapeString(variant),
			url.QueryEscape(variant), url.PathEscape(variant))
		raw := []byte(variant)
		basic := []byte(variant + ":")
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			all = append(all, enc.EncodeToString(raw), enc.EncodeToString(basic))
		}
		all = append(all, hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)),
			strings.TrimRight(base32.StdEncoding.EncodeToString(raw), "="))
	}
	return all
}

// Found reports whether data contains a key in any form.
func (r *Redactor) Found(data []byte) bool { return r.found(data, false) }

// FoundInJSON reports whether a string of a JSON document contains a key in any form.
func (r *Redactor) FoundInJSON(data []byte) bool { return r.found(data, true) }

func (r *Redactor) found(data []byte, quotes bool) bool {
	if r.marks.found(data, quotes) {
		return true
	}
	if r.find.maybe(data) {
		for form := range r.long.all {
			if bytes.Contains(data, form) {
				return true
			}
		}
	}
	for form := range r.short.all {
		if wordIndex(data, form, 0) >= 0 {
			return true
		}
	}
	for form := range r.words.all {
		if wordIndex(data, form, 0) >= 0 {
			return true
		}
	}
	return false
}

// mostPasses is the largest number of passes over data. More than one may be needed, since a mask together with the text next to
// it may form a key.
const mostPasses = 4

// Redact returns data with every form of every key replaced with Mask, and whether there was one.
func (r *Redactor) Redact(data []byte) ([]byte, bool) { return r.redact(data, false, []byte(Mask)) }

// RedactJSON is Redact for a JSON document, or for JSON lines. It changes strings only, so that the document stays well-formed. If it
// cannot, it returns null.
func (r *Redactor) RedactJSON(data []byte) ([]byte, bool) {
	return r.redact(data, true, []byte("null"))
}

func (r *Redactor) redact(data []byte, quotes bool, instead []byte) ([]byte, bool) {
	if r == nil || !r.found(data, quotes) {
		return data, false
	}
	for pass := 0; r.found(data, quotes); pass++ {
		if pass == mostPasses {
			return instead, true // no part of data is worth leaking a key
		}
		data = masked(data, r.marks.spans(data, quotes))
		for form := range r.long.all {
			data = bytes.ReplaceAll(data, form, []byte(Mask))
		}
		for form := range r.short.all {
			data = replaceWords(data, form)
		}
		for form := range r.words.all {
			data = replaceWords(data, form)
		}
	}
	return data, true
}

// masked replaces places with Mask.
func masked(data []byte, spans [][2]int32) []byte {
	if len(spans) == 0 {
		return data
	}
	var out []byte
	at := int32(0)
	for _, s := range spans {
		out = append(append(out, data[at:s[0]]...), maskFor(data[s[0]:s[1]])...)
		at = s[1]
	}
	return append(out, data[at:]...)
}

// maskFor returns Mask, or 0 for a list of numbers, which may be outside of the strings of a JSON document.
func maskFor(found []byte) string {
	if bytes.IndexByte(found, ',') >= 0 && len(bytes.Trim(found, "0123456789, \t\r\n")) == 0 {
		return "0"
	}
	return Mask
}

// replaceWords replaces from left to right and does not read its own output: a key like "[key" is a part of every mask.
func replaceWords(data, form []byte) []byte {
	var out []byte
	from := 0
	for at := wordIndex(data, form, 0); at >= 0; at = wordIndex(data, form, from) {
		out = append(append(out, data[from:at]...), Mask...)
		from = at + len(form)
	}
	return append(out, data[from:]...)
}

// RedactHeader returns a copy of h without keys, and whether there was one.
func (r *Redactor) RedactHeader(h http.Header) (http.Header, bool) {
	out := make(http.Header, len(h))
	any := false
	for name, values := range h {
		clean, hit := r.Redact([]byte(name))
		any = any || hit
		kept := make([]string, len(values))
		for i, v := range values {
			c, hit := r.Redact([]byte(v))
			kept[i], any = string(c), any || hit
		}
		out[string(clean)] = kept
	}
	return out, any
}

// wordIndex returns the first index of form as a whole word, from an offset on, or -1. It skips masks.
func wordIndex(data, form []byte, from int) int {
	for {
		i := bytes.Index(data[from:], form)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(form)
		if !inMask(data, form, i) && (i == 0 || !isWord(data[i-1])) && (end == len(data) || !isWord(data[end])) {
			return i
		}
		from = i + 1
	}
}

// inMask reports whether the form at index i is a part of a mask.
func inMask(data, form []byte, i int) bool {
	for k := 0; k+len(form) <= len(Mask); k++ {
		if Mask[k:k+len(form)] == string(form) && i >= k && bytes.HasPrefix(data[i-k:], []byte(Mask)) {
			return true
		}
	}
	return false
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
