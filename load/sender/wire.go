package sender

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

// callHeader has our number of the request. vegeta's own number does not identify the call: with several workers,
// vegeta numbers a request before it calls the Targeter. seqHeader has vegeta's number. Both are canonical, so that they
// are found as they stand.
const callHeader, seqHeader = "X-Petconform-Call", "X-Vegeta-Seq"

var errShut = errors.New("the gate is shut")

// errNoDescriptor means that this machine can't open another connection.
var errNoDescriptor = errors.New("this machine has no file descriptor left for another connection; " +
	"raise the limit (ulimit -n), or load fewer plans or keys at a time (--shard)")

// wire is the Targeter of an attack, which says what to send, and the RoundTripper below vegeta's Attacker, which
// adds the key, sends and records. vegeta says when, has the workers, and makes a Result of what comes. A worker's
// request is recorded before it asks for the next one, so Next and Gate may depend on the response.
type wire struct {
	sender   *Sender
	attack   *Attack
	pacer    *Pacer
	base     string
	recorder roundtrip.Recorder
	// bare and full are the headers of a request without a body, and of one with.
	bare, full headers
	// cancel ends the attack.
	cancel context.CancelFunc

	mu      sync.Mutex
	asked   int
	flights map[string]*flight
	// numbers has the number of each record by vegeta's number of the request, until the Result comes.
	numbers map[string]int
	err     error
}

// headers are those that are recorded, and the same with the key, which are sent. Nothing changes them.
type headers struct{ recorded, sent http.Header }

func (s *Sender) headers(body []byte) headers {
	h := roundtrip.Header(s.UserAgent, body)
	return headers{h, roundtrip.Keyed(h, exchange.Key, s.Key)}
}

// flight is a request that is to be sent.
type flight struct {
	call     Call
	headers  *headers
	planned  time.Time
	putOff   time.Duration
	exchange exchange.Exchange
}

func newWire(s *Sender, a *Attack, p *Pacer, cancel context.CancelFunc) *wire {
	status := func(status int) {
		if status == http.StatusTooManyRequests && a.Gate != nil {
			a.Gate.Close()
		}
	}
	return &wire{sender: s, attack: a, pacer: p, base: s.Collector.Recording.Meta.Target, cancel: cancel,
		bare: s.headers(nil), full: s.headers([]byte("{}")),
		recorder: roundtrip.Recorder{Redactor: s.Clean, MaxBody: exchange.MaxBody, Status: status},
		flights:  map[string]*flight{}, numbers: map[string]int{}}
}

// target is the Targeter. It checks the gate again, since an earlier request may have been in flight when the pacer
// checked it.
func (w *wire) target(t *vegeta.Target) (err error) {
	defer w.caught(&err)
	if w.attack.Gate.Shut() {
		return errShut
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	call, index := w.attack.Next(w.asked), strconv.Itoa(w.asked)
	w.asked++
	if call.Over == nil {
		call.Over = w.sender.Transport
	}
	f := &flight{call: call, headers: &w.bare}
	if len(call.Body) > 0 {
		f.headers = &w.full
	}
	f.planned, f.putOff = w.pacer.begin()
	f.exchange.Request = exchange.Request{Method: call.Method, Path: call.Path, Body: call.Body,
		Header: f.headers.recorded}
	w.flights[index] = f
	t.Method, t.URL, t.Body = call.Method, w.base+call.Path, call.Body
	t.Header = http.Header{callHeader: {index}} // send has the others, which vegeta would copy
	return nil
}

// RoundTrip sends one request, records it, and gives vegeta what came. A GET on a kept connection that the target
// closed without a response, which RFC 9112, section 9.5 lets it do, is sent once more on a new connection, and
// recorded again: the target may have counted both.
func (w *wire) RoundTrip(req *http.Request) (_ *http.Response, err error) {
	defer w.caught(&err)
	call, seq := req.Header[callHeader][0], req.Header[seqHeader][0]
	w.mu.Lock()
	f := w.flights[call]
	delete(w.flights, call)
	w.mu.Unlock()
	w.send(req, f)
	if f.exchange.ReusedClosed() && f.call.Method == http.MethodGet && !w.pacer.over(0) {
		w.keep(f, "")
		f.exchange = exchange.Exchange{Request: f.exchange.Request}
		f.planned, f.putOff = time.Now(), 0
		(&http.Client{Transport: f.call.Over}).CloseIdleConnections()
		req = req.Clone(req.Context())
		req.Close = true
		w.send(req, f)
	}
	w.keep(f, seq)
	return came(req, &f.exchange)
}

// came is what an exchange got, for vegeta's Result: the status, the headers, and the body as it was read, decoded
// and without keys.
func came(req *http.Request, x *exchange.Exchange) (*http.Response, error) {
	r := x.Response
	if r == nil {
		return nil, errors.New(x.Failure.Detail)
	}
	return &http.Response{Status: strconv.Itoa(r.Status) + " " + http.StatusText(r.Status), StatusCode: r.Status,
		Proto: r.Proto, Header: r.Header, Body: io.NopCloser(bytes.NewReader(r.Body)), ContentLength: int64(len(r.Body)),
		Request: req}, nil
}

// send sends a request with the headers that target gave to vegeta and the key, and without the headers for internal
// use.
func (w *wire) send(req *http.Request, f *flight) {
	ctx, cancel := context.WithTimeout(req.Context(), w.sender.Timeout)
	defer cancel()
	out := req.WithContext(ctx)
	out.Header = f.headers.sent
	w.recorder.Send(f.call.Over, out, &f.exchange)
	if why := f.exchange.Failure; why != nil && why.Kind == exchange.Stopped { // no context ends a request in flight
		w.fail(errNoDescriptor)
	}
}

// keep records one request and its response, as vegeta's request with the number seq; "" if it is sent again.
func (w *wire) keep(f *flight, seq string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, x := w.sender, &f.exchange
	r := &record.Record{Other: s.Other, Place: record.Place{Lane: s.Lane, Phase: w.attack.Phase, Round: w.attack.Round,
		Role: f.call.Role, Planned: f.planned.Sub(s.Collector.Recording.Meta.Started), PutOff: f.putOff}}
	w.err = cmp.Or(w.err, s.Collector.Add(r, x))
	if seq != "" {
		w.numbers[seq] = r.N
		w.pacer.end(x.Ended())
	}
	if w.err != nil || w.attack.Each != nil && !w.attack.Each(r) {
		w.cancel()
	}
}

// number sets the number of a Result to that of its record. A Result without one is an error: its request could not
// be built.
func (w *wire) number(res *vegeta.Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	seq := strconv.FormatUint(res.Seq, 10)
	n := w.numbers[seq]
	delete(w.numbers, seq)
	if res.Seq = uint64(n); n == 0 && res.Error != errShut.Error() {
		w.err = cmp.Or(w.err, errors.New(res.Error))
		w.cancel()
	}
}

// Fault is a panic of petconform itself, which ends a run.
type Fault struct {
	Value any
	Stack string
}

func (f Fault) Error() string { return fmt.Sprintf("petconform has a fault of its own: %v", f.Value) }

// Caught is deferred by the function of a goroutine, whose panic it makes a Fault.
func Caught(err *error) {
	if v := recover(); v != nil {
		*err = Fault{v, string(debug.Stack())}
	}
}

// caught is deferred by what vegeta's workers call. It also ends the attack.
func (w *wire) caught(err *error) {
	if v := recover(); v != nil {
		*err = Fault{v, string(debug.Stack())}
		w.fail(*err)
	}
}

// fail ends the attack.
func (w *wire) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, err)
	w.cancel()
}
