package client

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Call is a request of a check.
type Call struct {
	// Check and Step name the exchange in the recording.
	Check, Step string
	Method      string
	// Path is relative to the base address, escaped, with its query.
	Path   string
	Header http.Header
	Body   []byte
	// Auth is the credential; empty means exchange.Key.
	Auth exchange.Auth
}

// The limits of sending one call again.
const (
	// maxLimited is the number of 429 to one call that end the run.
	maxLimited = 6
	// maxClosed is how often a call is sent if the connection closes without an answer.
	maxClosed = 3
)

// Send sends a call and returns its last exchange. After a 429 it waits for Retry-After and sends the call again. After a
// connection that closed without an answer it sends the call twice more, over new connections, and after a 502, 503 or 504 up to
// four times more. Every exchange is recorded. An error ends the run.
func (c *Client) Send(ctx context.Context, call Call) (exchange.Exchange, error) {
	if call.Auth == "" {
		call.Auth = exchange.Key
	}
	limited, closed, out := 0, 0, 0
	for attempt := 1; ; attempt++ {
		x, reused, wait, err := c.once(ctx, call, attempt, closed > 0, out)
		if err != nil {
			return x, err
		}
		switch {
		case wait > 0:
			out++
			if err := c.wait(ctx, "the target has an outage", wait); err != nil {
				return x, c.fail(err)
			}
		case x.Limited():
			limited++
			if limited >= maxLimited {
				return x, c.fail(fmt.Errorf("%w: %d answers of 429 in a row, although each Retry-After was obeyed", ErrAllowance, limited))
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

// once admits, sends and records one attempt. It returns how long to wait before the next when the target has an outage.
func (c *Client) once(ctx context.Context, call Call, attempt int, fresh bool, out int) (x exchange.Exchange, reused bool, wait time.Duration, err error) {
	g := c.gateFor(call.Auth)
	if err := g.admit(ctx); err != nil {
		return x, false, 0, c.fail(err)
	}
	n, err := c.number()
	if err != nil {
		g.abandon()
		return x, false, 0, err
	}
	x = exchange.Exchange{N: n, Check: call.Check, Step: call.Step, Auth: call.Auth, Attempt: attempt,
		Operation: spec.OperationOf(call.Method, call.Path),
		Request:   exchange.Request{Method: call.Method, Path: call.Path, Header: c.header(call), Body: call.Body}}
	reused = c.roundTrip(ctx, &x, fresh)
	g.observe(x)
	wait, _ = c.out.after(&x, out, c.cfg.MaxWait)
	if x.Failure != nil && x.Failure.Kind == exchange.Closed {
		c.fewerConnections()
	}
	if err := c.record(x); err != nil {
		return x, reused, 0, err
	}
	if x.Failure != nil && x.Failure.Kind == exchange.Stopped {
		return x, reused, 0, c.fail(context.Cause(ctx))
	}
	return x, reused, wait, nil
}

// fewerConnections closes idle connections and sends one request at a time from then on: the target may accept few connections.
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

// gateFor returns the pacer of a valid key, or the gate of requests without one.
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
	admit(ctx context.Context) error
	// observe reads the allowance from the answer.
	observe(x exchange.Exchange)
	// abandon takes back an admission for which nothing was sent.
	abandon()
}

// backoff is the wait after a 429 without a valid Retry-After: 1 s, 2 s, 4 s and so on, up to 1 min.
func backoff(inARow int) time.Duration {
	return min(time.Second<<min(inARow, 6), time.Minute)
}
