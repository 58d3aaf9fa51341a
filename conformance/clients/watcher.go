package clients

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/roundtrip"
)

// Watcher is a handler in front of a service. It records each request with its response.
type Watcher struct {
	// Service answers the requests, below /v1.
	Service http.Handler
	// Keys are the keys of the service, by name.
	Keys map[string]exchange.Secret
	// Record is called with each exchange when it ends, one call at a time.
	Record func(exchange.Exchange) error
	// Full is called once, when the recording has reached a bound. Further requests are answered and not recorded. It
	// may be nil.
	Full func(why string)

	once     sync.Once
	redactor *exchange.Redactor
	// sent is the budget for the bodies of requests, and answered reads responses, with a budget for theirs.
	sent     *exchange.Bodies
	answered roundtrip.Recorder

	connections connections
	// open counts the requests that have not ended, and cut says that the run ends before them.
	open sync.WaitGroup
	cut  atomic.Bool

	mu    sync.Mutex
	n     int
	bytes int64
	// full says why nothing more is recorded, and ended that the run is over.
	full  string
	ended bool
}

// The bounds of what a Watcher records. With them a run takes less than 256 MiB of memory and 64 MiB on disk, whatever
// clients send.
const (
	// MaxExchanges is the largest number of requests.
	MaxExchanges = 30_000
	// MaxBytes bounds what is received of requests, and the headers of responses, in bytes. The animals that clients
	// create are a part of it.
	MaxBytes = 24 << 20
	// MaxBody is the largest body of a request that is judged, in bytes. The service has to refuse a larger one.
	MaxBody = 256 << 10
	// maxAnswers bounds the bodies of responses that are kept whole, in bytes.
	maxAnswers = 8 << 20
)

// Sender is the name under which the recording has what clients sent.
const Sender = "client"

// End waits for the requests that are open, and returns the last line of the recording. What comes later is answered
// and not recorded.
func (w *Watcher) End() exchange.End {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.open.Wait()
	e := exchange.End{Ended: time.Now().UTC(), Stopped: w.full}
	if n := int(w.connections.unread.Load()); n > 0 {
		e.Skipped = map[string]string{
			Sender: spec.Count(n, "connection") + " sent something that was not a whole HTTP request"}
	}
	return e
}

// CutOff says that the run ends before the requests that are open. Their connections are closed next.
func (w *Watcher) CutOff() { w.cut.Store(true) }

// ServeHTTP lets the service answer, and records.
func (w *Watcher) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.once.Do(func() {
		w.redactor, w.sent = exchange.NewRedactor(slices.Collect(maps.Values(w.Keys))...), exchange.NewBodies(MaxBytes)
		w.answered = roundtrip.Recorder{Redactor: w.redactor, MaxBody: exchange.MaxBody, Bodies: exchange.NewBodies(maxAnswers)}
	})
	on, known := r.Context().Value(connectionKey{}).(*connection)
	if !known {
		on = &connection{of: &w.connections}
	}
	x, ok := w.arrived(r, on)
	if !ok {
		w.Service.ServeHTTP(out, r)
		return
	}
	size, whole := w.readBody(&x, r), false
	on.spare(answerTime)
	t := &tap{ResponseWriter: out}
	defer func() { // the service may close the connection, by a panic
		w.complete(x, size, t, whole)
		on.spare(idleTime)
		w.open.Done()
	}()
	w.Service.ServeHTTP(t, r)
	whole = true
}

// arrived gives a request its number and reads its head. ok is false if the recording is full or has ended.
func (w *Watcher) arrived(r *http.Request, on *connection) (x exchange.Exchange, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.full != "" || w.ended || w.n == MaxExchanges {
		return x, false
	}
	w.n++
	header, _ := w.redactor.RedactHeader(exchange.BoundHeader(withoutCredentials(r.Header)))
	x = exchange.Exchange{N: w.n, Check: Sender, Attempt: 1, Sent: time.Now(), Caller: &exchange.Caller{Host: w.hostOf(r)},
		Request: exchange.Request{Method: w.clean(r.Method), Path: w.clean(pathOf(r)), Header: header}}
	x.Operation = spec.OperationOf(x.Request.Method, x.Request.Path)
	x.Auth, x.Caller.Key = keys(w.Keys).credentialOf(r)
	// A proxy may use one connection for several clients.
	proxy := r.Header.Get(forwardedFor) + r.Header.Get("Forwarded") + r.Header.Get("Via")
	if on.number > 0 && proxy == "" {
		var began time.Time
		began, x.Reused = on.begins(x.Sent)
		x.Caller.Connection, x.Caller.Ahead = on.number, x.Sent.Sub(began)
	}
	w.open.Add(1)
	return x, true
}

