package sender

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

// callHeader has our number of the request. vegeta's own number does not identify the call: with several workers,
// vegeta numbers a request before it calls the Targeter.
const callHeader = "X-Petconform-Call"

var errShut = errors.New("the gate is shut")

// wire is the Targeter of an attack, which says what to send, and the RoundTripper below vegeta's Attacker, which adds
// the key, sends and records. vegeta says when, and has the workers. A worker's request is recorded before it asks for
// the next one, so Next and Gate may depend on the response.
type wire struct {
	sender   *Sender
	attack   *Attack
	pacer    *Pacer
	base     string
	recorder roundtrip.Recorder
	// cancel ends the attack.
	cancel context.CancelFunc

	mu      sync.Mutex
	asked   int
	flights map[string]*flight
	records []record.Record
	err     error
}

// flight is a request that is to be sent.
type flight struct {
	call     Call
	planned  time.Time
	exchange exchange.Exchange
}

func newWire(s *Sender, a *Attack, p *Pacer, cancel context.CancelFunc) *wire {
	status := func(status int) {
		if status == http.StatusTooManyRequests && a.Gate != nil {
			a.Gate.Close()
		}
	}
	return &wire{sender: s, attack: a, pacer: p, base: strings.TrimRight(s.Base, "/"),
		recorder: roundtrip.Recorder{Redactor: s.Clean, MaxBody: exchange.MaxBody, Kept: s.Kept, Status: status},
		cancel:   cancel, flights: map[string]*flight{}}
}

// target is the Targeter. It checks the gate again, since an earlier request may have been in flight when the pacer
// checked it.
func (w *wire) target(t *vegeta.Target) (err error) {
	defer w.sender.caught(&err)
	if w.attack.Gate.Shut() {
		return errShut
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	call, index := w.attack.Next(w.asked), strconv.Itoa(w.asked)
	w.asked++
	f := &flight{call: call, planned: w.pacer.Planned()}
	f.exchange.Request = exchange.Request{Method: call.Method, Path: call.Path, Body: call.Body,
		Header: roundtrip.Header(w.sender.UserAgent, call.Body)}
	w.flights[index] = f
	t.Method, t.URL, t.Body = call.Method, w.base+call.Path, call.Body
	t.Header = maps.Clone(f.exchange.Request.Header) // vegeta copies the values
	t.Header.Set(callHeader, index)
	return nil
}

// RoundTrip sends one request and records it. What it returns to vegeta only says that the request was sent.
func (w *wire) RoundTrip(req *http.Request) (_ *http.Response, err error) {
	defer w.sender.caught(&err)
	index := req.Header.Get(callHeader)
	w.mu.Lock()
	f := w.flights[index]
	delete(w.flights, index)
	w.mu.Unlock()
	if err := w.send(req, f); err != nil {
		f.exchange.Response, f.exchange.Failure = nil, &exchange.Failure{Kind: exchange.Stopped, Detail: err.Error()}
	}
	w.keep(f)
	return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody}, nil
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
	out.Header = roundtrip.Keyed(f.exchange.Request.Header, exchange.Key, w.sender.Key)
	w.recorder.Send(w.transport(&f.call), out, &f.exchange)
	return nil
}

// keep records one request and its response.
func (w *wire) keep(f *flight) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, x := w.sender, &f.exchange
	s.Clock.Watch(x.Ended())
	r := record.Record{Other: s.Other, Reused: x.ReusedClosed(), Sent: s.Clock.Since(x.Sent), FirstByte: x.Done,
		Done: x.Done, Place: record.Place{Lane: s.Lane, Phase: w.attack.Phase, Round: w.attack.Round, Role: f.call.Role,
			Connection: f.call.Connection, Planned: s.Clock.Since(f.planned)}}
	if x.Failure == nil {
		r.FirstByte = x.FirstByte
	}
	w.err = cmp.Or(w.err, s.Collector.Add(&r, x))
	if !w.attack.Forget {
		w.records = append(w.records, r)
	}
	if w.err != nil || w.attack.Each != nil && !w.attack.Each(&r) {
		w.cancel()
	}
}

// fail ends the attack.
func (w *wire) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, err)
	w.cancel()
}

func (w *wire) transport(c *Call) http.RoundTripper {
	if c.Connection > 0 && c.Connection <= len(w.attack.Connections) {
		return w.attack.Connections[c.Connection-1]
	}
	return w.sender.Transport
}
