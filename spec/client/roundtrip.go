package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"petconform/spec/exchange"
	"petconform/spec/invalid"
)

// trace is what net/http reports about one request.
type trace struct {
	connected bool
	reused    bool
	idle      time.Duration
	wrote     time.Time
	firstByte time.Time
}

func (t *trace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			t.connected, t.reused, t.idle = true, i.Reused, i.IdleTime
			t.wrote = time.Now()
		},
		GotFirstResponseByte: func() { t.firstByte = time.Now() },
	}
}

// roundTrip sends x's request once and sets x's response or failure.
func (c *Client) roundTrip(ctx context.Context, x *exchange.Exchange, fresh bool) {
	bounded, cancel := c.bound(ctx)
	defer cancel()
	c.patience.begin()
	defer func() { c.patience.end(responded(x)) }()
	var t trace
	req, err := c.request(httptrace.WithClientTrace(bounded, t.hooks()), x)
	x.Sent = time.Now()
	if err != nil {
		x.Failure = &exchange.Failure{Kind: exchange.Unreachable, Detail: err.Error()}
		return
	}
	if fresh {
		req.Close = true
	}
	resp, err := c.transport.RoundTrip(req)
	if t.connected {
		x.Reused, x.Idle = t.reused, t.idle
		x.Sent = t.wrote // the time of dialling, and of waiting for a free connection, is not the target's
	}
	switch {
	case err != nil:
	case resp.StatusCode < 100: // net/http takes HTTP/1.1 000; RFC 9110, section 15 does not
		err = errors.Join(fmt.Errorf("malformed HTTP status code %03d", resp.StatusCode), resp.Body.Close())
	default:
		defer resp.Body.Close()
		x.Response, err = c.read(resp)
	}
	end := time.Now()
	x.Done = end.Sub(x.Sent)
	x.FirstByte = x.Done
	if !t.firstByte.IsZero() {
		x.FirstByte = t.firstByte.Sub(x.Sent)
	}
	if err != nil {
		x.Failure = failureOf(bounded, err, t.connected || resp != nil)
		if detail, hit := c.redactor.Redact([]byte(x.Failure.Detail)); hit {
			x.Failure.Detail, x.Failure.Redacted = string(detail), true
		}
	}
}

// responded reports whether a complete response arrived, even if petconform does not keep or decode all of it.
func responded(x *exchange.Exchange) bool {
	return x.Failure == nil || x.Failure.Kind == exchange.TooLarge || x.Failure.Kind == exchange.Undecodable
}

// onceOnly is a body that net/http cannot send a second time by itself, which would spend allowance uncounted.
type onceOnly struct{ io.Reader }

func (onceOnly) Close() error { return nil }

func (c *Client) request(ctx context.Context, x *exchange.Exchange) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, x.Request.Method, c.base+x.Request.Path, onceOnly{bytes.NewReader(x.Request.Body)})
	if err != nil {
		return nil, err
	}
	req.ContentLength = int64(len(x.Request.Body))
	if req.ContentLength == 0 {
		if x.Request.Method == http.MethodGet {
			req.ContentLength = -1
		} else {
			req.Body = http.NoBody // an empty body of unknown length would be sent in chunks
		}
	}
	for name, values := range x.Request.Header {
		req.Header[name] = values
	}
	key := c.cfg.Key
	if x.Auth == exchange.OtherKey {
		key = c.cfg.OtherKey
	}
	credential, _ := invalid.CredentialOf(x.Auth)
	maps.Copy(req.Header, credential.Header(key.Reveal()))
	return req, nil
}

// errUndecodable begins the error of a body that is not in the encoding that the response declares.
var errUndecodable = errors.New("the body does not decode as")

// read reads a response within the run's budget, decodes its Content-Encoding and removes keys. With an error it returns what was
// read before.
func (c *Client) read(resp *http.Response) (*exchange.Response, error) {
	r := &exchange.Response{Status: resp.StatusCode, Proto: resp.Proto}
	header, cut := exchange.BoundHeader(resp.Header)
	r.HeaderCut = cut
	var hit bool
	r.Header, r.Redacted = c.redactor.RedactHeader(header)
	body, err := exchange.ReadBody(resp.Body, c.cfg.MaxBody)
	size := body.Size
	encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
	if err == nil && encoding != "" && encoding != "identity" && len(body.Body) > 0 {
		r.Encoding = encoding
		body, err = decode(encoding, body, c.cfg.MaxBody)
	}
	body, err = c.bodies.Keep(body, err)
	r.Body, hit = c.redactor.Redact(body.Body)
	r.Size, r.Digest, r.Redacted = size, body.Digest, r.Redacted || hit || c.elsewhere(resp)
	r.Truncated = err != nil
	return r, err
}

// elsewhere reports whether a key is in a part of the response that is not recorded: the reason phrase, or a trailer.
func (c *Client) elsewhere(resp *http.Response) bool {
	_, trailer := c.redactor.RedactHeader(resp.Trailer)
	return trailer || c.redactor.Found([]byte(resp.Status))
}

// decode decodes gzip, the only encoding in the client's Accept-Encoding. A body that decodes to more than is kept is not decoded
// further.
func decode(encoding string, body exchange.Kept, most int64) (exchange.Kept, error) {
	if encoding != "gzip" && encoding != "x-gzip" {
		return body, fmt.Errorf("%w %s: only gzip was asked for", errUndecodable, encoding)
	}
	zr, err := gzip.NewReader(bytes.NewReader(body.Body))
	if err != nil {
		return body, fmt.Errorf("%w gzip: %w", errUndecodable, err)
	}
	plain, err := exchange.ReadBody(zr, most)
	if err != nil && !errors.Is(err, exchange.ErrTooLarge) {
		return plain, fmt.Errorf("%w gzip: %w", errUndecodable, err)
	}
	return plain, err
}
