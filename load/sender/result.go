package sender

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/spec/exchange"
)

// maxBody is how much of a response's body is read: 1 MiB. A hundred animals take about 10 kB.
const maxBody = 1 << 20

var (
	errTooLarge    = fmt.Errorf("the body is longer than %d MiB", maxBody>>20)
	errUndecodable = errors.New("the body does not decode as gzip")
	errNotHTTP     = errors.New("the status line is malformed: a status has three digits and begins at 100")
)

// exchangeOf makes an exchange of a Result: the request and the response, uncompressed and without keys.
func (s *Sender) exchangeOf(res *vegeta.Result, f *flight) exchange.Exchange {
	x := exchange.Exchange{Reused: f.reused, Request: exchange.Request{Method: f.call.Method, Path: f.call.Path, Body: f.call.Body, Header: f.headers.open}}
	err := f.err
	if head := f.response; head != nil && head.StatusCode < 100 {
		err = errors.Join(errNotHTTP, err)
	} else if head != nil {
		x.Response, err = s.response(res.Body, head, err)
	}
	if err != nil {
		x.Failure = s.failure(f, err)
	}
	return x
}

// response uncompresses a complete body and removes keys.
func (s *Sender) response(body []byte, head *http.Response, err error) (*exchange.Response, error) {
	r := &exchange.Response{Status: head.StatusCode, Proto: head.Proto, Size: int64(len(body))}
	header, cut := exchange.BoundHeader(head.Header)
	r.HeaderCut = cut
	body = body[:min(len(body), maxBody)]
	if encoding := strings.ToLower(head.Header.Get("Content-Encoding")); err == nil && encoding == "gzip" && len(body) > 0 {
		r.Encoding = encoding
		body, err = inflate(body)
	}
	var inHeader, inBody bool
	r.Header, inHeader = s.clean(header)
	r.Body, inBody = s.Clean.Redact(body)
	r.Redacted, r.Truncated = inHeader || inBody, err != nil
	return r, err
}

// clean removes keys from the headers of a response. It copies them only if there is a key in them.
func (s *Sender) clean(h http.Header) (http.Header, bool) {
	all := make([]byte, 0, 512) // joined, since one search for all forms of a key is faster than many
	for name, values := range h {
		if !exchange.IsRead(name) { // most names are known, and so is the media type
			all = append(append(all, name...), '|')
		}
		for _, v := range values {
			if v != "application/json" {
				all = append(append(all, v...), '|')
			}
		}
	}
	if s.Clean.Found(all) {
		return s.Clean.RedactHeader(h)
	}
	return h, false
}

// inflate uncompresses a body, up to maxBody. If the body is not gzip, it returns the body unchanged and an error.
func inflate(body []byte) ([]byte, error) {
	zr, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return body, errUndecodable
	}
	plain, err := io.ReadAll(io.LimitReader(zr, maxBody+1))
	switch {
	case err != nil:
		return plain, errUndecodable
	case len(plain) > maxBody:
		return plain[:maxBody], errTooLarge
	}
	return plain, nil
}

// failure returns the reason why there is no complete response.
func (s *Sender) failure(f *flight, err error) *exchange.Failure {
	detail, hit := s.Clean.Redact([]byte(strings.ReplaceAll(err.Error(), "\n", ": ")))
	why := &exchange.Failure{Kind: exchange.Closed, Detail: string(detail), Redacted: hit}
	var timeout net.Error
	var op *net.OpError
	switch {
	case errors.Is(err, errFault):
		why.Kind = exchange.Stopped
	case errors.Is(err, errNotHTTP):
		why.Kind = exchange.NotHTTP
	case errors.Is(err, errTooLarge):
		why.Kind = exchange.TooLarge
	case errors.Is(err, errUndecodable):
		why.Kind = exchange.Undecodable
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		why.Kind = exchange.Timeout
	case errors.As(err, &op) && op.Op == "dial", !f.connected && !errors.Is(err, io.EOF):
		why.Kind = exchange.Unreachable
	case strings.Contains(err.Error(), "malformed"):
		why.Kind = exchange.NotHTTP
	}
	return why
}

// repeatable reports whether a request that the target did not answer, because it closed its idle connection, may be sent again.
func (f *flight) repeatable() bool { return f.call.repeats == 0 && f.call.Method == http.MethodGet }
