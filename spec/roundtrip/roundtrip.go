// Package roundtrip sends a request once and records what came of it: the response, decoded and without keys, or the
// kind of failure, and the times. Everything that petconform sends to a target goes through it.
package roundtrip

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	"petconform/spec/exchange"
	"petconform/spec/invalid"
)

// Recorder sends requests and records them. It is safe for concurrent use.
type Recorder struct {
	Redactor *exchange.Redactor // Redactor removes keys from responses and failures
	MaxBody  int64              // the largest body that is kept whole, in bytes after decoding
	Bodies   *exchange.Bodies   // Bodies bounds the bodies of a run; nil does not
	// Status is called with the status of every response before its body is read; it may be nil.
	Status      func(status int)
	multiplexed atomic.Bool // a response came in HTTP/2
}

// Send sends req by transport, reads the response until the context of req ends, and sets the response or failure and
// the times of x. It changes the body of req so that net/http sends it only once.
func (r *Recorder) Send(transport http.RoundTripper, req *http.Request, x *exchange.Exchange) {
	ctx, connected := req.Context(), false
	var first atomic.Pointer[time.Time] // net/http may set it after the request was cancelled
	begun := func() { now := time.Now(); first.CompareAndSwap(nil, &now) }
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			// The time of dialling, and of waiting for a free connection, is not the target's.
			connected, x.Reused, x.Sent = true, i.Reused, time.Now()
		},
		GotFirstResponseByte: begun,
	}))
	once(req)
	if r.multiplexed.Load() && req.Header["Connection"] != nil {
		// HTTP/2 has no such header, and net/http would close the connection under the requests of others.
		req.Header = maps.Clone(req.Header)
		req.Header.Del("Connection")
	}
	// Where the response to a request with Connection: close says keep-alive all the same, net/http goes by the field Close
	// alone. Nothing may follow on that connection (RFC 9112, section 9.6).
	req.Close = req.Close || strings.EqualFold(req.Header.Get("Connection"), "close")
	x.Sent = time.Now()
	resp, err := transport.RoundTrip(req)
	if err == nil {
		connected = true
		begun() // if the transport does not call GotFirstResponseByte
		x.Response, err = r.response(resp)
		if resp.ProtoMajor == 2 {
			r.multiplexed.Store(true)
		}
	}
	x.Done = time.Since(x.Sent)
	x.FirstByte = x.Done
	if at := first.Load(); at != nil {
		x.FirstByte = min(at.Sub(x.Sent), x.Done)
	}
	if err != nil {
		x.Failure = failureOf(ctx, err, connected)
		detail, hit := r.Redactor.Redact([]byte(x.Failure.Detail))
		x.Failure.Detail, x.Failure.Redacted = string(detail), hit
	}
}

// response reads a response if it is one: net/http takes HTTP/1.1 000, and RFC 9110, section 15 does not.
func (r *Recorder) response(resp *http.Response) (*exchange.Response, error) {
	defer resp.Body.Close()
	if resp.StatusCode < 100 {
		return nil, fmt.Errorf("malformed HTTP status code %03d", resp.StatusCode)
	}
	if r.Status != nil {
		r.Status(resp.StatusCode)
	}
	return r.Read(resp)
}

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
	_, trailer := r.Redactor.RedactHeader(resp.Trailer)
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

// once makes net/http send a request only once. It would send a GET again if the connection was closed, which may spend
// allowance that is not counted, unless the GET has a body that it can't get again: an empty one of unknown length,
// which "identity" keeps from being sent in chunks. Only a request whose header asks for chunks has its body sent so.
func once(req *http.Request) {
	req.GetBody = nil
	switch {
	case req.Header.Get("Transfer-Encoding") != "":
		req.Body, req.ContentLength = &halves{body: req.Body, size: req.ContentLength}, -1
	case req.ContentLength > 0:
	case req.Method == http.MethodGet:
		req.Body, req.ContentLength, req.TransferEncoding = nothing{http.NoBody}, -1, identity
	default:
		req.Body, req.ContentLength = http.NoBody, 0
	}
}

// halves gives net/http a body in two parts, so that it sends two chunks: a service that reads one has half of the body.
type halves struct {
	body       io.ReadCloser
	size, read int64
}

func (h *halves) Read(p []byte) (int, error) {
	if left := (h.size+1)/2 - h.read; left > 0 {
		p = p[:min(int64(len(p)), left)]
	}
	n, err := h.body.Read(p)
	h.read += int64(n)
	return n, err
}

func (h *halves) Close() error { return h.body.Close() }

var identity = []string{"identity"}

// nothing is an empty body that net/http does not know to be empty.
type nothing struct{ io.ReadCloser }

// WriteTo spares net/http a buffer.
func (nothing) WriteTo(io.Writer) (int64, error) { return 0, nil }

// Header returns the headers of a request with a body, as they are recorded.
func Header(userAgent string, body []byte) http.Header {
	h := http.Header{"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "User-Agent": {userAgent}}
	if len(body) > 0 {
		h.Set("Content-Type", "application/json")
	}
	return h
}

// Keyed returns h with a credential that is made from key. It is what is sent, and is not recorded.
func Keyed(h http.Header, auth exchange.Auth, key exchange.Secret) http.Header {
	credential, _ := invalid.CredentialAmong(h, auth)
	sent := maps.Clone(h)
	sent["User-Agent"] = h["User-Agent"] // without one, net/http would add its own
	maps.Copy(sent, credential.Header(key.Reveal()))
	return sent
}
