package exchange

import (
	"strings"
	"unicode"
)

// Damage changes one character in the middle of a key. The last character would not do: in base64 without padding it
// may have unused bits, and a decoder may ignore a change of those.
func Damage(key string) string {
	if key == "" {
		return "x"
	}
	b := []byte(key)
	i := len(b) / 2
	if b[i] == 'x' {
		b[i] = 'y'
	} else {
		b[i] = 'x'
	}
	return string(b)
}

// Truncate returns a key without its last character.
func Truncate(key string) string {
	return key[:max(0, len(key)-1)]
}

// SwapCase swaps the case of a key's ASCII letters. A key without letters, which would stay the right one, gets an X
// behind it.
func SwapCase(key string) string {
	swapped := strings.Map(func(c rune) rune {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c ^ ' '
		}
		return c
	}, key)
	if swapped == key {
		return key + "X"
	}
	return swapped
}

// ChangeEnd changes the last letter or digit of a key, by the highest of the six bits that it has in base64: the lower
// ones may be unused, and a decoder may ignore a change of those.
func ChangeEnd(key string) string {
	i := strings.LastIndexFunc(key, func(c rune) bool { return c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c)) })
	if i < 0 {
		return key + "x"
	}
	with := "B"
	if 'A' <= key[i] && key[i] <= 'Z' || 'a' <= key[i] && key[i] <= 'f' {
		with = "w"
	}
	return key[:i] + with + key[i+1:]
}
