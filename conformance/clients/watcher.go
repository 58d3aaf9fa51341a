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
	// Full is called once, when the recording has reached a bound. Further requests are answered and not recorded. It
	// may be nil.
	Full func(why string)

	once     sync.Once
	redactor *exchange.Redactor
	// sent is the budget for the bodies of requests, and answered that for those of responses.
	sent, answered *exchange.Bodies
	opened, unread atomic.Int64

	mu    sync.Mutex
	n     int
	bytes int64
	// open are the requests that have not ended.
	open map[int]exchange.Exchange
	full string
	// failed says that Record returned an error.
	failed bool
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

// End is the last line of the recording.
func (w *Watcher) End() exchange.End {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := exchange.End{Ended: time.Now().UTC()}
	e.Stopped = w.full
	if n := int(w.unread.Load()); n > 0 {
		e.Skipped = map[string]string{
			Sender: spec.Count(n, "connection") + " sent something that was not a whole HTTP request"}
	}
	if w.failed {
		e.Stopped = "the recording could not be written"
	}
	return e
}

// CutOff records the requests that have not ended, as cut off. What still comes is not recorded.
func (w *Watcher) CutOff() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range slices.Sorted(maps.Keys(w.open)) {
		x := w.open[n]
		x.Done = time.Since(x.Sent)
		x.Failure = &exchange.Failure{Kind: exchange.Stopped, Detail: "the run ended before the request did"}
		if x.Request.Incomplete == unfinished {
			x.Request.Incomplete = "the run ended before the client had sent the body"
		}
		w.record(x)
	}
}

// record records an exchange that is open. The caller holds the lock.
func (w *Watcher) record(x exchange.Exchange) {
	if _, open := w.open[x.N]; !open {
		return // it was cut off
	}
	delete(w.open, x.N)
	w.failed = w.Record(x) != nil || w.failed
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
	x = w.received(x, r)
	on.isRead()
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

// unfinished is why the body of a request that is being read is incomplete.
const unfinished = "the client has not sent the body to its end"

// received reads the body of a request.
func (w *Watcher) received(x exchange.Exchange, r *http.Request) exchange.Exchange {
	body, err := exchange.ReadBody(r.Body, MaxBody)
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body.Body), r.Body), r.Body}
	kept, err := w.sent.Keep(body, err)
	x.Request.Body, _ = w.redactor.Redact(kept.Body)
	x.Request.Incomplete = ""
	switch {
	case errors.Is(err, exchange.ErrTooLarge):
		x.Request.Incomplete = err.Error()
	case err != nil:
		x.Request.Incomplete = unfinished
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, open := w.open[x.N]; open {
		w.open[x.N] = x
	}
	w.spend(body.Size)
	return x
}

// spend counts bytes that were received. The caller holds the lock.
func (w *Watcher) spend(bytes int64) {
	w.bytes += bytes
	switch {
	case w.full != "":
		return
	case w.n >= MaxExchanges:
		w.full = fmt.Sprintf("the largest number of requests, %s, was reached", spec.Number(MaxExchanges))
	case w.bytes >= MaxBytes:
		w.full = fmt.Sprintf("the largest number of bytes, %d MiB, was reached after %s",
			MaxBytes>>20, spec.Count(w.n, "request"))
	default:
		return
	}
	if w.Full != nil {
		w.Full(w.full)
	}
}

func (w *Watcher) start() {
	w.redactor = exchange.NewRedactor(slices.Collect(maps.Values(w.Keys))...)
	w.open = map[int]exchange.Exchange{}
	w.sent, w.answered = exchange.NewBodies(MaxBytes), exchange.NewBodies(maxAnswers)
}

// arrived gives a request its number and reads its head. ok is false if the recording is full.
func (w *Watcher) arrived(r *http.Request, on *connection) (x exchange.Exchange, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.full != "" {
		return x, false
	}
	w.n++
	method, _ := w.redactor.Redact([]byte(r.Method))
	x = exchange.Exchange{N: w.n, Check: Sender, Attempt: 1, Sent: time.Now(),
		Caller: &exchange.Caller{Host: w.hostOf(r)},
		Request: exchange.Request{Method: string(method), Path: w.pathOf(r), Header: w.headerOf(r),
			Incomplete: unfinished}}
	x.Operation = spec.OperationOf(x.Request.Method, x.Request.Path)
	x.Auth, x.Caller.Key = credentialOf(r, w.Keys)
	if on != nil && !forwarded(r) {
		var began time.Time
		began, x.Reused = on.begins(x.Sent)
		x.Caller.Connection, x.Caller.Ahead = on.number, x.Sent.Sub(began)
	}
	w.open[x.N] = x
	w.spend(int64(len(x.Request.Method)+len(x.Request.Path)+len(x.Caller.Host)) + sizeOf(x.Request.Header))
	return x, true
}

// Sender is the name under which the recording has what clients sent.
const Sender = "client"

// pathOf is the path relative to the base address: "/pets?limit=1". A path that is not below the base address begins
// with "/..".
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

// sizeOf returns the number of bytes in a header.
func sizeOf(h http.Header) (n int64) {
	for name, values := range h {
		for _, v := range values {
			n += int64(len(name) + len(v))
		}
	}
	return n
}

// longestHost is the length of the longest address, an IPv6 address with a zone, in characters.
const longestHost = 64

// hostOf is the address of the client. What a proxy says may be any text.
func (w *Watcher) hostOf(r *http.Request) string {
	if from := r.Header.Get("X-Forwarded-For"); from != "" {
		first, _, _ := strings.Cut(from, ",")
		clean, _ := w.redactor.Redact([]byte(strings.TrimSpace(first)))
		return history.Clip(string(clean), longestHost)
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
	if x.Response != nil {
		w.spend(sizeOf(x.Response.Header))
	}
	w.record(x)
}
