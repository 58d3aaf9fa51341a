package client

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// DefaultConnections is how many connections to the target are kept open.
const DefaultConnections = 64

// maxHeader bounds the header section of an answer, in bytes.
const maxHeader = 256 << 10

// TransportOption changes a transport that NewTransport makes.
type TransportOption func(*http.Transport)

// WithTLS sets the TLS configuration: a private authority's certificates, say.
func WithTLS(cfg *tls.Config) TransportOption {
	return func(t *http.Transport) { t.TLSClientConfig = cfg }
}

// NewTransport makes a transport that undoes no compression on its own, so that what is recorded is what came, and that
// honours the proxy settings of the environment.
func NewTransport(connections int, opts ...TransportOption) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	t := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		MaxIdleConns:           connections,
		MaxIdleConnsPerHost:    connections,
		MaxConnsPerHost:        connections,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
	}
	for _, o := range opts {
		o(t)
	}
	return t
}
