package sender

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// The headers for internal use: vegeta's number of the request, and our index of the call. vegeta numbers a request before it calls the
// Targeter, so with several workers that number does not identify the call.
const (
	sequenceHeader = "X-Vegeta-Seq"
	callHeader     = "X-Petconform-Call"
)

// errShut is the error of target if the gate is shut.
var errShut = errors.New("the gate is shut")

// wire is the Targeter of vegeta's Attacker, which says what to send, and the RoundTripper below it, which adds the key, notes the times
// and sends no request twice. vegeta sends, reads the body and makes the Result.
type wire struct {
	sender *Sender
	attack *Attack
	pacer  *Pacer
	next   func(int) Call
	base   string
	// plain and withBody are the headers of every request.
	plain, withBody headers
	// unread has an element for each request whose Result is not processed yet, at most one for each worker. So the Targeter waits until
	// the worker's last Result was processed, and Next and Gate may depend on that Result.
	unread chan struct{}

	mu      sync.Mutex
	asked   int
	calls   map[string]Call
	flights map[uint64]*flight
}

// headers are the headers of a request: open is without the key, and sent is with it. They do not change.
type headers struct{ open, sent http.Header }

// flight has what vegeta's Result lacks.
type flight struct {
	call        Call
	headers     headers
	planned     time.Time
	sent, first time.Time
	// connected says that the request got a connection, reused that the connection had been used before, and idle that it had been idle
	// for longer than idleClose.
	connected, reused, idle bool
	// response is the response, whose body vegeta reads; nil if there is none. err is why there is no complete response.
	response *http.Response
	err      error
	sender   *Sender
}

// idleClose is the idle time after which a server may close a connection while a request is in flight: 1 s, the shortest idle time-out in
// common use.
const idleClose = time.Second

func newWire(s *Sender, a *Attack, p *Pacer, next func(int) Call) *wire {
	plain := http.Header{"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "User-Agent": {s.UserAgent}}
	withBody := plain.Clone()
	withBody.Set("Content-Type", "application/json")
	return &wire{sender: s, attack: a, pacer: p, next: next, base: strings.TrimRight(s.Base, "/"), plain: s.keyed(plain), withBody: s.keyed(withBody),
		unread: make(chan struct{}, max(1, a.Workers)), calls: map[string]Call{}, flights: map[uint64]*flight{}}
}

// keyed returns h without and with the key.
func (s *Sender) keyed(h http.Header) headers {
	sent := h.Clone()
	sent.Set("Authorization", "Bearer "+s.Key.Reveal())
	return headers{h, sent}
}

// headers returns the headers of a call.
func (w *wire) headers(c *Call) headers {
	if len(c.Body) > 0 {
		return w.withBody
	}
	return w.plain
}

// target is the Targeter. It checks the gate again, since an earlier request may have been in flight when the pacer checked it.
func (w *wire) target(t *vegeta.Target) (err error) {
	defer w.sender.caught(&err)
	w.unread <- struct{}{}
	if w.attack.Gate.Shut() {
		return errShut
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	call, index := w.next(w.asked), strconv.Itoa(w.asked)
	w.asked++
	w.calls[index] = call
	t.Method, t.URL, t.Body = call.Method, w.base+call.Path, call.Body
	t.Header = maps.Clone(w.headers(&call).open) // vegeta copies the values
	t.Header.Set(callHeader, index)
	return nil
}

// RoundTrip sends one request and notes its times.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	seq, err := strconv.ParseUint(req.Header.Get(sequenceHeader), 10, 64)
	if err != nil {
		return nil, err
	}
	f := w.begin(seq, req.Header.Get(callHeader))
	ctx, cancel := w.bounded(req.Context())
	out := f.outgoing(httptrace.WithClientTrace(ctx, f.trace()), req)
	f.sent = time.Now()
	resp, err := w.roundTrip(&f.call, out)
	if err != nil {
		f.err = reason(ctx, err)
		cancel()
		return nil, err
	}
	if f.first.IsZero() { // the transport does not call GotFirstResponseByte
		f.first = time.Now()
	}
	if resp.StatusCode == http.StatusTooManyRequests && w.attack.Gate != nil {
		w.attack.Gate.Close()
	}
	f.response = resp
	resp.Body = &body{ReadCloser: resp.Body, flight: f, ctx: ctx, cancel: cancel}
	return resp, nil
}

// roundTrip sends a request by the transport of its call.
func (w *wire) roundTrip(c *Call, req *http.Request) (resp *http.Response, err error) {
	defer w.sender.caught(&err)
	return w.transport(c).RoundTrip(req)
}

// bounded returns a context that ends after the sender's Timeout, if it has one.
func (w *wire) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if w.sender.Timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, w.sender.Timeout)
}

// reason returns the cause of ctx if it has ended, else err. After a time-out the error of net/http depends on what it was doing.
func reason(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// begin makes the flight of a request that is about to be sent.
func (w *wire) begin(seq uint64, index string) *flight {
	planned, ok := w.pacer.Planned(seq)
	if !ok {
		planned = time.Now()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f := &flight{call: w.calls[index], planned: planned, sender: w.sender}
	f.headers = w.headers(&f.call)
	delete(w.calls, index)
	w.flights[seq] = f
	return f
}

// take removes and returns the flight of a Result; nil if the request was not sent.
func (w *wire) take(seq uint64) *flight {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.flights[seq]
	delete(w.flights, seq)
	return f
}

func (w *wire) transport(c *Call) http.RoundTripper {
	if c.Connection > 0 && c.Connection <= len(w.attack.Connections) {
		return w.attack.Connections[c.Connection-1]
	}
	return w.sender.Transport
}

// trace sets sent to the time at which the request got its connection, and first to that of the response's first byte. So the time to dial,
// or to wait for a connection, is not counted.
func (f *flight) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			f.connected, f.reused, f.idle, f.sent = true, i.Reused, i.IdleTime > idleClose, time.Now()
		},
		GotFirstResponseByte: func() { f.first = time.Now() },
	}
}

// outgoing returns the request as it is sent: with the headers that target gave to vegeta and the key, and without the headers for
// internal use.
//
// Its body can be read only once. Otherwise net/http would send a GET again if the connection was closed, which may spend allowance that is
// not counted. The transfer encoding identity keeps net/http from starting a goroutine that looks for a first byte of the body.
func (f *flight) outgoing(ctx context.Context, req *http.Request) *http.Request {
	out := req.WithContext(ctx)
	out.Header, out.GetBody, out.Close = f.headers.sent, nil, f.sender.Kept.unfit()
	if out.Body == nil || out.Body == http.NoBody {
		out.Body, out.ContentLength, out.TransferEncoding = nothing{}, -1, []string{"identity"}
	}
	return out
}

// nothing is an empty body with which net/http can't send a request again.
type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }
func (nothing) Close() error             { return nil }

// WriteTo saves net/http its copy buffer of 32 kB.
func (nothing) WriteTo(io.Writer) (int64, error) { return 0, nil }

// body is a response's body, of which at most maxBody bytes are read.
type body struct {
	io.ReadCloser
	flight *flight
	ctx    context.Context
	cancel context.CancelFunc
	read   int
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.next(p)
	if b.read += n; b.read > maxBody {
		err = errTooLarge
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.flight.err = reason(b.ctx, err)
	}
	return n, err
}

func (b *body) next(p []byte) (n int, err error) {
	defer b.flight.sender.caught(&err)
	return b.ReadCloser.Read(p)
}

func (b *body) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
