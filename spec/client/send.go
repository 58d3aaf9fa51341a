package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
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
	// Again is asked before the call is sent again; nil allows it. A createPet that is sent again may create another
	// animal.
	Again func() bool
}

// The limits of sending one call again.
const (
	// maxLimited is the number of 429s to one call that ends the run. If none says when to retry, the pauses of backoff
	// before the eighth are 127 s together, two of the plans' windows.
	maxLimited = 8
	// maxClosed is how often a call is sent if the connection closes without an answer. A createPet is sent once less,
	// since each may create an animal.
	maxClosed = 3
)

// Send sends a call and returns its last exchange. After a 429 it waits for Retry-After and sends the call again. After
// a connection that closed without an answer it sends the call twice more at once, over new connections. During an
// outage of the target it sends the call again when the target answers. Every exchange is recorded. An error ends the
// run.
func (c *Client) Send(ctx context.Context, call Call) (exchange.Exchange, error) {
	call.Auth = cmp.Or(call.Auth, exchange.Key)
	limited, unsaid, closed := 0, 0, 0
	var so outage
	for attempt := 1; ; attempt++ {
		x, err := c.attempt(ctx, call, attempt, closed > 0)
		if err != nil {
			return x, err
		}
		var wait time.Duration
		var again bool
		var ended error
		may := call.Again == nil || call.Again()
		atOnce := may && sentAtOnce(&x, closed)
		if !atOnce {
			so.closed = closed
			wait, again, ended = c.met(ctx, &x, &so, may)
		}
		if err := c.record(x); err != nil {
			return x, err
		}
		switch {
		case ended != nil:
			return x, ended
		case x.Limited() && !may:
			return x, nil
		case x.Failure != nil && x.Failure.Kind == exchange.Stopped:
			return x, c.fail(cmp.Or(context.Cause(ctx), errNoDescriptor))
		case atOnce:
			closed++
		case again:
			if err := c.waitOut(ctx, "the target has an outage", wait); err != nil {
				return x, c.fail(err)
			}
		case x.Limited():
			if _, said := exchange.RetryAfter(x.Response.Header, x.Received()); !said {
				unsaid++
			}
			if limited++; limited == maxLimited {
				return x, c.fail(fmt.Errorf("%w: %d answers of 429 in a row, %d without a valid Retry-After; the run waited after each",
					ErrAllowance, limited, unsaid))
			}
		default:
			return x, nil
		}
	}
}

// sentAtOnce reports whether a call whose connection closed without a response, for the closed-th time before this one,
// is sent again at once. A reused connection may have closed before the request arrived, so the call is sent once more.
func sentAtOnce(x *exchange.Exchange, closed int) bool {
	if x.Failure == nil || x.Failure.Kind != exchange.Closed && x.Failure.Kind != exchange.NotHTTP {
		return false
	}
	most := maxClosed - 1
	if x.Operation == spec.CreatePet {
		most--
	}
	if x.ReusedClosed() {
		most++
	}
	return closed < most
}

// attempt admits and sends a call once.
func (c *Client) attempt(ctx context.Context, call Call, n int, fresh bool) (x exchange.Exchange, err error) {
	p := cmp.Or(c.pacers[call.Auth], c.pacers[exchange.NoKey])
	if err := p.admit(ctx); err != nil {
		return x, c.fail(err)
	}
	number, err := c.number()
	if err != nil {
		p.abandon()
		return x, err
	}
	x = exchange.Exchange{N: number, Check: call.Check, Step: call.Step, Auth: call.Auth, Attempt: n,
		Operation: spec.OperationOf(call.Method, call.Path),
		Request:   exchange.Request{Method: call.Method, Path: call.Path, Header: c.header(call), Body: call.Body}}
	c.exchange(ctx, &x, fresh)
	p.observe(x)
	if x.Failure != nil && x.Failure.Kind == exchange.Closed {
		c.fewerConnections()
	}
	return x, nil
}

// fewerConnections closes idle connections and sends one request at a time from then on: the target may accept few
// connections.
func (c *Client) fewerConnections() {
	(&http.Client{Transport: c.cfg.Transport}).CloseIdleConnections()
	for _, p := range c.pacers {
		p.beSingle()
	}
}

func (c *Client) header(call Call) http.Header {
	h := roundtrip.Header(fmt.Sprintf("%s (%s)", c.cfg.UserAgent, call.Check), call.Body)
	for name, values := range call.Header {
		if values == nil {
			delete(h, name)
			continue
		}
		h[name] = values
	}
	return h
}
