package client

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"petconform/spec/exchange"
	"petconform/spec/roundtrip"
)

// errNoDescriptor means that this machine can't open another connection.
var errNoDescriptor = errors.New("this machine has no file descriptor left for another connection; " +
	"raise the limit (ulimit -n), or lower --concurrency")

// mostLost is the number of kept connections that may close without an answer: 2. From then on a run gives each request
// a connection of its own, which shows whether the server closes that one too.
const mostLost = 2

// exchange sends x's request once and sets x's response or failure.
func (c *Client) exchange(ctx context.Context, x *exchange.Exchange, fresh bool) {
	bounded, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	bounded, end := context.WithCancelCause(bounded)
	defer context.AfterFunc(c.over, func() { end(context.Cause(c.over)) })()
	c.patience.count(1, false)
	defer func() {
		judged := responded(x) && !x.Limited() && x.Symptom() == ""
		if c.patience.count(-1, judged); judged {
			c.judged()
		}
	}()
	req, err := c.request(bounded, x)
	if err != nil {
		x.Sent, x.Failure = time.Now(), &exchange.Failure{Kind: exchange.Unreachable, Detail: err.Error()}
		return
	}
	req.Close = fresh || c.lost.Load() >= mostLost
	if c.recorder.Send(c.cfg.Transport, req, x); x.ReusedClosed() {
		c.lost.Add(1)
	}
	if x.Failure != nil && errors.Is(context.Cause(bounded), ErrSilent) {
		x.Failure = &exchange.Failure{Kind: exchange.Timeout, Detail: ErrSilent.Error()}
	}
}

// responded reports whether a complete response arrived, even if petconform does not keep or decode all of it.
func responded(x *exchange.Exchange) bool {
	return x.Failure == nil || slices.Contains([]exchange.Kind{exchange.TooLarge, exchange.Undecodable, exchange.Unasked}, x.Failure.Kind)
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
