package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// What may be sent again, and how often. Only the pause after a 429 is the pacer's.
//
//	what came                               sent again                              pause
//	429                                     7 times; the eighth ends the run        Retry-After, else 1 s, 2 s …
//	no HTTP, or closed without a response   twice, a createPet once; once more on   none, over a new connection
//	                                        a connection that was used before
//	that again, 502, 503, 504, unreachable  4 times, or once if other operations    100 ms, 200 ms …, or Retry-After
//	                                        answer and this one failed before
//	a time-out                              once, two calls of a run                100 ms
//	any of these where nothing answers      when a probe is answered                1 s, 2 s … 10 s, or Retry-After
const (
	maxLimited = 8 // if none says when to retry, the pauses are 127 s together, two of the plans' windows
	maxClosed  = 2
	maxOutage  = 4
	mostHangs  = 2

	firstOutageWait  = 100 * time.Millisecond
	longestProbeWait = 10 * time.Second
)

// errNoDescriptor means that this machine can't open another connection.
var errNoDescriptor = errors.New("this machine has no file descriptor left for another connection; " +
	"raise the limit (ulimit -n), or lower --concurrency")

// repeats is how often a call was sent again: after a 429, one without a valid Retry-After, a connection that closed,
// and a pause of an outage. since is when its first attempt in the outage ended.
type repeats struct {
	limited, unsaid, closed, tries int
	since                          time.Time
}

// next reads an exchange that has just ended, and reports whether its call is sent again, and after what time. It marks
// what is part of an outage, so that it is not judged. Of a call that may not be sent again, only what came twice is
// judged. An error ends the run.
func (c *Client) next(ctx context.Context, x *exchange.Exchange, so *repeats, may bool) (
	wait time.Duration, again bool, err error) {
	switch {
	case x.Failure != nil && x.Failure.Kind == exchange.Stopped:
		return 0, false, c.fail(cmp.Or(context.Cause(ctx), errNoDescriptor))
	case may && atOnce(x, so.closed):
		so.closed++
		return 0, true, nil
	case x.Limited() && may:
		if _, said := exchange.RetryAfter(x.Response.Header, x.Received()); !said {
			so.unsaid++
		}
		if so.limited++; so.limited == maxLimited {
			err = c.fail(fmt.Errorf("%w: %d answers of 429 in a row, %d without a valid Retry-After; "+
				"the run waited after each", ErrAllowance, so.limited, so.unsaid))
		}
		c.out.answered(x)
		return 0, true, err
	case x.Symptom() == "":
		c.out.answered(x)
		return 0, false, nil
	case c.Err() != nil: // the run has ended
		return 0, false, c.Err()
	}
	return c.inOutage(ctx, x, so, may)
}

// atOnce reports whether a call whose connection closed, for the closed-th time before this one, is sent again at once.
// A reused connection may have closed before the request arrived. A createPet may create an animal each time.
func atOnce(x *exchange.Exchange, closed int) bool {
	most := maxClosed
	if x.Operation == spec.CreatePet {
		most--
	}
	if x.ReusedClosed() {
		most++
	}
	return closed < most && x.Failure != nil && (x.Failure.Kind == exchange.Closed || x.Failure.Kind == exchange.NotHTTP)
}

// inOutage is next for an exchange with the symptom of an outage.
func (c *Client) inOutage(ctx context.Context, x *exchange.Exchange, so *repeats, may bool) (
	wait time.Duration, again bool, err error) {
	mark := func(what string) {
		x.Failure = &exchange.Failure{Kind: exchange.Outage, Detail: x.Symptom() + "; " + what}
	}
	if so.since.IsZero() {
		so.since = x.Ended()
	}
	if !may && so.tries+so.closed == 0 {
		mark("not sent again, since that may create an animal more than --max-creates")
		return 0, false, nil
	}
	wait, again, down := c.out.repeat(x, so, may, c.cfg.MaxWait)
	if !again && down {
		if err := c.untilUp(ctx, x, so.since); err != nil {
			mark("the run ended")
			return 0, false, err
		}
		again = may
	}
	if !again {
		c.out.itsOwn(*x)
		return 0, false, nil
	}
	so.tries++
	mark(fmt.Sprintf("sent again after %s", wait.Round(time.Millisecond)))
	return wait, true, nil
}

// repeat reports whether a call in an outage is sent again without a probe, and after what time, and whether the whole
// target may be down: no request was answered that was sent after the call's first attempt had ended and before the
// last one had. One that was sent earlier may have been answered before the outage began. Nothing follows from a hang,
// which may have any length.
func (o *outages) repeat(x *exchange.Exchange, so *repeats, may bool, maxWait time.Duration) (
	wait time.Duration, again, down bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	hangs, most := isHang(x), maxOutage
	if hangs || o.own[x.Operation] {
		most = 1
	}
	wait = max(firstOutageWait<<so.tries, retryAfter(x))
	down = o.served && !hangs && (o.good.Before(so.since) || !o.good.Before(x.Ended()))
	switch {
	case !may, so.tries >= most, wait > maxWait, hangs && o.hangs >= mostHangs:
	case x.Response == nil && !o.served: // nobody has answered yet: a wrong address
	case x.Operation == spec.CreatePet && down: // sent again when the target answers, since each may create an animal
	default:
		if hangs {
			o.hangs++
		}
		return wait, true, down
	}
	return 0, false, down
}

func isHang(x *exchange.Exchange) bool { return x.Failure != nil && x.Failure.Kind == exchange.Timeout }

func retryAfter(x *exchange.Exchange) (asked time.Duration) {
	if x.Response != nil {
		asked, _ = exchange.RetryAfter(x.Response.Header, x.Received())
	}
	return asked
}

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
		wait = max(wait, retryAfter(&p))
		if err := c.waitOut(ctx, fmt.Sprintf("%s for %s", sign, p.Ended().Sub(since).Round(time.Second)), wait); err != nil {
			return err
		}
	}
	return nil
}
