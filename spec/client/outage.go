package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

const (
	// maxOutage is the number of times that one call is repeated during an outage before the client probes whether the
	// target answers anything. The waits are 100, 200, 400 and 800 ms where the target does not send Retry-After.
	maxOutage       = 4
	firstOutageWait = 100 * time.Millisecond
	// mostHangs is the number of calls of a run that are repeated once after a time-out. Each takes up to
	// Config.Timeout.
	mostHangs = 2
	// longestProbeWait is the longest time between two probes of a target that is down: 1, 2, 4, 8 s and then this.
	longestProbeWait = 10 * time.Second
)

// OutageCheck names the probes of an outage in the recording.
const OutageCheck = "outage"

// ErrOutage means that the outages of the target lasted longer than Config.MaxWait together.
var ErrOutage = errors.New("the target has an outage")

// outages distinguishes an outage of the target from one operation that answers 502, 503 or 504 or closes the
// connection: in an outage, every request ends like this.
type outages struct {
	mu    sync.Mutex
	hangs int
	// good is the time at which the last request was sent that got another response.
	good time.Time
	// served says that a GET was answered 200.
	served bool
	// own are the operations that fail while others answer. Their calls are repeated once.
	own map[spec.Operation]bool
	// failed is the last exchange with the symptom of an outage that is ascribed to its operation.
	failed exchange.Exchange
	// asking holds a token while one of the calls probes.
	asking chan struct{}
}

// outage is the state of a call in an outage: how often it was repeated, after a connection that closed and after a
// wait, and when its first attempt ended.
type outage struct {
	closed, tries int
	since         time.Time
}

// met reads an exchange that has just ended. If it is part of an outage, met marks it, so that it is not judged, and
// the call is repeated after wait. Of one that may not be repeated, only what came twice is judged.
func (c *Client) met(ctx context.Context, x *exchange.Exchange, so *outage, may bool) (wait time.Duration, again bool, err error) {
	select {
	case <-c.over.Done(): // the run has ended, which may be why there is no response
		return 0, false, nil
	default:
	}
	sign := x.Symptom()
	switch {
	case sign == "":
		c.out.answered(x)
		return 0, false, nil
	case so.since.IsZero():
		so.since = x.Ended()
	}
	if !may && so.tries+so.closed == 0 {
		markOutage(x, sign+"; not sent again, since that may create an animal more than --max-creates")
		return 0, false, nil
	}
	wait, again, down := c.out.next(x, so, may, c.cfg.MaxWait)
	if !again && down {
		if err = c.untilUp(ctx, x, so); err != nil {
			markOutage(x, sign+"; the run ended")
			return 0, false, err
		}
		again = may
	}
	if again {
		so.tries++
		markOutage(x, fmt.Sprintf("%s; sent again after %s", sign, wait.Round(time.Millisecond)))
	} else {
		c.out.itsOwn(*x)
	}
	return wait, again, nil
}

func markOutage(x *exchange.Exchange, detail string) {
	x.Failure = &exchange.Failure{Kind: exchange.Outage, Detail: detail}
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

func isHang(x *exchange.Exchange) bool { return x.Failure != nil && x.Failure.Kind == exchange.Timeout }

// next reports whether a call in an outage is repeated without a probe, and after what time, and whether the whole
// target may be down: no request was answered that was sent after the call's first attempt had ended and before the
// last one had. One that was sent earlier may have been answered before the outage began. Nothing follows from a hang,
// which may have any length.
func (o *outages) next(x *exchange.Exchange, so *outage, may bool, maxWait time.Duration) (wait time.Duration, again, down bool) {
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

func retryAfter(x *exchange.Exchange) (asked time.Duration) {
	if x.Response != nil {
		asked, _ = exchange.RetryAfter(x.Response.Header, x.Received())
	}
	return asked
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
		markOutage(&recorded, sign)
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
func (c *Client) untilUp(ctx context.Context, x *exchange.Exchange, so *outage) error {
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
		c.patience.count(open, false)
		err = c.waitOut(ctx, fmt.Sprintf("%s for %s", sign, p.Ended().Sub(so.since).Round(time.Second)), wait)
		if c.patience.count(-open, false); err != nil {
			return c.fail(err)
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
