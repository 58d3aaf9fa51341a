package sender

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

// seqHeader has vegeta's number of the request. It is canonical, so that it is found as it stands.
const seqHeader = "X-Vegeta-Seq"

var errShut = errors.New("the gate is shut")

// errNoDescriptor means that this machine can't open another connection.
var errNoDescriptor = errors.New("this machine has no file descriptor left for another connection; " +
	"raise the limit (ulimit -n), or load fewer plans or keys at a time (--shard)")

// wire is the Targeter of an attack, which says what to send, and the RoundTripper below vegeta's Attacker, which
// adds the key, sends and records. vegeta says when, has the workers, and makes a Result of what comes. A worker's
// request is recorded before it asks for the next one, so Next and Gate may depend on the response.
type wire struct {
	*Sender
	attack   *Attack
	pacer    *Pacer
	recorder roundtrip.Recorder
	// recorded and sent are the headers of a request without a body (false) and with one, as they are recorded, and with
	// the key. Nothing changes them.
	recorded, sent map[bool]http.Header
	// begun is the number of requests that have begun.
	begun atomic.Uint64
	// cancel ends the attack.
	cancel context.CancelFunc

	// base is the path of the base address.
	base string

	mu    sync.Mutex
	asked int
	// numbers has the number of each record by vegeta's number of the request, until the Result comes.
	numbers map[string]int
	err     error
}

func newWire(s *Sender, p *Pacer, cancel context.CancelFunc) *wire {
	status := func(status int) {
		if status == http.StatusTooManyRequests && p.Gate != nil {
			p.Gate.Close()
		}
	}
	w := &wire{Sender: s, attack: &p.Attack, pacer: p, cancel: cancel,
		recorder: roundtrip.Recorder{Redactor: s.Clean, MaxBody: exchange.MaxBody, Status: status},
		recorded: map[bool]http.Header{}, sent: map[bool]http.Header{}, numbers: map[string]int{}}
	if base, err := url.Parse(w.Collector.Recording.Meta.Target); err == nil { // else no request can be built
		w.base = base.EscapedPath()
	}
	for has, body := range map[bool][]byte{false: nil, true: []byte("{}")} {
		w.recorded[has] = roundtrip.Header(s.UserAgent, body)
		w.sent[has] = roundtrip.Keyed(w.recorded[has], exchange.Key, s.Key)
	}
	return w
}

// target is the Targeter. It checks the gate again, since an earlier request may have been in flight when the pacer
// checked it.
func (w *wire) target(t *vegeta.Target) (err error) {
	defer Caught(&err, w.fail)
	if w.attack.Gate.Shut() {
		return errShut
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	call := w.attack.Next(w.asked)
	w.asked++
	t.Method, t.URL, t.Body = call.Method, w.Collector.Recording.Meta.Target+call.Path, call.Body
	return nil // send has the headers, which vegeta would copy
}

// RoundTrip sends one request, records it, and gives vegeta what came. A GET on a kept connection that the target
// closed without a response, which RFC 9112, section 9.5 lets it do, is sent once more on a new connection, and
// recorded again: the target may have counted both.
func (w *wire) RoundTrip(req *http.Request) (_ *http.Response, err error) {
	defer Caught(&err, w.fail)
	seq := req.Header[seqHeader][0]
	over := w.attack.Over[(w.begun.Add(1)-1)%uint64(len(w.attack.Over))]
	due, putOff := w.pacer.begin()
	x := w.send(req, over)
	if x.ReusedClosed() && req.Method == http.MethodGet && !w.pacer.over(0) {
		w.keep(x, due, putOff, "")
		due, putOff = time.Now(), 0
		(&http.Client{Transport: over}).CloseIdleConnections()
		req = req.Clone(req.Context())
		req.Close = true
		x = w.send(req, over)
	}
	w.keep(x, due, putOff, seq)
	return came(req, x)
}

// came is what an exchange got, for vegeta's Result: the status, the headers, and the body as it was read, decoded
// and without keys. One that was not read whole is an error, as it is without us.
func came(req *http.Request, x *exchange.Exchange) (*http.Response, error) {
	if x.Failure != nil {
		return nil, errors.New(x.Failure.Detail)
	}
	r := x.Response
	return &http.Response{Status: strconv.Itoa(r.Status) + " " + http.StatusText(r.Status), StatusCode: r.Status,
		Proto: r.Proto, Header: r.Header, Body: io.NopCloser(bytes.NewReader(r.Body)), ContentLength: int64(len(r.Body)),
		Request: req}, nil
}

// send sends a request with the key, and without the headers for internal use.
func (w *wire) send(req *http.Request, over http.RoundTripper) *exchange.Exchange {
	ctx, cancel := context.WithTimeout(req.Context(), w.Timeout)
	defer cancel()
	x := &exchange.Exchange{Request: exchange.Request{Method: req.Method, Path: strings.TrimPrefix(req.URL.RequestURI(), w.base)}}
	if req.GetBody != nil {
		body, _ := req.GetBody() // vegeta made it of bytes, which are read whole
		x.Request.Body, _ = io.ReadAll(body)
	}
	has, out := x.Request.Body != nil, req.WithContext(ctx)
	x.Request.Header, out.Header = w.recorded[has], w.sent[has]
	w.recorder.Send(over, out, x)
	if why := x.Failure; why != nil && why.Kind == exchange.Stopped { // no context ends a request in flight
		w.fail(errNoDescriptor)
	}
	return x
}

// keep records one request and its response, as vegeta's request with the number seq; "" if it is sent again.
func (w *wire) keep(x *exchange.Exchange, due time.Time, putOff time.Duration, seq string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.attack
	r := &record.Record{Other: w.Other, Place: record.Place{Lane: w.Lane, Phase: a.Phase, Round: a.Round, Role: a.Role,
		Planned: due.Sub(w.Collector.Recording.Meta.Started), PutOff: putOff}}
	w.err = cmp.Or(w.err, w.Collector.Add(r, x))
	if seq != "" {
		w.numbers[seq] = r.N
		w.pacer.end(x.Ended())
	}
	if w.err != nil || a.Each != nil && !a.Each(r) {
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

// Caught is deferred by the function of a goroutine, whose panic it makes a Fault, which it passes on.
func Caught(err *error, then ...func(error)) {
	if v := recover(); v != nil {
		*err = Fault{v, string(debug.Stack())}
		for _, f := range then {
			f(*err)
		}
	}
}

// fail ends the attack.
func (w *wire) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = cmp.Or(w.err, err)
	w.cancel()
}
