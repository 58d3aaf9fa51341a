package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Body is the content of a message. In a recording it is a string if it is UTF-8, else {"base64": "…"}, so that a judge
// of the recording reads the same bytes. UTF-8 with control characters, which JSON escapes at length, is base64 too.
type Body []byte

type encodedBody struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON writes a string or {"base64": "…"}.
func (b Body) MarshalJSON() ([]byte, error) {
	long := func(c rune) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' } // \u0001 takes six bytes
	if !utf8.Valid(b) || bytes.ContainsFunc(b, long) {
		return json.Marshal(encodedBody{b})
	}
	return jsontext.AppendQuote(nil, []byte(b))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Body) UnmarshalJSON(data []byte) error {
	var text string
	var encoded encodedBody
	if len(data) > 0 && data[0] == '{' {
		err := json.Unmarshal(data, &encoded)
		*b = encoded.Base64
		return err
	}
	err := json.Unmarshal(data, &text)
	*b = Body(text)
	return err
}

// The bounds of the bodies of a run, in bytes. A JSON value counts as 32, since it takes up to 100 when it is parsed.
// So 32,768 values are as much as 1 MiB. A listing of 100 animals has about 10 KB and 700 values.
const (
	// MaxBody is the largest body that is kept whole, and so judged.
	MaxBody = 1 << 20
	// MaxBodies is the total size of the bodies that a standard run keeps.
	MaxBodies = 16 << 20
	// firstPart is how much is kept of a body that is too large, and leastPart how much when the run has kept
	// MaxBodies.
	firstPart = 64 << 10
	leastPart = 1 << 10
	valueSize = 32
)

// ErrTooLarge means that a body is larger than petconform keeps. Only its first part is in the recording.
var ErrTooLarge = errors.New("the body is too large")

// Bodies bounds the memory and disk that the bodies of a run take, since a target may send anything. The zero value
// keeps nothing; use NewBodies.
type Bodies struct {
	most int64

	mu   sync.Mutex
	kept int64
}

// NewBodies returns a budget of that many bytes.
func NewBodies(most int64) *Bodies { return &Bodies{most: most} }

// Used returns how much of the budget is kept, and all of it, in bytes.
func (b *Bodies) Used() (kept, most int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept, b.most
}

// ReadBody reads a body of up to most bytes. Of a larger one it returns the first most+1 bytes and ErrTooLarge.
func ReadBody(r io.Reader, most int64) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(body)) > most {
		err = fmt.Errorf("%w (more than %d bytes)", ErrTooLarge, most)
	}
	return body, err
}

// Keep returns what the run has room for: the whole body, or its first part with ErrTooLarge. err is that of reading it.
func (b *Bodies) Keep(body []byte, err error) ([]byte, error) {
	size := max(int64(len(body)), valueSize*valuesIn(body))
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err != nil:
	case size > MaxBody:
		err = fmt.Errorf("%w (more than %d JSON values)", ErrTooLarge, MaxBody/valueSize)
	case b.kept+size > b.most:
		err = fmt.Errorf("%w: the run has kept %d MiB of bodies, or %d JSON values", ErrTooLarge, b.most>>20, b.most/valueSize)
	default:
		b.kept += size
		return body, nil
	}
	part := firstPart
	if b.kept+firstPart > b.most {
		part = leastPart
	}
	if len(body) > part {
		body = bytes.Clone(body[:part]) // the rest is garbage
	}
	b.kept += int64(len(body))
	return body, err
}

// valuesIn is the largest number of JSON values that a body can have. It counts what begins or separates values, within
// strings too.
func valuesIn(body []byte) int64 {
	n := 1
	for _, mark := range []string{",", "[", "{", ":"} {
		n += bytes.Count(body, []byte(mark))
	}
	return int64(n)
}
