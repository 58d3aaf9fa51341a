package client

import (
	"cmp"
	"context"
	"maps"
	"net"
	"net/http"
	"net/url"
	"time"

	"petconform/spec/roundtrip"
)

// DefaultConnections is the largest number of connections to a target.
const DefaultConnections = 64

// maxHeader is the largest header of an answer, in bytes.
const maxHeader = 256 << 10

// longestIdle is how long a connection may be idle and still carry a request. Servers close idle connections after a
// whole number of seconds, from 1 s on, and a client comes back after the whole number of seconds that Retry-After
// names. So a request on a connection that was idle for as long would often cross its closing.
const longestIdle = 900 * time.Millisecond

// Resolve makes t connect to other addresses: keys and values of at are host:port.
func Resolve(t *http.Transport, at map[string]string) {
	dial := t.DialContext
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return dial(ctx, network, cmp.Or(at[address], address))
	}
}

// NewTransport makes a transport. It does not decompress bodies, so that they can be recorded as they were sent, and it
// uses the proxy of the environment.
func NewTransport(connections int) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		MaxIdleConns:           connections,
		MaxIdleConnsPerHost:    connections,
		MaxConnsPerHost:        connections,
		IdleConnTimeout:        longestIdle,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
		OnProxyConnectResponse: func(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
			if resp.StatusCode == http.StatusOK {
				return nil
			}
			return &roundtrip.ProxyError{Proxy: proxy.Scheme + "://" + proxy.Host, Status: resp.StatusCode}
		},
	}
}

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
