package client

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

// Call is a request of a check.
type Call struct {
	Check, Step string // Check and Step name the exchange in the recording
	Method      string
	Path        string // relative to the base address, escaped, with its query
	Header      http.Header
	Body        []byte
	Auth        exchange.Auth // the credential; empty means exchange.Key
	// Again is asked before the call is sent again; nil allows it. A createPet that is sent again may create another
	// animal.
	Again func() bool
}

// Send sends a call and returns its last exchange. It sends the call again as next says. Every exchange is recorded. An
// error ends the run.
func (c *Client) Send(ctx context.Context, call Call) (exchange.Exchange, error) {
	call.Auth = cmp.Or(call.Auth, exchange.Key)
	var so repeats
	for attempt := 1; ; attempt++ {
		x, err := c.attempt(ctx, call, attempt, so.closed > 0)
		if err != nil {
			return x, err
		}
		wait, again, err := c.next(ctx, &x, &so, call.Again == nil || call.Again())
		if err := cmp.Or(c.record(x), err); err != nil || !again {
			return x, err
		}
		if wait > 0 {
			why := "it sends no response"
			if x.Response != nil {
				why = fmt.Sprintf("it answers %d", x.Status())
			}
			if err := c.waitOut(ctx, why, wait); err != nil {
				return x, err
			}
		}
	}
}

// attempt admits, sends and reads a call once.
func (c *Client) attempt(ctx context.Context, call Call, n int, fresh bool) (x exchange.Exchange, err error) {
	p := cmp.Or(c.pacers[call.Auth], c.pacers[exchange.NoKey])
	if err := p.admit(ctx); err != nil {
		return x, c.fail(err)
	}
	c.count(1, false)
	ended := false
	defer func() {
		if !ended { // nothing was sent, or the transport has panicked
			c.count(-1, false)
			p.abandon()
		}
	}()
	number, err := c.number()
	if err != nil {
		return x, err
	}
	x = exchange.Exchange{N: number, Check: call.Check, Step: call.Step, Auth: call.Auth, Attempt: n,
		Operation: spec.OperationOf(call.Method, call.Path),
		Request:   exchange.Request{Method: call.Method, Path: call.Path, Header: c.header(call), Body: call.Body}}
	c.exchange(ctx, &x, fresh)
	ended = true
	c.count(-1, responded(&x) && !x.Limited() && x.Symptom() == "")
	p.observe(x)
	if x.Failure != nil && x.Failure.Kind == exchange.Closed { // the target may accept few connections
		(&http.Client{Transport: c.cfg.Transport}).CloseIdleConnections()
		for _, p := range c.pacers {
			p.beSingle()
		}
	}
	return x, nil
}

func (c *Client) header(call Call) http.Header {
	h := roundtrip.Header(fmt.Sprintf("%s (%s)", c.cfg.UserAgent, call.Check), call.Body)
	for name, values := range call.Header {
		delete(h, http.CanonicalHeaderKey(name))
		if values != nil {
			h[name] = values
		}
	}
	return h
}

// exchange sends x's request once and sets x's response or failure.
func (c *Client) exchange(ctx context.Context, x *exchange.Exchange, fresh bool) {
	bounded, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	req, err := c.request(bounded, x)
	if err != nil {
		x.Sent, x.Failure = time.Now(), &exchange.Failure{Kind: exchange.Unreachable, Detail: err.Error()}
		return
	}
	req.Close = fresh || c.apart.Load()
	if c.recorder.Send(c.cfg.Transport, req, x); x.ReusedClosed() {
		c.apart.Store(true)
	}
}

func (c *Client) request(ctx context.Context, x *exchange.Exchange) (*http.Request, error) {
	body := bytes.NewReader(x.Request.Body)
	req, err := http.NewRequestWithContext(ctx, x.Request.Method, c.base+x.Request.Path, body)
	if err != nil { // a path that is not one, which is to be sent as it is
		if req, err = http.NewRequestWithContext(ctx, x.Request.Method, c.base, body); err != nil {
			return nil, err
		}
		req.URL.Opaque = req.URL.EscapedPath() + x.Request.Path
	}
	key := c.cfg.Key
	if x.Auth == exchange.OtherKey {
		key = c.cfg.OtherKey
	}
	req.Header = roundtrip.Keyed(x.Request.Header, x.Auth, key)
	return req, nil
}

// responded reports whether a complete response arrived, even if petconform does not keep or decode all of it.
func responded(x *exchange.Exchange) bool {
	whole := []exchange.Kind{exchange.TooLarge, exchange.Undecodable, exchange.Unasked}
	return x.Failure == nil || slices.Contains(whole, x.Failure.Kind)
}
