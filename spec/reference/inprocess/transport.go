// Package inprocess calls a handler without a network, as a client would over one. It is for tests in a
// testing/synctest bubble, where network connections do not work and waiting takes no time.
package inprocess

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"testing/iotest"
	"time"

	"petconform/spec"
)

// Transport is an http.RoundTripper over a handler.
type Transport struct {
	Handler http.Handler
	// Latency is how long an exchange takes, half of it before the handler runs. Default 1 ms.
	Latency time.Duration
	// Connection gives transports addresses of their own, as connections have.
	Connection int
}

// RoundTrip calls the handler.
func (t Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	latency := cmp.Or(t.Latency, time.Millisecond)
	trace := httptrace.ContextClientTrace(req.Context())
	if trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	w := httptest.NewRecorder()
	if malformed(req) { // as net/http answers it, before any handler
		http.Error(w, "400 Bad Request", http.StatusBadRequest)
		return answer(w, req), nil
	}
	in, err := t.received(req)
	if err != nil {
		return nil, err
	}
	if err := spec.Sleep(req.Context(), latency/2); err != nil {
		return nil, err
	}
	if err := serve(t.Handler, finalOnly{w}, in); err != nil && !w.Flushed { // what was flushed was sent before the connection ended
		return nil, err
	}
	if err := spec.Sleep(req.Context(), latency-latency/2); err != nil {
		return nil, err
	}
	if trace != nil && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
	return answer(w, req), nil
}

func malformed(req *http.Request) bool {
	_, err := url.ParseRequestURI(req.URL.RequestURI())
	return err != nil
}

// received is the request as a server reads it.
func (t Transport) received(req *http.Request) (*http.Request, error) {
	body := []byte(nil)
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		_ = req.Body.Close()
	}
	in, err := http.NewRequestWithContext(req.Context(), req.Method, req.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if req.Header.Get("Transfer-Encoding") != "" {
		in.TransferEncoding, in.ContentLength = []string{"chunked"}, -1
	}
	in.Host, in.RequestURI, in.RemoteAddr = req.URL.Host, req.URL.RequestURI(), fmt.Sprintf("127.0.0.1:%d", 40000+t.Connection)
	in.Header = asRead(req.Header)
	if len(body) == 0 {
		in.Body, in.ContentLength = http.NoBody, 0
	}
	return in, nil
}

// serve calls the handler. Like a server, it turns http.ErrAbortHandler into the end of the connection.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		p := recover()
		if ended, ok := p.(error); ok && errors.Is(ended, http.ErrAbortHandler) {
			err = io.EOF
		} else if p != nil {
			panic(p)
		}
	}()
	h.ServeHTTP(w, r)
	return nil
}

// finalOnly drops informational responses (1xx), as a client does.
type finalOnly struct{ http.ResponseWriter }

// WriteHeader writes a final status.
func (w finalOnly) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Unwrap lets http.ResponseController find Flush.
func (w finalOnly) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// answer is the response as a client reads it. Its body ends early when the handler declared a longer one.
func answer(w *httptest.ResponseRecorder, req *http.Request) *http.Response {
	resp, size := w.Result(), int64(w.Body.Len())
	_, dated := resp.Header["Date"]
	resp.Request, resp.Header = req, asRead(resp.Header)
	if !dated {
		resp.Header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	}
	if resp.ContentLength > size {
		resp.Body = io.NopCloser(io.MultiReader(resp.Body, iotest.ErrReader(io.ErrUnexpectedEOF)))
	}
	resp.ContentLength = max(resp.ContentLength, size)
	return resp
}

// asRead gives header names their canonical form. A header that was set to nil is not sent.
func asRead(written http.Header) http.Header {
	read := http.Header{}
	for name, values := range written {
		for _, v := range values {
			read.Add(name, v)
		}
	}
	return read
}
