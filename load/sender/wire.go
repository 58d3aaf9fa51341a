package sender

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"petconform/load/record"
	"petconform/spec/exchange"
)

// noted is what vegeta gets for an answer: what came is kept already, and vegeta is to follow and to read nothing.
var noted = &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}

// sequence is the header in which vegeta numbers its requests from 0.
const sequence = "X-Vegeta-Seq"

// RoundTrip sends one request of an attack and keeps what came. A GET whose connection had lain idle and ended without an
// answer is sent once more, and both are kept: the target may have counted both.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	i, err := strconv.ParseUint(req.Header.Get(sequence), 10, 63)
	if err != nil {
		return nil, err
	}
	planned, ok := w.pacer.Planned(i)
	if !ok {
		planned = time.Now()
	}
	call, to, f, err := w.begin(int(i))
	if err != nil {
		return nil, err
	}
	if w.once(f, call, to, planned, 1) {
		w.once(newFlight(), call, to, planned, 2)
	}
	return noted, nil
}

// once sends a request once. It says whether that should be repeated.
func (w *wire) once(f *flight, call Call, to *url.URL, planned time.Time, attempt int) (again bool) {
	f.start(call, w.sender.Timeout)
	out := w.outgoing(f, call, to, attempt)
	sent := time.Now()
	resp, err := w.transport(call).RoundTrip(out)
	if !f.wrote.IsZero() {
		sent = f.wrote // dialling and waiting for a free connection are not the target's time
	}
	first := sent
	if err == nil {
		if first = f.first; first.IsZero() {
			first = time.Now() // a transport that doesn't tell
		}
		err = w.read(f, resp)
	}
	end := time.Now()
	if err != nil {
		first = end
		f.x.Failure = w.failure(f, err)
	}
	clock := w.sender.Clock
	clock.Watch(end)
	f.record = record.Record{
		Lane: w.sender.Lane, Phase: w.attack.Phase, Round: w.attack.Round, Role: call.Role, Other: w.sender.Other,
		Connection: call.Connection, Attempt: attempt,
		Planned: clock.Since(planned), Sent: clock.Since(sent), FirstByte: first.Sub(sent), Done: end.Sub(sent),
	}
	w.keep(&f.record, &f.x)
	again = err != nil && resp == nil && f.idle && f.x.Failure.Kind == exchange.Closed && call.Method == http.MethodGet
	w.land(f, err)
	return again
}

// land frees a flight for the next request.
func (w *wire) land(f *flight, err error) {
	if !f.end(err) {
		return
	}
	w.mu.Lock()
	w.free = append(w.free, f)
	w.mu.Unlock()
}

func (w *wire) transport(call Call) http.RoundTripper {
	if call.Connection > 0 && call.Connection <= len(w.attack.Connections) {
		return w.attack.Connections[call.Connection-1]
	}
	return w.sender.Transport
}

// parts are what all requests of an attack share. Nobody changes them: a transport must not, and a recording doesn't.
type parts struct {
	request http.Request
	// kept are the headers as they are recorded, without the key, and sent as they are sent; with a body's or without.
	kept, sent [2]http.Header
}

func (s *Sender) constantParts() parts {
	p := parts{request: http.Request{Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}}
	for i := range p.kept {
		h := http.Header{"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}, "User-Agent": {s.UserAgent}}
		if i == withBody {
			h["Content-Type"] = []string{"application/json"}
		}
		p.kept[i], p.sent[i] = h, h.Clone()
		p.sent[i]["Authorization"] = []string{"Bearer " + s.Key.Reveal()}
	}
	return p
}

const (
	withoutBody = iota
	withBody
)

// identity says that a body goes as it is. Without it net/http begins a goroutine for each request whose body has no
// length, to see whether there is one.
var identity = []string{"identity"}

// outgoing is what goes over the wire: none of vegeta's own headers, and the key, which is not in what is recorded.
//
// Its body can be read once only: net/http would silently send a GET again that met a dead connection, and spend allowance
// that nobody counts.
func (w *wire) outgoing(f *flight, call Call, to *url.URL, attempt int) *http.Request {
	out := w.parts.request.WithContext(f.ctx)
	out.Method, out.URL, out.Host, out.Close = call.Method, to, to.Host, attempt > 1
	which := withoutBody
	out.Body, out.ContentLength, out.TransferEncoding = nothing{}, -1, identity
	if len(call.Body) > 0 {
		which = withBody
		out.Body, out.ContentLength, out.TransferEncoding = io.NopCloser(bytes.NewReader(call.Body)), int64(len(call.Body)), nil
	}
	f.x.Request.Header, out.Header = w.parts.kept[which], w.parts.sent[which]
	return out
}

// nothing is a body without content, which net/http can't tell from one that it must not send twice.
type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, io.EOF }
func (nothing) Close() error             { return nil }

// WriteTo spares net/http the room of 32 kB that it copies a body through.
func (nothing) WriteTo(io.Writer) (int64, error) { return 0, nil }
