package sender

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"petconform/load/record"
	"petconform/spec/exchange"
)

// maxBody is how much of an answer's body is read and kept.
const maxBody = 1 << 20

// RoundTrip sends one request of an attack and keeps what came. A GET whose connection had lain idle and ended without an
// answer is sent once more, and both are kept: the target may have counted both.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	i, call := w.call(req)
	planned, ok := w.pacer.Planned(i)
	if !ok {
		planned = time.Now()
	}
	resp, x, idle, err := w.once(req, call, planned, 1)
	if err != nil && idle && x.Failure.Kind == exchange.Closed && call.Method == http.MethodGet && req.Context().Err() == nil {
		resp, _, _, err = w.once(req, call, planned, 2)
	}
	return resp, err
}

func (w *wire) once(req *http.Request, call Call, planned time.Time, attempt int) (*http.Response, *exchange.Exchange, bool, error) {
	x := &exchange.Exchange{Request: exchange.Request{Method: call.Method, Path: call.Path, Body: call.Body}}
	t := trace{}
	out := w.outgoing(req, call, x, httptrace.WithClientTrace(req.Context(), t.hooks()), attempt)
	sent := time.Now()
	resp, err := w.transport(call).RoundTrip(out)
	if !t.wrote.IsZero() {
		sent = t.wrote // dialling and waiting for a free connection are not the target's time
	}
	first := time.Now()
	if !t.first.IsZero() {
		first = t.first
	}
	if err == nil {
		err = w.read(resp, x)
	}
	end := time.Now()
	if err != nil {
		first = end
		x.Failure = w.failure(req.Context(), err, t.connected)
	}
	clock := w.sender.Clock
	clock.Watch(end)
	w.keep(record.Record{
		Lane: w.sender.Lane, Phase: w.attack.Phase, Round: w.attack.Round, Role: call.Role, Other: w.sender.Other,
		Connection: call.Connection, Attempt: attempt,
		Planned: clock.Since(planned), Sent: clock.Since(sent), FirstByte: first.Sub(sent), Done: end.Sub(sent),
	}, x)
	return resp, x, t.idle && resp == nil, err
}

func (w *wire) transport(call Call) http.RoundTripper {
	if call.Connection > 0 && call.Connection <= len(w.attack.Connections) {
		return w.attack.Connections[call.Connection-1]
	}
	return w.sender.Transport
}

// outgoing is what goes over the wire: none of vegeta's own headers, and the key, which is not in what is recorded.
func (w *wire) outgoing(req *http.Request, call Call, x *exchange.Exchange, ctx context.Context, attempt int) *http.Request {
	h := http.Header{"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "User-Agent": {w.sender.UserAgent}}
	if len(call.Body) > 0 {
		h["Content-Type"] = []string{"application/json"}
	}
	x.Request.Header = h
	out := req.WithContext(ctx)
	out.Header = make(http.Header, len(h)+1)
	for name, values := range h {
		out.Header[name] = values
	}
	out.Header["Authorization"] = []string{"Bearer " + w.sender.Key.Reveal()}
	// A body that can be read once only: net/http would silently send a GET again that met a dead connection, and spend
	// allowance that nobody counts.
	out.Body, out.GetBody, out.ContentLength = onceOnly{bytes.NewReader(call.Body)}, nil, int64(len(call.Body))
	if len(call.Body) == 0 {
		out.ContentLength = -1
	}
	out.Close = attempt > 1
	return out
}

type onceOnly struct{ io.Reader }

func (onceOnly) Close() error { return nil }

// read reads the body, undoes its compression, takes keys out, and hands the client what is left to read.
func (w *wire) read(resp *http.Response, x *exchange.Exchange) error {
	answer := &exchange.Response{Status: resp.StatusCode, Proto: resp.Proto}
	x.Response = answer
	var hit bool
	answer.Header, hit = w.cleanHeader(resp.Header)
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	_ = resp.Body.Close()
	resp.Body = http.NoBody
	answer.Size, answer.Redacted = int64(len(body)), hit
	if err == nil && len(body) > maxBody {
		body, err = body[:maxBody], errTooLarge
	}
	if encoding := strings.ToLower(resp.Header.Get("Content-Encoding")); err == nil && encoding == "gzip" && len(body) > 0 {
		answer.Encoding = encoding
		body, err = inflate(body)
	}
	body, hit = w.sender.Clean.Redact(body)
	answer.Body, answer.Truncated, answer.Redacted = body, err != nil, answer.Redacted || hit
	return err
}

// cleanHeader looks through all fields at once, and takes keys out one by one only when there is one.
func (w *wire) cleanHeader(h http.Header) (http.Header, bool) {
	all := make([]byte, 0, 512)
	for name, values := range h {
		all = append(append(all, name...), 0)
		for _, v := range values {
			all = append(append(all, v...), 0)
		}
	}
	if !w.sender.Clean.Found(all) {
		return h, false
	}
	return w.sender.Clean.RedactHeader(h)
}

var (
	errTooLarge    = errors.New("the body goes beyond what is read")
	errUndecodable = errors.New("the body does not decode as gzip")
)

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

func (w *wire) failure(ctx context.Context, err error, connected bool) *exchange.Failure {
	detail, _ := w.sender.Clean.Redact([]byte(err.Error()))
	f := &exchange.Failure{Kind: exchange.Closed, Detail: string(detail)}
	var timeout net.Error
	var op *net.OpError
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		f.Kind = exchange.Stopped
	case errors.Is(err, errTooLarge):
		f.Kind = exchange.TooLarge
	case errors.Is(err, errUndecodable):
		f.Kind = exchange.Undecodable
	case errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil, errors.As(err, &timeout) && timeout.Timeout():
		f.Kind = exchange.Timeout
	case errors.As(err, &op) && op.Op == "dial", !connected && !errors.Is(err, io.EOF):
		f.Kind = exchange.Unreachable
	case strings.Contains(err.Error(), "malformed"):
		f.Kind = exchange.NotHTTP
	}
	return f
}

// trace is what net/http tells of one request on its way.
type trace struct {
	connected    bool
	wrote, first time.Time
	// idle says that the connection had not been used for long enough that the other end may have closed it.
	idle bool
}

func (t *trace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			t.connected, t.idle, t.wrote = true, i.IdleTime > time.Second, time.Now()
		},
		GotFirstResponseByte: func() { t.first = time.Now() },
	}
}
