package clients

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Watcher is a handler in front of a service. It records each request with its response.
type Watcher struct {
	// Service answers the requests. BasePath is the prefix of its paths: /v1.
	Service  http.Handler
	BasePath string
	// Keys are the keys of the service, by name.
	Keys map[string]exchange.Secret
	// Record is called with each exchange when it ends, one call at a time.
	Record func(exchange.Exchange) error

	once     sync.Once
	redactor *exchange.Redactor
	bodies   *exchange.Bodies
	opened   atomic.Int64

	mu      sync.Mutex
	n, left int
	failed  error
}

// MaxExchanges is how many requests a Watcher records. It answers further ones and counts them.
const MaxExchanges = 100_000

// Err is the error that Record returned, or nil.
func (w *Watcher) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

// End is the last line of the recording.
func (w *Watcher) End() exchange.End {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := exchange.End{Ended: time.Now().UTC()}
	if w.left > 0 {
		e.Skipped = map[string]string{Sender: fmt.Sprintf("%s beyond the first %s are not judged", spec.Count(w.left, "request"), spec.Number(MaxExchanges))}
	}
	if w.failed != nil {
		e.Stopped = "the recording could not be written"
	}
	return e
}

// ServeHTTP lets the service answer, and records.
func (w *Watcher) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.once.Do(w.start)
	on, _ := r.Context().Value(connectionKey{}).(*connection)
	x, ok := w.arrived(r, on)
	if !ok {
		w.Service.ServeHTTP(out, r)
		return
	}
	body, err := exchange.ReadBody(r.Body, exchange.MaxBody)
	on.isRead()
	r.Body = &rest{io.MultiReader(bytes.NewReader(body.Body), r.Body), r.Body}
	kept, _ := w.bodies.Keep(body, err)
	x.Request.Body, _ = w.redactor.Redact(kept.Body)
	t := &tap{ResponseWriter: out, began: x.Sent}
	defer func() {
		thrown := recover()
		w.ended(x, t, thrown)
		if thrown != nil {
			panic(thrown)
		}
	}()
	w.Service.ServeHTTP(t, r)
}

// rest is a request's body of which the first part was read.
type rest struct {
	io.Reader
	io.Closer
}

func (w *Watcher) start() {
	keys := make([]exchange.Secret, 0, len(w.Keys))
	for _, k := range w.Keys {
		keys = append(keys, k)
	}
	w.redactor, w.bodies = exchange.NewRedactor(keys...), exchange.NewBodies(4*exchange.MaxBodies)
}

// arrived returns the number of a request. ok is false if the recording is full.
func (w *Watcher) arrived(r *http.Request, on *connection) (x exchange.Exchange, ok bool) {
	w.mu.Lock()
	if w.n == MaxExchanges {
		w.left++
		w.mu.Unlock()
		return x, false
	}
	w.n++
	x = exchange.Exchange{N: w.n, Check: Sender, Attempt: 1, Sent: time.Now()}
	w.mu.Unlock()
	caller := &exchange.Caller{Host: hostOf(r)}
	x.Auth, caller.Key = credentialOf(r, w.Keys)
	if on != nil && !forwarded(r) {
		var began time.Time
		began, x.Reused = on.begins(x.Sent)
		caller.Connection, caller.Ahead = on.number, x.Sent.Sub(began)
	}
	x.Caller = caller
	method, _ := w.redactor.Redact([]byte(r.Method))
	x.Request = exchange.Request{Method: string(method), Path: w.pathOf(r), Header: w.headerOf(r)}
	x.Operation = spec.OperationOf(x.Request.Method, x.Request.Path)
	return x, true
}

// Sender is the name under which the recording has what clients sent.
const Sender = "client"

// pathOf is the path relative to the base address: "/pets?limit=1". A path that is not below the base address begins with "/..".
func (w *Watcher) pathOf(r *http.Request) string {
	uri := r.URL.EscapedPath()
	path, below := strings.CutPrefix(uri, w.BasePath)
	if !below || path != "" && path[0] != '/' {
		path = "/.." + uri
	}
	if r.URL.RawQuery != "" {
		path += "?" + maskQuery(r.URL.RawQuery)
	}
	clean, _ := w.redactor.Redact([]byte(path))
	return string(clean)
}

func (w *Watcher) headerOf(r *http.Request) http.Header {
	kept, _ := exchange.BoundHeader(withoutCredentials(r.Header))
	clean, _ := w.redactor.RedactHeader(kept)
	return clean
}

// hostOf is the address of the client.
func hostOf(r *http.Request) string {
	if from := r.Header.Get("X-Forwarded-For"); from != "" {
		first, _, _ := strings.Cut(from, ",")
		return strings.TrimSpace(first)
	}
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

// forwarded reports whether a proxy sent the request, which may use one connection for several clients.
func forwarded(r *http.Request) bool {
	return cmp.Or(r.Header.Get("X-Forwarded-For"), r.Header.Get("Forwarded"), r.Header.Get("Via")) != ""
}

// ended records an exchange that is complete.
func (w *Watcher) ended(x exchange.Exchange, t *tap, thrown any) {
	x.Done = time.Since(x.Sent)
	x.FirstByte = min(t.first, x.Done)
	if thrown != nil {
		x.Failure = &exchange.Failure{Kind: exchange.Closed, Detail: "the service closed the connection"}
	}
	if t.status != 0 || thrown == nil {
		x.Response = w.responseOf(t)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.Record(x); err != nil && w.failed == nil {
		w.failed = err
	}
}

func (w *Watcher) responseOf(t *tap) *exchange.Response {
	header, cut := exchange.BoundHeader(canonical(t.header))
	header, redacted := w.redactor.RedactHeader(header)
	res := &exchange.Response{Status: cmp.Or(t.status, http.StatusOK), Proto: "HTTP/1.1", Header: header, HeaderCut: cut, Encoding: header.Get("Content-Encoding")}
	body, err := decoded(t)
	kept, err := w.bodies.Keep(body, err)
	res.Size, res.Digest, res.Truncated = kept.Size, kept.Digest, errors.Is(err, exchange.ErrTooLarge)
	var found bool
	res.Body, found = w.redactor.Redact(kept.Body)
	res.Redacted = redacted || found
	return res
}

// canonical returns the header with names in canonical case, since their case has no meaning.
func canonical(h http.Header) http.Header {
	out := http.Header{}
	for name, values := range h {
		for _, v := range values {
			out.Add(name, v)
		}
	}
	return out
}

// decoded is the body of a response without its coding.
func decoded(t *tap) (exchange.Kept, error) {
	var body io.Reader = &t.body
	if t.header.Get("Content-Encoding") == "gzip" {
		plain, err := gzip.NewReader(body)
		if err != nil {
			return exchange.Kept{}, err
		}
		body = plain
	}
	return exchange.ReadBody(body, exchange.MaxBody)
}

// tap keeps a copy of what the service answers.
type tap struct {
	http.ResponseWriter
	began  time.Time
	status int
	header http.Header
	first  time.Duration
	body   bytes.Buffer
}

// WriteHeader notes the status and the time of the response.
func (t *tap) WriteHeader(status int) {
	if status >= http.StatusOK && t.status == 0 {
		t.status, t.header, t.first = status, t.Header().Clone(), time.Since(t.began)
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
