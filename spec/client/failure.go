package client

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"petconform/spec/exchange"
)

var errTooLarge = errors.New("the body goes beyond what is read")

// failureOf sorts an error of the transport. begun says that bytes of an answer had come.
func failureOf(ctx context.Context, err error, connected bool) *exchange.Failure {
	f := &exchange.Failure{Kind: exchange.Closed, Detail: plain(err)}
	var netErr net.Error
	var opErr *net.OpError
	switch {
	case errors.Is(context.Cause(ctx), context.Canceled), errors.Is(err, context.Canceled) && ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		f.Kind = exchange.Stopped
	case errors.Is(err, errTooLarge):
		f.Kind = exchange.TooLarge
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		f.Kind = exchange.Timeout
		if !connected {
			f.Kind = exchange.Unreachable
		}
	case errors.As(err, &opErr) && opErr.Op == "dial", errors.Is(err, syscall.ECONNREFUSED), !connected && isLookup(err):
		f.Kind = exchange.Unreachable
	case strings.Contains(err.Error(), "malformed HTTP"), strings.Contains(err.Error(), "HTTP/0.9"),
		strings.Contains(err.Error(), "bad Content-Length"), strings.Contains(err.Error(), "server response headers exceeded"),
		strings.Contains(err.Error(), "malformed MIME header"), strings.Contains(err.Error(), "malformed chunked encoding"),
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"), strings.Contains(err.Error(), "first record does not look like a TLS handshake"):
		f.Kind = exchange.NotHTTP
	case !connected && !errors.Is(err, io.EOF):
		f.Kind = exchange.Unreachable
	}
	return f
}

func isLookup(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns)
}

// plain takes net/http's wrapping off: the method and URL are recorded already.
func plain(err error) string {
	if inner := errors.Unwrap(err); inner != nil && strings.HasPrefix(err.Error(), "Get ") || inner != nil && strings.HasPrefix(err.Error(), "Post ") {
		return inner.Error()
	}
	return err.Error()
}
