package sender

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

// The headers for internal use: vegeta's number of the request, and our index of the call. vegeta numbers a request
// before it calls the Targeter, so with several workers that number does not identify the call.
const (
	sequenceHeader = "X-Vegeta-Seq"
	callHeader     = "X-Petconform-Call"
)

// errShut is the error of target if the gate is shut.
var errShut = errors.New("the gate is shut")

// wire is the Targeter of vegeta's Attacker, which says what to send, and the RoundTripper below it, which adds the
// key, sends and records. vegeta says when, and has the workers.
type wire struct {
	sender *Sender
	attack *Attack
	pacer  *Pacer
	next   func(int) Call
	base   string
	// plain and withBody are the headers of every request.
	plain, withBody headers
	recorder        roundtrip.Recorder
	// unread has an element for each request whose Result is not processed yet, at most one for each worker. So the
	// Targeter waits until the worker's last Result was processed, and Next and Gate may depend on that Result.
	unread chan struct{}

	mu      sync.Mutex
	asked   int
	calls   map[string]Call
	flights map[uint64]*flight
}

// headers are the headers of a request: open is without the key, and sent is with it. They do not change.
type headers struct{ open, sent http.Header }

// flight is a request that is sent, or was sent and is not recorded yet.
type flight struct {
	call     Call
	planned  time.Time
	exchange exchange.Exchange
}

func newWire(s *Sender, a *Attack, p *Pacer, next func(int) Call) *wire {
	status := func(status int) {
		if status == http.StatusTooManyRequests && a.Gate != nil {
			a.Gate.Close()
		}
	}
	return &wire{sender: s, attack: a, pacer: p, next: next, base: strings.TrimRight(s.Base, "/"),
		plain: s.headers(nil), withBody: s.headers([]byte("{}")),
		recorder: roundtrip.Recorder{Redactor: s.Clean, MaxBody: exchange.MaxBody, Kept: s.Kept, Status: status},
		unread:   make(chan struct{}, max(1, a.Workers)), calls: map[string]Call{}, flights: map[uint64]*flight{}}
}

// headers returns the headers of a request with a body.
func (s *Sender) headers(body []byte) headers {
	h := roundtrip.Header(s.UserAgent, body)
	return headers{h, roundtrip.Keyed(h, exchange.Key, s.Key)}
}

// headers returns the headers of a call.
func (w *wire) headers(c *Call) headers {
	if len(c.Body) > 0 {
		return w.withBody
	}
	return w.plain
}

// target is the Targeter. It checks the gate again, since an earlier request may have been in flight when the pacer
// checked it.
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

// RoundTrip sends one request and makes its exchange. What it returns to vegeta only says that the request was sent.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	seq, err := strconv.ParseUint(req.Header.Get(sequenceHeader), 10, 64)
	if err != nil {
		return nil, err
	}
	f := w.begin(seq, req.Header.Get(callHeader))
	if err := w.send(req, f); err != nil {
		f.exchange.Response, f.exchange.Failure = nil, &exchange.Failure{Kind: exchange.Stopped, Detail: err.Error()}
	}
	return &http.Response{StatusCode: http.StatusNoContent, Body: http.NoBody}, nil
}

// send sends a request with the headers that target gave to vegeta and the key, and without the headers for internal
// use. Its error says that it panicked.
func (w *wire) send(req *http.Request, f *flight) (err error) {
	defer w.sender.caught(&err)
	ctx := req.Context()
	if w.sender.Timeout > 0 {
		bounded, cancel := context.WithTimeout(ctx, w.sender.Timeout)
		defer cancel()
		ctx = bounded
	}
	out := req.WithContext(ctx)
	out.Header = w.headers(&f.call).sent
	w.recorder.Send(w.transport(&f.call), out, &f.exchange)
	return nil
}

// begin makes the flight of a request that is about to be sent.
func (w *wire) begin(seq uint64, index string) *flight {
	planned, ok := w.pacer.Planned(seq)
	if !ok {
		planned = time.Now()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f := &flight{call: w.calls[index], planned: planned}
	f.exchange.Request = exchange.Request{Method: f.call.Method, Path: f.call.Path, Body: f.call.Body,
		Header: w.headers(&f.call).open}
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
