package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
	"petconform/spec/verdict"
)

// Watcher is a handler in front of a service. It records each request with its response.
type Watcher struct {
	service http.Handler
	keys    keys
	out     *exchange.Writer
	full    func()

	redactor    *exchange.Redactor
	connections connections
	// open counts the requests that have not ended.
	open sync.WaitGroup

	mu    sync.Mutex
	n     int
	bytes int
	// ended says that nothing more is recorded, and stopped at which bound. failed is why writing did.
	ended   bool
	stopped string
	failed  error
}

// The bounds of a recording: requests, and bytes of it and of a body that is kept whole. With them a run takes less than
// 256 MiB of memory and 64 MiB on disk, whatever clients send. The service has to refuse a larger body.
const (
	MaxExchanges = 30_000
	MaxBytes     = 24 << 20
	MaxBody      = 256 << 10
)

// NewWatcher returns a Watcher in front of a service that answers below /v1 and that has these keys, by name. It writes
// each exchange to a recording when it ends, and calls full when that has reached a bound. What comes later is answered
// and not recorded.
func NewWatcher(service http.Handler, keys map[string]exchange.Secret, meta exchange.Meta, to io.Writer, full func(),
) (w *Watcher, err error) {
	w = &Watcher{service: service, keys: keys, full: full}
	w.redactor = exchange.NewRedactor(slices.Collect(maps.Values(keys))...)
	w.out, err = exchange.NewWriter(to, meta)
	return w, err
}

// End waits for the requests that are open, and ends the recording. failure says why the run ended early, if it did. What
// comes later is answered and not recorded.
func (w *Watcher) End(failure string) error {
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	w.open.Wait()
	end := exchange.End{Ended: time.Now().UTC(), Stopped: cmp.Or(w.stopped, failure)}
	return cmp.Or(w.failed, w.out.End(end))
}

// ServeHTTP lets the service answer, and records.
func (w *Watcher) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	on := r.Context().Value(connectionKey{}).(*connection) //nolint:forcetypeassert // Connected sets it
	x, ok := w.arrived(r, on)
	if !ok {
		w.service.ServeHTTP(out, r)
		return
	}
	body, err := exchange.ReadBody(r.Body, MaxBody)
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), r.Body)) // the service reads it once more
	if err != nil {
		x.Request.Incomplete = err.Error()
	}
	x.Request.Body, _ = w.redactor.Redact(body)
	x.Failure = &exchange.Failure{Kind: exchange.Closed, Detail: "the service closed the connection"} // by a panic
	on.spare(answerTime)
	t := &tap{ResponseWriter: out}
	defer func() {
		w.complete(x, t)
		on.spare(idleTime)
		w.open.Done()
	}()
	w.service.ServeHTTP(t, r)
	x.Failure, t.status = nil, cmp.Or(t.status, http.StatusOK)
}

// arrived gives a request its number and reads its head. ok is false if nothing more is recorded.
func (w *Watcher) arrived(r *http.Request, on *connection) (x exchange.Exchange, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || w.n == MaxExchanges {
		return x, false
	}
	w.n++
	w.open.Add(1)
	x = exchange.Exchange{N: w.n, Check: verdict.ClientKind, Attempt: 1, Sent: time.Now(),
		Caller: &exchange.Caller{}, Auth: exchange.OtherForm}
	x.Caller.Host, _, _ = net.SplitHostPort(r.RemoteAddr)
	method, _ := w.redactor.Redact([]byte(r.Method))
	path, _ := w.redactor.Redact([]byte(pathOf(r)))
	x.Request.Method, x.Request.Path = string(method), string(path)
	x.Operation = spec.OperationOf(x.Request.Method, x.Request.Path)
	header := r.Header.Clone()
	for name := range header {
		if exchange.NamesSecret(name) {
			header[name] = []string{exchange.Mask}
		}
	}
	delete(header, "Authorization")
	form, name := w.keys.credential(r)
	switch x.Caller.Key = name; form {
	case usual:
		x.Auth = exchange.Key
	case "":
		x.Auth = exchange.NoKey
	default:
		header.Set("Authorization", form)
	}
	x.Request.Header, _ = w.redactor.RedactHeader(exchange.BoundHeader(header))
	// A proxy may use one connection for several clients.
	if r.Header.Get("X-Forwarded-For")+r.Header.Get("Forwarded")+r.Header.Get("Via") == "" {
		x.Caller.Connection, x.Caller.Ahead = on.number, x.Sent.Sub(on.begins(x.Sent))
	}
	return x, true
}

// complete records an exchange that is complete.
func (w *Watcher) complete(x exchange.Exchange, t *tap) {
	x.Done = time.Since(x.Sent)
	x.FirstByte = x.Done
	if t.status != 0 {
		header := http.Header{}
		for name, values := range t.Header() { // in canonical case, since case has no meaning
			header[http.CanonicalHeaderKey(name)] = values
		}
		read := roundtrip.Recorder{Redactor: w.redactor, MaxBody: MaxBody}
		x.Response, _ = read.Read(&http.Response{StatusCode: t.status, Proto: "HTTP/1.1", Header: header,
			Body: io.NopCloser(&t.body)})
	}
	line, _ := json.Marshal(x)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bytes += len(line)
	w.failed = cmp.Or(w.failed, w.out.Write(x))
	if w.stopped == "" && (w.failed != nil || w.n >= MaxExchanges || w.bytes >= MaxBytes) {
		w.ended, w.stopped = true, fmt.Sprintf("the largest recording, of %s requests or %d MiB, is full",
			spec.Number(MaxExchanges), MaxBytes>>20)
		w.full()
	}
}

// pathOf is the path relative to the base address: "/pets?limit=1". A path that is not below the base address begins
// with "/..". What may be a secret of another service is masked.
func pathOf(r *http.Request) string {
	uri := r.URL.EscapedPath()
	path, below := strings.CutPrefix(uri, "/v1")
	if !below || path != "" && path[0] != '/' {
		path = "/.." + uri
	}
	pairs := strings.Split(r.URL.RawQuery, "&")
	for i, pair := range pairs {
		for part := range strings.SplitSeq(pair, ";") {
			raw, _, _ := strings.Cut(part, "=")
			if name, _ := url.QueryUnescape(raw); exchange.NamesSecret(raw) || exchange.NamesSecret(name) {
				pairs[i] = raw + "=" + exchange.Mask
			}
		}
	}
	return strings.TrimSuffix(path+"?"+strings.Join(pairs, "&"), "?")
}

// tap keeps a copy of what the service answers.
type tap struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (t *tap) WriteHeader(status int) {
	if status >= http.StatusOK {
		t.status = cmp.Or(t.status, status)
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *tap) Write(p []byte) (int, error) {
	t.status = cmp.Or(t.status, http.StatusOK)
	if t.body.Len() <= MaxBody {
		t.body.Write(p)
	}
	return t.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController find Flush.
func (t *tap) Unwrap() http.ResponseWriter { return t.ResponseWriter }
