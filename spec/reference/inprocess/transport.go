// Package inprocess calls a handler as if it were across a network, without one: for tests that run in a testing/synctest
// bubble, where a real connection can't, and a minute's wait takes no time.
package inprocess

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"time"
)

// Transport is an http.RoundTripper over a handler.
type Transport struct {
	Handler http.Handler
	// Latency is how long an exchange takes: half of it before the handler runs and half after. Default 1 ms.
	Latency time.Duration
}

// RoundTrip calls the handler.
func (t Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	latency := t.Latency
	if latency == 0 {
		latency = time.Millisecond
	}
	trace := httptrace.ContextClientTrace(req.Context())
	if trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	in, err := received(req)
	if err != nil {
		return nil, err
	}
	if err := sleep(req, latency/2); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	if err := serve(t.Handler, final{w}, in); err != nil {
		return nil, err
	}
	if err := sleep(req, latency-latency/2); err != nil {
		return nil, err
	}
	if trace != nil && trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
	return answer(w.Result(), req)
}

// final passes over informational answers (1xx): a client waits for the final one.
type final struct{ *httptest.ResponseRecorder }

func (f final) WriteHeader(status int) {
	if status >= 200 {
		f.ResponseRecorder.WriteHeader(status)
	}
}

// received is the request as a server reads it from the wire.
func received(req *http.Request) (*http.Request, error) {
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
	in.Host, in.RequestURI, in.RemoteAddr = req.URL.Host, req.URL.RequestURI(), "127.0.0.1:40000"
	in.Header = req.Header.Clone()
	if len(body) == 0 {
		in.Body, in.ContentLength = http.NoBody, 0
	}
	return in, nil
}

// serve turns a handler's http.ErrAbortHandler into the end of the connection, as a server does.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		p := recover()
		if ended, ok := p.(error); ok && errors.Is(ended, http.ErrAbortHandler) {
			err = io.EOF
		} else if p != nil {
			panic(p)
		}
	}()
	h.ServeHTTP(finalOnly{w}, r)
	return nil
}

// finalOnly leaves out interim responses (1xx), which a client does not get to see either.
type finalOnly struct{ http.ResponseWriter }

// WriteHeader writes a final status.
func (w finalOnly) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Unwrap lets http.ResponseController find Flush.
func (w finalOnly) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// asRead gives headers the spelling that a client reads them in, whatever it was on the wire. One that the handler
// suppressed, by setting it to nil, is not there.
func asRead(written http.Header) http.Header {
	read := http.Header{}
	for name, values := range written {
		for _, v := range values {
			read.Add(name, v)
		}
	}
	return read
}

// answer writes the response out and reads it again, so that what a server cannot send is not received either.
func answer(resp *http.Response, req *http.Request) (*http.Response, error) {
	_, dated := resp.Header["Date"]
	resp.Header = asRead(resp.Header)
	if !dated {
		resp.Header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	canonical := http.Header{} // a client knows header names by their canonical form, however they were written
	for name, values := range resp.Header {
		for _, v := range values {
			canonical.Add(name, v)
		}
	}
	resp.Header = canonical
	if declared := resp.Header.Get("Content-Length"); declared != "" && !strings.EqualFold(declared, "0") {
		resp.ContentLength = -1
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if resp.ContentLength < 0 && len(resp.TransferEncoding) == 0 && resp.Header.Get("Content-Length") == "" {
		resp.ContentLength = int64(len(body))
	}
	return checkLength(resp, body, req)
}

// checkLength ends a body early when the handler declared a longer one.
func checkLength(resp *http.Response, body []byte, req *http.Request) (*http.Response, error) {
	resp.Request = req
	var declared int64 = -1
	if field := resp.Header.Get("Content-Length"); field != "" {
		for _, c := range field {
			if c < '0' || c > '9' {
				return nil, fmt.Errorf("malformed HTTP response: the Content-Length is %q", field)
			}
			declared = max(declared, 0)*10 + int64(c-'0')
		}
	}
	if declared > int64(len(body)) {
		resp.Body = io.NopCloser(bufio.NewReader(io.MultiReader(bytes.NewReader(body), cutOff{})))
	}
	return resp, nil
}

type cutOff struct{}

func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func sleep(req *http.Request, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-req.Context().Done():
		return req.Context().Err()
	}
}