// readBody reads the body of a request and returns its size. The service reads it once more.
func (w *Watcher) readBody(x *exchange.Exchange, r *http.Request) (size int) {
	body, err := exchange.ReadBody(r.Body, MaxBody)
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), r.Body))
	kept, err := w.sent.Keep(body, err)
	x.Request.Body, _ = w.redactor.Redact(kept)
	switch {
	case errors.Is(err, exchange.ErrTooLarge):
		x.Request.Incomplete = err.Error()
	case err != nil && w.cut.Load():
		x.Request.Incomplete = "the run ended before the client had sent the body"
	case err != nil:
		x.Request.Incomplete = "the client has not sent the body to its end"
	}
	return len(body)
}

// complete records an exchange that is complete, or cut off.
func (w *Watcher) complete(x exchange.Exchange, size int, t *tap, whole bool) {
	x.Done = time.Since(x.Sent)
	switch {
	case w.cut.Load():
		x.Failure = &exchange.Failure{Kind: exchange.Stopped, Detail: "the run ended before the request did"}
	case !whole:
		x.Failure = &exchange.Failure{Kind: exchange.Closed, Detail: "the service closed the connection"}
	case t.status == 0:
		t.WriteHeader(http.StatusOK)
	}
	if t.status != 0 {
		x.FirstByte = min(t.began.Sub(x.Sent), x.Done)
		x.Response, _ = w.answered.Read(&http.Response{StatusCode: t.status, Proto: "HTTP/1.1", Header: t.header,
			Body: io.NopCloser(&t.body)})
		size += sizeOf(x.Response.Header)
	}
	size += len(x.Request.Method) + len(x.Request.Path) + sizeOf(x.Request.Header)
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.Record(x)
	w.bytes += int64(size)
	if w.full != "" {
		return
	}
	switch {
	case err != nil:
		w.full = "the recording could not be written"
	case w.n >= MaxExchanges:
		w.full = fmt.Sprintf("the largest number of requests, %s, was reached", spec.Number(MaxExchanges))
	case w.bytes >= MaxBytes:
		w.full = fmt.Sprintf("the largest number of bytes, %d MiB, was reached after %s", MaxBytes>>20,
			spec.Count(w.n, "request"))
	}
	if w.full != "" && w.Full != nil {
		w.Full(w.full)
	}
}

// clean is a text without keys.
func (w *Watcher) clean(text string) string {
	out, _ := w.redactor.Redact([]byte(text))
	return string(out)
}

// pathOf is the path relative to the base address: "/pets?limit=1". A path that is not below the base address begins
// with "/..".
func pathOf(r *http.Request) string {
	uri := r.URL.EscapedPath()
	path, below := strings.CutPrefix(uri, "/v1")
	if !below || path != "" && path[0] != '/' {
		path = "/.." + uri
	}
	if r.URL.RawQuery != "" {
		path += "?" + maskQuery(r.URL.RawQuery)
	}
	return path
}

const forwardedFor = "X-Forwarded-For"

// hostOf is the address of the client. What a proxy says may be any text, longer than an IPv6 address with its zone.
func (w *Watcher) hostOf(r *http.Request) string {
	if from, _, _ := strings.Cut(r.Header.Get(forwardedFor), ","); from != "" {
		return history.Clip(w.clean(strings.TrimSpace(from)), 64)
	}
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return cmp.Or(host, r.RemoteAddr)
}

// sizeOf returns the number of bytes in a header.
func sizeOf(h http.Header) (n int) {
	for name, values := range h {
		n += len(values)*len(name) + len(strings.Join(values, ""))
	}
	return n
}

// tap keeps a copy of what the service answers.
type tap struct {
	http.ResponseWriter
	began  time.Time
	status int
	header http.Header
	body   bytes.Buffer
}

// WriteHeader notes the status and the time of the response.
func (t *tap) WriteHeader(status int) {
	if status >= http.StatusOK && t.status == 0 {
		t.status, t.header, t.began = status, http.Header{}, time.Now()
		for name, values := range t.Header() { // in canonical case, since case has no meaning
			for _, v := range values {
				t.header.Add(name, v)
			}
		}
	}
	t.ResponseWriter.WriteHeader(status)
}

// Write copies the body.
func (t *tap) Write(p []byte) (int, error) {
	if t.status == 0 {
		t.WriteHeader(http.StatusOK)
	}
	if t.body.Len() <= exchange.MaxBody {
		t.body.Write(p)
	}
	return t.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController find Flush.
func (t *tap) Unwrap() http.ResponseWriter { return t.ResponseWriter }
