package clients

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"time"

	"petconform/spec/exchange"
)

func (w *Watcher) responseOf(t *tap) *exchange.Response {
	header, cut := exchange.BoundHeader(canonical(t.header))
	header, redacted := w.redactor.RedactHeader(header)
	res := &exchange.Response{Status: cmp.Or(t.status, http.StatusOK), Proto: "HTTP/1.1", Header: header, HeaderCut: cut, Encoding: header.Get("Content-Encoding")}
	body, err := decoded(t)
	kept, err := w.answered.Keep(body, err)
	res.Size, res.Digest, res.Truncated = kept.Size, kept.Digest, errors.Is(err, exchange.ErrTooLarge)
	var found bool
	res.Body, found = w.redactor.Redact(kept.Body)
	res.Redacted = redacted || found
	return res
}

// canonical returns the header with names in canonical case, since their case has no meaning.
func canonical(h http.Header) http.Header {
	out := http.Header{}
	for name, values := range h {
		for _, v := range values {
			out.Add(name, v)
		}
	}
	return out
}

// decoded is the body of a response without its coding.
func decoded(t *tap) (exchange.Kept, error) {
	var body io.Reader = &t.body
	if t.header.Get("Content-Encoding") == "gzip" {
		plain, err := gzip.NewReader(body)
		if err != nil {
			return exchange.Kept{}, err
		}
		body = plain
	}
	return exchange.ReadBody(body, exchange.MaxBody)
}

// tap keeps a copy of what the service answers.
type tap struct {
	http.ResponseWriter
	began  time.Time
	status int
	header http.Header
	first  time.Duration
	body   bytes.Buffer
}

// WriteHeader notes the status and the time of the response.
func (t *tap) WriteHeader(status int) {
	if status >= http.StatusOK && t.status == 0 {
		t.status, t.header, t.first = status, t.Header().Clone(), time.Since(t.began)
	}
	t.ResponseWriter.WriteHeader(status)
}

// Write copies the body.
func (t *tap) Write(p []byte) (int, error) {
	if t.status == 0 {
		t.WriteHeader(http.StatusOK)
	}
	if t.body.Len() <= exchange.MaxBody {
		t.body.Write(p)
	}
	return t.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController find Flush.
func (t *tap) Unwrap() http.ResponseWriter { return t.ResponseWriter }
