package exchange

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Secret is an API key. It cannot be printed, logged or marshalled: each of them gives Mask. Only Reveal gives it away,
// and only the client's transport calls that.
type Secret struct{ key string }

// Mask stands wherever a key would have stood.
const Mask = "[key]"

// NewSecret takes white space off both ends, which a file or a shell adds.
func NewSecret(key string) Secret { return Secret{strings.TrimSpace(key)} }

// IsZero says whether there is no key.
func (s Secret) IsZero() bool { return s.key == "" }

// Reveal gives the key itself, for the Authorization header and for finding it in what is to be written.
func (s Secret) Reveal() string { return s.key }

// String gives Mask.
func (Secret) String() string { return Mask }

// GoString gives Mask.
func (Secret) GoString() string { return Mask }

// Format gives Mask for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, Mask) }

// MarshalText gives Mask.
func (Secret) MarshalText() ([]byte, error) { return []byte(Mask), nil }

// LogValue gives Mask.
func (Secret) LogValue() slog.Value { return slog.StringValue(Mask) }

// Validate says why a key could not be sent in an Authorization header.
func (s Secret) Validate() error {
	for i, c := range []byte(s.key) {
		if c <= ' ' || c >= 0x7f {
			return fmt.Errorf("the API key has a byte at position %d (0x%02x) that cannot stand in a bearer token; visible ASCII is wanted", i+1, c)
		}
	}
	return nil
}
