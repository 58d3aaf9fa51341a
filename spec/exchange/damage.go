package exchange

import "strings"

// Damage changes one character in the middle of a key. Not the last one: in base64 without padding the last character
// may carry unused bits, and a lenient decoder would rightly accept the change.
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

// Truncate leaves out the last character of a key.
func Truncate(key string) string {
	if key == "" {
		return ""
	}
	return key[:len(key)-1]
}

// SwapCase swaps the case of a key's ASCII letters. A key without letters comes back as it is.
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
