package client

import (
	"maps"
	"net/http"
)

// WithHeaders returns a transport that adds headers to every request, below whatever records it. The header of a
// request gives way to one of the same name in h.
func WithHeaders(next http.RoundTripper, h http.Header) http.RoundTripper {
	if len(h) == 0 {
		return next
	}
	return withHeaders{next, h}
}

type withHeaders struct {
	next   http.RoundTripper
	header http.Header
}

func (t withHeaders) RoundTrip(req *http.Request) (*http.Response, error) {
	out := *req // as http.Request.WithContext copies it; the body is read once
	out.Header = maps.Clone(req.Header)
	maps.DeleteFunc(out.Header, func(name string, _ []string) bool { return t.header[http.CanonicalHeaderKey(name)] != nil })
	maps.Copy(out.Header, t.header)
	return t.next.RoundTrip(&out)
}

// CloseIdleConnections closes the idle connections of the transport below.
func (t withHeaders) CloseIdleConnections() {
	(&http.Client{Transport: t.next}).CloseIdleConnections()
}
