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

// The headers that are not sent: vegeta's number of the request and name of the attack, and our index of the call. vegeta numbers a
// request before it calls the Targeter, so with several workers its number does not identify the call.
const (
	sequenceHeader = "X-Vegeta-Seq"
	attackHeader   = "X-Vegeta-Attack"
	callHeader     = "X-Petconform-Call"
)

// errShut ends an attack whose gate is shut.
var errShut = errors.New("the gate is shut")

// wire is the Targeter of vegeta's Attacker, which says what to send, and the RoundTripper below it, which adds the key, notes the times
// and sends no request twice. vegeta sends, reads the body and makes the Result.
type wire struct {
	sender *Sender
	attack *Attack
	pacer  *Pacer
	next   func(int) Call
	base   string
	// plain and withBody are the headers of every request, without the key, which is in authorization.
	plain, withBody http.Header
	authorization   []string
	// unread has an element for each request whose Result is not processed yet, at most one for each worker. So a worker asks for its next
	// request after its last Result was processed, and Call and Gate may depend on that.
	unread chan struct{}

	mu      sync.Mutex
	asked   int
	calls   map[string]Call
	flights map[uint64]*flight
}

// flight has what vegeta's Result lacks.
type flight struct {
	call Call
	// header has the headers that were sent, without the key.
	header      http.Header
	planned     time.Time
	sent, first time.Time
	// connected says that there was a connection, and idle that it had been idle for longer than idleClose.
	connected, idle bool
	// response is the response, whose body vegeta reads; nil if there is none. err is why there is no complete response.
	response *http.Response
	err      error
	sender   *Sender
}

// idleClose is the idle time after which a server may close a connection while a request is on its way: 1 s, the shortest idle time-out
// in common use.
const idleClose = time.Second

func newWire(s *Sender, a *Attack, p *Pacer, next func(int) Call) *wire {
	plain := http.Header{"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "User-Agent": {s.UserAgent}}
	withBody := plain.Clone()
	withBody.Set("Content-Type", "application/json")
	return &wire{sender: s, attack: a, pacer: p, next: next, base: strings.TrimRight(s.Base, "/"), plain: plain, withBody: withBody,
		authorization: []string{"Bearer " + s.Key.Reveal()},
		unread:        make(chan struct{}, max(1, a.Workers)), calls: map[string]Call{}, flights: map[uint64]*flight{}}
}

// header gives the headers of a call, without the key.
func (w *wire) header(c *Call) http.Header {
	if len(c.Body) > 0 {
		return w.withBody
	}
	return w.plain
}

// target is the Targeter. It checks the gate again, since the request before may have been in flight when the pacer checked it.
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
	t.Header = maps.Clone(w.header(&call)) // vegeta copies the values
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
	out := w.outgoing(httptrace.WithClientTrace(ctx, f.trace()), req)
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

// bounded is a context that ends when the request has taken too long.
func (w *wire) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if w.sender.Timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, w.sender.Timeout)
}

// reason is the time-out, if there was one, since the error of net/http differs with the moment.
func reason(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// begin notes that a request is sent.
func (w *wire) begin(seq uint64, index string) *flight {
	planned, ok := w.pacer.Planned(seq)
	if !ok {
		planned = time.Now()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f := &flight{call: w.calls[index], planned: planned, sender: w.sender}
	f.header = w.header(&f.call)
	delete(w.calls, index)
	w.flights[seq] = f
	return f
}

// take gives the flight of a Result; nil if the request was not sent.
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

// trace notes the time at which the request got its connection, which is when it is written, and that of the response's first byte. So
// the time of dialing or of waiting for a connection is left out.
func (f *flight) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			f.connected, f.idle, f.sent = true, i.IdleTime > idleClose, time.Now()
		},
		GotFirstResponseByte: func() { f.first = time.Now() },
	}
}

// outgoing is the request as it is sent: with the key, and without the headers of this side.
//
// Its body can be read only once. Otherwise net/http would send a GET again when its connection is dead, and spend allowance that nobody
// counts. With the transfer encoding net/http starts no goroutine to look for content.
func (w *wire) outgoing(ctx context.Context, req *http.Request) *http.Request {
	out := req.WithContext(ctx)
	out.Header = maps.Clone(req.Header)
	for _, name := range []string{sequenceHeader, attackHeader, callHeader} {
		delete(out.Header, name)
	}
	out.Header["Authorization"] = w.authorization
	out.GetBody = nil
	if out.Body == nil || out.Body == http.NoBody {
		out.Body, out.ContentLength, out.TransferEncoding = nothing{}, -1, []string{"identity"}
	}
	return out
}

// nothing is an empty body that net/http can't send again.
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
