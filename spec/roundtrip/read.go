package roundtrip

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"petconform/spec/exchange"
)

// errUndecodable means that a body can't be decoded by its Content-Encoding.
var errUndecodable = errors.New("the body does not decode")

// errUnasked means that a body has another Content-Encoding than gzip, the only one in petconform's Accept-Encoding.
var errUnasked = errors.New("which the request did not ask for, and which petconform does not read")

// Read reads a response within the run's budget, decodes its Content-Encoding and removes keys. With an error it
// returns what was read before.
func (r *Recorder) Read(resp *http.Response) (*exchange.Response, error) {
	out := &exchange.Response{Status: resp.StatusCode, Proto: resp.Proto}
	var hit bool
	out.Header, out.Redacted = r.Redactor.RedactHeader(exchange.BoundHeader(resp.Header))
	body, err := exchange.ReadBody(resp.Body, r.MaxBody)
	out.Size = int64(len(body))
	encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
	if err == nil && encoding != "" && encoding != "identity" && len(body) > 0 {
		out.Encoding = strings.ToLower(strings.TrimSpace(out.Header.Get("Content-Encoding"))) // without keys
		body, err = decode(encoding, body, r.MaxBody)
	}
	if r.Bodies != nil {
		body, err = r.Bodies.Keep(body, err)
	}
	out.Body, hit = r.Redactor.Redact(body)
	out.Redacted = out.Redacted || hit || r.elsewhere(resp)
	out.Truncated = err != nil
	return out, err
}

// elsewhere reports whether a key is in a part of the response that is not recorded: the reason phrase, or a trailer.
func (r *Recorder) elsewhere(resp *http.Response) bool {
	trailer := false
	if len(resp.Trailer) > 0 {
		_, trailer = r.Redactor.RedactHeader(resp.Trailer)
	}
	return trailer || r.Redactor.Found([]byte(resp.Status))
}

// decode decodes gzip, the only encoding in petconform's Accept-Encoding. A body that decodes to more than is kept is
// not decoded further.
func decode(encoding string, body []byte, most int64) ([]byte, error) {
	if encoding != "gzip" && encoding != "x-gzip" {
		return body, fmt.Errorf("the body is encoded as %s, %w", encoding, errUnasked)
	}
	zr, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return body, fmt.Errorf("%w as gzip: %w", errUndecodable, err)
	}
	plain, err := exchange.ReadBody(zr, most)
	if err != nil && !errors.Is(err, exchange.ErrTooLarge) {
		return plain, fmt.Errorf("%w as gzip: %w", errUndecodable, err)
	}
	return plain, err
}
