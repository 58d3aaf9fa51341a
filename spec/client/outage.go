package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// OutageCheck names the probes of an outage in the recording.
const OutageCheck = "outage"

// outages distinguishes an outage of the target from one operation that answers 502, 503 or 504 or closes the
// connection: in an outage, every request ends like this.
type outages struct {
	mu     sync.Mutex
	hangs  int                     // calls that were sent again after a time-out
	good   time.Time               // the time at which the last request was sent that got another response
	served bool                    // a GET was answered 200
	own    map[spec.Operation]bool // the operations that fail while others answer
	// failed is the last exchange with the symptom of an outage that is ascribed to its operation.
	failed exchange.Exchange
	asking chan struct{} // asking holds a token while one of the calls probes
}

// answered notes that the target answers.
func (o *outages) answered(x *exchange.Exchange) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if x.Sent.After(o.good) {
		o.good = x.Sent
	}
	o.served = o.served || x.Request.Method == http.MethodGet && x.Status() == http.StatusOK
}

// answers reports whether the target answered a request that was sent after a time.
func (o *outages) answers(since time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.good.Before(since)
}

func (o *outages) itsOwn(x exchange.Exchange) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.own[x.Operation] = true
	if !isHang(&x) && x.Ended().After(o.failed.Ended()) {
		o.failed = x
	}
}

// probe sends a call of another operation than the failing one, which may be the only one that fails.
func (c *Client) probe(ctx context.Context, fails spec.Operation) (exchange.Exchange, error) {
	path := "/pets?limit=1"
	if fails == spec.ListPets {
		path = "/pets/1"
	}
	p, err := c.attempt(ctx, Call{Check: OutageCheck, Step: "probe", Method: http.MethodGet, Path: path, Auth: exchange.Key}, 1, true)
	if err != nil {
		return p, err
	}
	recorded := p
	if sign := p.Symptom(); sign != "" {
		recorded.Failure = &exchange.Failure{Kind: exchange.Outage, Detail: sign}
	} else {
		c.out.answered(&p)
	}
	return p, c.record(recorded)
}

// Confirm sends a probe if no request was answered that was sent after the last one that failed like in an outage, so that
// the recording shows whether the target or one operation was down. It is called when nothing else will be sent.
func (c *Client) Confirm(ctx context.Context) error {
	c.out.mu.Lock()
	last := c.out.failed
	c.out.mu.Unlock()
	if last.N == 0 || c.out.answers(last.Ended()) {
		return nil
	}
	_, err := c.probe(ctx, last.Operation)
	return err
}

// untilUp probes until the target answers, or until the waits of waitOut are spent.
func (c *Client) untilUp(ctx context.Context, x *exchange.Exchange, since time.Time) error {
	select {
	case c.out.asking <- struct{}{}:
	case <-ctx.Done():
		return c.fail(context.Cause(ctx))
	}
	defer func() { <-c.out.asking }()
	for wait := max(time.Second, retryAfter(x)); !c.out.answers(x.Ended()); wait = min(2*wait, longestProbeWait) {
		p, err := c.probe(ctx, x.Operation)
		sign := p.Symptom()
		if err != nil || sign == "" {
			return err
		}
		open := 0
		if resetStream(&p) { // what resets a stream is up, and does not answer
			open = 1
		}
		wait = max(wait, retryAfter(&p))
		c.count(open, false)
		err = c.waitOut(ctx, fmt.Sprintf("%s for %s", sign, p.Ended().Sub(since).Round(time.Second)), wait)
		if c.count(-open, false); err != nil {
			return err
		}
	}
	return nil
}

// resetStream reports whether the target reset the request's HTTP/2 stream, and kept the connection. net/http has no
// type for that.
func resetStream(x *exchange.Exchange) bool {
	return x.Failure != nil && x.Failure.Kind == exchange.Closed &&
		(x.Failure.Detail == exchange.StreamRefused || strings.HasPrefix(x.Failure.Detail, "stream error: "))
}
