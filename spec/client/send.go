package client

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Call is a request that a check wants sent.
type Call struct {
	// Check and Step name it in the recording.
	Check, Step string
	Method      string
	// Path is relative to the base address, escaped, with its query.
	Path   string
	Header http.Header
	Body   []byte
	// Auth is the credential; empty means exchange.Key.
	Auth exchange.Auth
}

// Bounds of how often one call is sent again.
const (
	// maxLimited is how many 429 in a row one call may meet, each with its Retry-After waited for.
	maxLimited = 6
	// maxClosed is how often a call is sent when the connection ends without an answer.
	maxClosed = 3
)

// Send sends a call and returns the exchange that settles it. A 429 is waited out and the call sent again; a connection that
// ended without an answer is tried twice more, over a new one. Every sending is recorded. An error ends the run.
func (c *Client) Send(ctx context.Context, call Call) (exchange.Exchange, error) {
	if call.Auth == "" {
		call.Auth = exchange.Key
	}
	limited, closed := 0, 0
	for attempt := 1; ; attempt++ {
		x, reused, err := c.once(ctx, call, attempt, closed > 0)
		if err != nil {
			return x, err
		}
		switch {
		case x.Limited():
			limited++
			if limited >= maxLimited {
				return x, c.fail(fmt.Errorf("%w: %d answers of 429 in a row, each waited out as its Retry-After says", ErrAllowance, limited))
			}
		case x.Failure != nil && (x.Failure.Kind == exchange.Closed || x.Failure.Kind == exchange.NotHTTP):
			if closed++; closed >= maxClosed && !reused || closed > maxClosed {
				return x, nil
			}
		default:
			return x, nil
		}
	}
}

// once admits, sends and records one attempt.
func (c *Client) once(ctx context.Context, call Call, attempt int, fresh bool) (exchange.Exchange, bool, error) {
	g := c.gateFor(call.Auth)
	ticket, err := g.admit(ctx)
	if err != nil {
		return exchange.Exchange{}, false, c.fail(err)
	}
	n, err := c.number()
	if err != nil {
		g.abandon(ticket)
		return exchange.Exchange{}, false, err
	}
	x := exchange.Exchange{N: n, Check: call.Check, Step: call.Step, Auth: call.Auth, Attempt: attempt,
		Operation: spec.OperationOf(call.Method, call.Path),
		Request:   exchange.Request{Method: call.Method, Path: call.Path, Header: c.header(call), Body: call.Body}}
	reused := c.roundTrip(ctx, &x, fresh)
	g.observe(ticket, x)
	if x.Failure != nil && x.Failure.Kind == exchange.Closed {
		c.fewerConnections()
	}
	if err := c.record(x); err != nil {
		return x, reused, err
	}
	if x.Failure != nil && x.Failure.Kind == exchange.Stopped {
		return x, reused, c.fail(context.Cause(ctx))
	}
	return x, reused, nil
}

// fewerConnections gives idle connections up and sends one request at a time from then on: the target may take only so many.
func (c *Client) fewerConnections() {
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
	for _, g := range []*gate{&c.unkeyed, &c.pacers[0].gate, &c.pacers[1].gate} {
		g.beSingle()
	}
}

func (c *Client) header(call Call) http.Header {
	h := http.Header{"Accept": {"application/json"}, "Accept-Encoding": {"gzip"}}
	h.Set("User-Agent", fmt.Sprintf("%s (%s)", c.cfg.UserAgent, call.Check))
	if len(call.Body) > 0 {
		h.Set("Content-Type", "application/json")
	}
	for name, values := range call.Header {
		if values == nil {
			delete(h, name)
			continue
		}
		h[name] = values
	}
	return h
}

// gateFor gives the pacer of the key, or the plain gate of requests without a valid one.
func (c *Client) gateFor(a exchange.Auth) admitter {
	switch a {
	case exchange.Key:
		return c.pacers[0]
	case exchange.OtherKey:
		return c.pacers[1]
	}
	return &c.unkeyed
}

type admitter interface {
	// admit waits until a request may be sent.
	admit(ctx context.Context) (ticket int, err error)
	// observe reads the answer's allowance.
	observe(ticket int, x exchange.Exchange)
	// abandon gives a ticket back for which nothing was sent.
	abandon(ticket int)
}

// backoff is the wait after a 429 whose Retry-After is missing or cannot be read: exponential, from one second.
func backoff(inARow int) time.Duration {
	return min(time.Second<<min(inARow, 6), time.Minute)
}
