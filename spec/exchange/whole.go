package exchange

import (
	"bytes"
	"strings"
)

// whole is a key that is looked for as a whole.
type whole struct {
	form []byte
	// asWord says that letters and digits beside it make it another word: the key "pet" leaves the word petconform alone.
	asWord bool
}

// addWhole adds a key without pieces. One that is an everyday word or number, like "test" or "free", stands in petconform's own texts
// too, so that it is a key only after "Bearer".
func (r *Redactor) addWhole(key string) {
	forms, asWord := []string{key}, true
	switch letters := lettersOf(key); {
	case key == "":
		return
	case everyday(key):
		forms = []string{"Bearer " + key, "bearer " + key}
	case len(key) >= pieceLength:
		forms = append(forms, Damage(key), SwapCase(key), Truncate(key), strings.ToLower(key), strings.ToUpper(key))
		if t := (text{data: []byte(key)}); t.escaped() {
			r.levels = []byte{allLevels, 1, 2}
			forms = append(forms, string(t.plain(allLevels).data))
		}
		asWord = len(letters) >= pieceLength
	}
	for _, form := range forms {
		r.whole = append(r.whole, whole{[]byte(form), asWord})
		r.least, r.letters = min(r.least, len(form)), min(r.letters, len(lettersOf(form)))
	}
}

// everyday reports whether a key is a word that petconform writes, a short word of letters, or a short number.
func everyday(key string) bool {
	return ownWords().words[strings.ToLower(key)] || len(key) < pieceLength &&
		(word.FindString(key) == key || strings.Trim(key, "0123456789") == "")
}

// eachWhole calls found with every place of a key that is looked for as a whole, until it returns true.
func (r *Redactor) eachWhole(data []byte, found func(from, to int) bool) bool {
	for _, w := range r.whole {
		for from := w.index(data, 0); from >= 0; from = w.index(data, from+len(w.form)) {
			if found(from, from+len(w.form)) {
				return true
			}
		}
	}
	return false
}

// index returns the first place of a whole key from an offset on, or -1. It skips masks.
func (w whole) index(data []byte, from int) int {
	for {
		i := bytes.Index(data[from:], w.form)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(w.form)
		other := w.asWord && (i > 0 && isWord(data[i-1]) || end < len(data) && isWord(data[end]))
		if !other && !inMask(data, w.form, i) {
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

func isWord(c byte) bool { return c == '_' || c == '-' || c >= 0x80 || lower[c] != 0 }
