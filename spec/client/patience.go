package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"petconform/spec/exchange"
)

// ErrSilent means that the target hangs, sends too slowly, or closes connections. The rest of the run is not sent.
var ErrSilent = errors.New("the target does not send complete responses")

// fairShare divides Config.Timeout: a response within a tenth of it, 3 s of 30 s, is not a stall.
const fairShare = 10

// mostSilent is the largest number of requests in a row without a complete response.
const mostSilent = 8

// errInARow is ErrSilent after mostSilent requests. It does not apply to the requests that are then in flight.
var errInARow = fmt.Errorf("%w: %d requests in a row got none", ErrSilent, mostSilent)

// patience bounds the time that a run spends on requests that are in flight. Waits for the allowance do not count, and
// time in which several requests are in flight counts once.
type patience struct {
	// most is the longest total time of stalls, and silence the longest time without a complete response. A stall is
	// the time beyond fair between two complete responses, so a slow service that keeps answering is not stopped.
	most, silence, fair time.Duration
	// spent is called once, with the reason, when a bound is reached.
	spent func(error)

	mu       sync.Mutex
	inFlight int
	since    time.Time // begin of the time in flight that total does not have yet
	total    time.Duration
	heard    time.Duration // total at the last whole response
	stalled  time.Duration // the stalls before that
	inARow   int
	timer    *time.Timer
}

// begin counts a request that is sent.
func (p *patience) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count()
	p.inFlight++
	p.arm()
}

// end counts a request that has ended, with a whole response or without.
func (p *patience) end(whole bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count()
	p.inFlight--
	if whole {
		p.stalled, p.heard, p.inARow = p.stalls(), p.total, 0
	}
	p.arm()
}

// count brings total up to now.
func (p *patience) count() {
	now := time.Now()
	if p.inFlight > 0 {
		p.total += now.Sub(p.since)
	}
	p.since = now
}

// stalls is the time of all stalls up to total.
func (p *patience) stalls() time.Duration { return p.stalled + max(0, p.total-p.heard-p.fair) }

// arm sets the timer to the earlier of both bounds while a request is in flight.
func (p *patience) arm() {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	if p.inFlight > 0 {
		p.timer = time.AfterFunc(min(p.most-p.stalled+p.fair-(p.total-p.heard), p.silence-(p.total-p.heard)), p.ring)
	}
}

// ring ends the run when a bound is reached.
func (p *patience) ring() {
	p.mu.Lock()
	p.count()
	stalls, silent := p.stalls(), p.total-p.heard
	p.mu.Unlock()
	switch {
	case silent >= p.silence:
		p.spent(fmt.Errorf("%w: none came within %s; the rest was not sent", ErrSilent, p.silence.Round(time.Millisecond)))
	case stalls >= p.most:
		p.spent(fmt.Errorf("%w in time: the run has waited for them for %s in all, in waits of more than %s; "+
			"the rest was not sent", ErrSilent, p.most, p.fair))
	}
}

// lose counts a call that ended without a complete response. A response that is too large or does not decode counts as
// complete, and outages handles an outage.
func (p *patience) lose(x exchange.Exchange) {
	if x.Failure == nil {
		return
	}
	switch x.Failure.Kind {
	case exchange.Timeout, exchange.Closed, exchange.NotHTTP:
	default:
		return
	}
	p.mu.Lock()
	p.inARow++
	reached := p.inARow >= mostSilent
	p.mu.Unlock()
	if reached {
		p.spent(fmt.Errorf("%w (the last: %s); the rest was not sent", errInARow, x.Failure.Kind))
	}
}

// bound returns the context of one exchange. It ends after Config.Timeout, or when a bound of patience is reached.
func (c *Client) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	ctx, end := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.over, func() { end(context.Cause(c.over)) })
	return ctx, func() {
		stop()
		end(nil)
		cancel()
	}
}
