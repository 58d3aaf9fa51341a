package exchange

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"petconform/spec/bounded"
)

// Secret is an API key. Printing, logging and marshalling it give Mask. Only Reveal returns the key.
type Secret struct{ key string }

// Mask replaces a key wherever one would be written.
const Mask = "[key]"

// NewSecret returns key as a Secret, without the white space at its ends, and the byte order mark in front, that a file
// or a shell adds.
func NewSecret(key string) Secret {
	return Secret{strings.TrimSpace(strings.TrimPrefix(key, bounded.ByteOrderMark))}
}

func (s Secret) IsZero() bool { return s.key == "" }

// Reveal returns the key itself, for the Authorization header and for a search for the key in files.
func (s Secret) Reveal() string { return s.key }

// Format writes Mask for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Mask) }

func (Secret) MarshalText() ([]byte, error) { return []byte(Mask), nil }

const bearer = "Bearer "

// Validate returns an error if the key cannot be sent in an Authorization header.
func (s Secret) Validate() error {
	if len(s.key) > len(bearer) && strings.EqualFold(s.key[:len(bearer)], bearer) {
		return errors.New("the API key begins with Bearer: leave out the word Bearer, which petconform sends before the key")
	}
	for i, c := range []byte(s.key) {
		if c <= ' ' || c >= 0x7f {
			return fmt.Errorf("the API key cannot be a bearer token: its byte at position %d is 0x%02x; "+
				"use visible ASCII characters only", i+1, c)
		}
	}
	return nil
}

// secretWords are parts of the names of headers and query parameters that may hold a secret.
var secretWords = []string{"auth", "cookie", "token", "secret", "key", "password", "credential", "signature", "session"}

// NamesSecret reports whether a header or query parameter of that name may hold a secret, such as the key of another
// service, which no Redactor knows.
func NamesSecret(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(name, word) })
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

// Damage changes the last letter or digit of a key, by the highest of the six bits that it has in base64: the lower
// ones may be unused, and a decoder may ignore a change of those.
func Damage(key string) string {
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
