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

// callHeader has our number of the request, in the request and in what RoundTrip returns. vegeta's own number does not identify the call:
// with several workers, vegeta numbers a request before it calls the Targeter.
const callHeader = "X-Petconform-Call"

var errShut = errors.New("the gate is shut")

// wire is the Targeter of vegeta's Attacker, which says what to send, and the RoundTripper below it, which adds the
// key, sends and records. vegeta says when, and has the workers.
type wire struct {
	sender *Sender
	attack *Attack
	pacer  *Pacer
	base   string
	// plain and withBody are the headers of every request.
	plain, withBody headers
	recorder        roundtrip.Recorder
	// unread has an element for each request whose Result is not processed yet, at most one for each worker. So the
	// Targeter waits until the worker's last Result was processed, and Next and Gate may depend on that Result.
	unread chan struct{}

	mu      sync.Mutex
	asked   int
	flights map[string]*flight
}

// headers are the headers of a request: open is without the key, and sent is with it. They do not change.
type headers struct{ open, sent http.Header }

// flight is a request that is to be sent, or was sent and is not recorded yet.
type flight struct {
	call     Call
	planned  time.Time
	exchange exchange.Exchange
}

func newWire(s *Sender, a *Attack, p *Pacer) *wire {
	status := func(status int) {
		if status == http.StatusTooManyRequests && a.Gate != nil {
			a.Gate.Close()
		}
	}
	return &wire{sender: s, attack: a, pacer: p, base: strings.TrimRight(s.Base, "/"),
		plain: s.headers(nil), withBody: s.headers([]byte("{}")),
		recorder: roundtrip.Recorder{Redactor: s.Clean, MaxBody: exchange.MaxBody, Kept: s.Kept, Status: status},
		unread:   make(chan struct{}, max(1, a.Workers)), flights: map[string]*flight{}}
}

func (s *Sender) headers(body []byte) headers {
	h := roundtrip.Header(s.UserAgent, body)
	return headers{h, roundtrip.Keyed(h, exchange.Key, s.Key)}
}

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
	call, index := w.attack.Next(w.asked), strconv.Itoa(w.asked)
	w.asked++
	f := &flight{call: call, planned: w.pacer.Planned()}
	f.exchange.Request = exchange.Request{Method: call.Method, Path: call.Path, Body: call.Body, Header: w.headers(&call).open}
	w.flights[index] = f
	t.Method, t.URL, t.Body = call.Method, w.base+call.Path, call.Body
	t.Header = maps.Clone(f.exchange.Request.Header) // vegeta copies the values
	t.Header.Set(callHeader, index)
	return nil
}

// RoundTrip sends one request and makes its exchange. What it returns to vegeta only says that the request was sent.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	index := req.Header.Get(callHeader)
	w.mu.Lock()
	f := w.flights[index]
	w.mu.Unlock()
	if err := w.send(req, f); err != nil {
		f.exchange.Response, f.exchange.Failure = nil, &exchange.Failure{Kind: exchange.Stopped, Detail: err.Error()}
	}
	return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{callHeader: {index}}, Body: http.NoBody}, nil
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

// take removes and returns the flight of a Result; nil if the request was not sent.
func (w *wire) take(res *vegeta.Result) *flight {
	w.mu.Lock()
	defer w.mu.Unlock()
	index := res.Headers.Get(callHeader)
	f := w.flights[index]
	delete(w.flights, index)
	return f
}

func (w *wire) transport(c *Call) http.RoundTripper {
	if c.Connection > 0 && c.Connection <= len(w.attack.Connections) {
		return w.attack.Connections[c.Connection-1]
	}
	return w.sender.Transport
}
