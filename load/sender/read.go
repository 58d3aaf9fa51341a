package sender

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"petconform/spec/exchange"
)

// maxBody is how much of an answer's body is read and kept.
const maxBody = 1 << 20

var (
	errTooLarge    = errors.New("the body goes beyond what is read")
	errUndecodable = errors.New("the body does not decode as gzip")
)

// read reads the body, undoes its compression and takes keys out. The answer is the flight's until the next one.
func (w *wire) read(f *flight, resp *http.Response) error {
	f.answer = exchange.Response{Status: resp.StatusCode, Proto: resp.Proto}
	answer := &f.answer
	f.x.Response = answer
	var hit bool
	answer.Header, hit = w.cleanHeader(f, resp.Header)
	body, err := appendAll(f.body[:0], resp.Body)
	_ = resp.Body.Close()
	f.body = body
	answer.Size, answer.Redacted = int64(len(body)), hit
	if err == nil && len(body) > maxBody {
		body, err = body[:maxBody], errTooLarge
	}
	if encoding := strings.ToLower(resp.Header.Get("Content-Encoding")); err == nil && encoding == "gzip" && len(body) > 0 {
		answer.Encoding = encoding
		f.plain, err = inflate(f.plain[:0], body)
		body = f.plain
		if errors.Is(err, errTooLarge) {
			body = body[:maxBody]
		}
	}
	body, hit = w.sender.Clean.Redact(body)
	answer.Body, answer.Truncated, answer.Redacted = body, err != nil, answer.Redacted || hit
	return err
}

// appendAll reads r to its end, or one byte beyond what is kept.
func appendAll(to []byte, r io.Reader) ([]byte, error) {
	for len(to) <= maxBody {
		if len(to) == cap(to) {
			to = append(to, make([]byte, max(512, len(to)))...)[:len(to)]
		}
		n, err := r.Read(to[len(to):min(cap(to), maxBody+1)])
		to = to[:len(to)+n]
		if errors.Is(err, io.EOF) {
			return to, nil
		}
		if err != nil {
			return to, err
		}
	}
	return to, nil
}

// inflaters are kept over all attacks: one has 40 kB of tables.
var inflaters = sync.Pool{New: func() any { return new(gzip.Reader) }}

func inflate(to, body []byte) ([]byte, error) {
	zr, _ := inflaters.Get().(*gzip.Reader)
	defer inflaters.Put(zr)
	if err := zr.Reset(bytes.NewReader(body)); err != nil {
		return append(to, body...), errUndecodable
	}
	plain, err := appendAll(to, zr)
	switch {
	case err != nil:
		return plain, errUndecodable
	case len(plain) > maxBody:
		return plain, errTooLarge
	}
	return plain, nil
}

// cleanHeader looks through all fields at once, and takes keys out one by one only when there is one.
func (w *wire) cleanHeader(f *flight, h http.Header) (http.Header, bool) {
	all := f.header[:0]
	for name, values := range h {
		all = append(append(all, name...), 0)
		for _, v := range values {
			all = append(append(all, v...), 0)
		}
	}
	f.header = all
	if !w.sender.Clean.Found(all) {
		return h, false
	}
	return w.sender.Clean.RedactHeader(h)
}

// failure says why there is no complete answer.
func (w *wire) failure(f *flight, err error) *exchange.Failure {
	if cause := context.Cause(f.ctx); cause != nil {
		err = cause
	}
	detail, _ := w.sender.Clean.Redact([]byte(err.Error()))
	why := &exchange.Failure{Kind: exchange.Closed, Detail: string(detail)}
	var timeout net.Error
	var op *net.OpError
	switch {
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
