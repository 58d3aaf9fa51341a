package behaviour

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The changes that services make to names.

// Cut keeps the first n characters.
func Cut(n int) func(string) string {
	return func(s string) string {
		runes := []rune(s)
		return string(runes[:min(n, len(runes))])
	}
}

// CutBytes keeps at most n bytes, and only whole characters.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// FoldAccents removes the accents of Latin letters.
func FoldAccents(s string) string {
	return strings.Map(func(r rune) rune {
		if i := strings.IndexRune(accented, r); i >= 0 {
			return rune(plainLetters[utf8.RuneCountInString(accented[:i])])
		}
		return r
	}, s)
}

const (
	accented     = "ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿ"
	plainLetters = "AAAAAACEEEEIIIINOOOOOUUUUYaaaaaaceeeeiiiinooooouuuuyy"
)

// Marked replaces every character beyond limit by mark.
func Marked(limit rune, mark string) func(string) string {
	return func(s string) string {
		var out strings.Builder
		for _, r := range s {
			if r > limit {
				out.WriteString(mark)
			} else {
				out.WriteRune(r)
			}
		}
		return out.String()
	}
}

func Titled(s string) string {
	start := true
	return strings.Map(func(r rune) rune {
		if start {
			r = unicode.ToUpper(r)
		} else {
			r = unicode.ToLower(r)
		}
		start = unicode.IsSpace(r)
		return r
	}, s)
}

// ThroughFloat converts an int64 to a float64 and back.
func ThroughFloat(n int64) int64 {
	f := float64(n)
	if f >= 1<<63 {
		return 1<<63 - 1
	}
	return int64(f)
}

func PercentDecoded(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}
