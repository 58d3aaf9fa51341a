package exchange

import "strings"

// Damage changes one character in the middle of a key. The last character would not do: in base64 without padding it may have
// unused bits, and a decoder may ignore a change of those.
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
	if key == "" {
		return ""
	}
	return key[:len(key)-1]
}

// SwapCase swaps the case of a key's ASCII letters. A key without letters is returned unchanged.
func SwapCase(key string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z':
			return c - 'a' + 'A'
		case 'A' <= c && c <= 'Z':
			return c - 'A' + 'a'
		}
		return c
	}, key)
}
