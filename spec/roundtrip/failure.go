package roundtrip

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"petconform/spec/exchange"
)

// notHTTP are parts of the errors that net/http and crypto/tls have no types for.
var notHTTP = []string{"malformed HTTP", "HTTP/0.9", "bad Content-Length", "multiple Content-Length headers",
	"server response headers exceeded", "malformed MIME header", "header list too large", "malformed chunked encoding",
	"chunk length", "long trailer", "server gave HTTP response to HTTPS client",
	"first record does not look like a TLS handshake"}

// failureOf classifies an error of the transport. connected says that the request had a connection.
func failureOf(ctx context.Context, err error, connected bool) *exchange.Failure {
	f := &exchange.Failure{Kind: exchange.Closed, Detail: plain(err)}
	var netErr net.Error
	var opErr *net.OpError
	var authority x509.UnknownAuthorityError
	var refused *ProxyError
	switch {
	case errors.Is(err, errUnasked):
		f.Kind = exchange.Unasked
	case errors.Is(err, errUndecodable):
		f.Kind = exchange.Undecodable
	case errors.Is(context.Cause(ctx), context.Canceled),
		errors.Is(err, context.Canceled) && ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		f.Kind = exchange.Stopped
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		f.Kind = exchange.Stopped // a fault of this machine, and not of the target
	case errors.Is(err, exchange.ErrTooLarge):
		f.Kind = exchange.TooLarge
	case errors.Is(err, context.DeadlineExceeded), errors.Is(context.Cause(ctx), context.DeadlineExceeded),
		errors.As(err, &netErr) && netErr.Timeout():
		f.Kind = exchange.Timeout
		if !connected {
			f.Kind = exchange.Unreachable
		}
	case errors.As(err, &opErr) && opErr.Op == "dial", errors.Is(err, syscall.ECONNREFUSED), !connected && isLookup(err):
		f.Kind = exchange.Unreachable
	case errors.As(err, &refused):
		f.Kind, f.Detail = exchange.Unreachable, refused.Error()
	case errors.As(err, &authority):
		f.Kind, f.Detail = exchange.Unreachable, unknownAuthority(authority.Cert)
	case strings.Contains(f.Detail, "remote error: tls: "):
		f.Kind = exchange.Unreachable
		f.Detail += "; the target may want a client certificate, or another one: name its file by --cert"
	case slices.ContainsFunc(notHTTP, func(text string) bool { return strings.Contains(err.Error(), text) }):
		f.Kind = exchange.NotHTTP
		switch text := err.Error(); {
		case strings.Contains(text, "server gave HTTP response to HTTPS client"), strings.Contains(text, "does not look like a TLS handshake"):
			f.Detail = "the target speaks plain HTTP; try http:// in place of https://"
		case strings.Contains(text, `malformed HTTP response "\x15\x03`): // a TLS alert
			f.Detail = "the target speaks TLS; try https:// in place of http://"
		}
	case strings.Contains(err.Error(), "REFUSED_STREAM"): // of RFC 9113, section 8.7; net/http has no type for it
		f.Detail = "the target closed the request's stream, before it processed the request (HTTP/2, REFUSED_STREAM)"
	case !connected && !errors.Is(err, io.EOF):
		f.Kind = exchange.Unreachable
	}
	return f
}

// ProxyError says that a proxy refused to connect to the target.
type ProxyError struct {
	Proxy  string // its address, without a password
	Status int    // that of its response to CONNECT
}

func (e *ProxyError) Error() string {
	do := "let the proxy pass the target"
	if e.Status == http.StatusProxyAuthRequired {
		do = "put a user and a password into HTTPS_PROXY, like http://user:password@proxy.example:3128"
	}
	return fmt.Sprintf("the proxy %s refuses to connect to the target (%d %s); %s, or add the target's host to NO_PROXY",
		e.Proxy, e.Status, http.StatusText(e.Status), do)
}

// unknownAuthority says who signed a certificate that can't be verified. It does not show whether the signer is an
// authority of the user's own, or an intermediate one whose certificate the target should send.
func unknownAuthority(cert *x509.Certificate) string {
	by := "an authority"
	if cert != nil {
		by = strconv.Quote(cert.Issuer.String())
	}
	return "the certificate of the target is signed by " + by + ", which this machine does not know; name a file with the " +
		"authority's certificate by --ca-cert, or let the target send all intermediate certificates"
}

func isLookup(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns)
}

// plain removes the method and the URL that net/http puts before an error, since they are recorded already.
func plain(err error) string {
	text := err.Error()
	if inner := errors.Unwrap(err); inner != nil && (strings.HasPrefix(text, "Get ") || strings.HasPrefix(text, "Post ")) {
		return inner.Error()
	}
	return text
}
