package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrSilent means that the target hangs, or sends too slowly. The rest of the run is not sent.
var ErrSilent = errors.New("the target does not send complete responses in time")

// fairShare divides Config.Timeout: a response within a tenth of it, 3 s of 30 s, is not a stall.
const fairShare = 10

// patience bounds the time that a run spends on requests that are in flight. Waits for the allowance do not count, and
// time in which several requests are in flight counts once.
type patience struct {
	// most is the longest total time of stalls. A stall is the time beyond fair between two complete responses, so a
	// slow service that keeps answering is not stopped.
	most, fair time.Duration
	// spent is called once, with the reason, when the time is over.
	spent func(error)

	mu       sync.Mutex
	inFlight int
	since    time.Time // begin of the time in flight that total does not have yet
	total    time.Duration
	heard    time.Duration // total at the last whole response
	stalled  time.Duration // the stalls before that
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
		p.stalled, p.heard = p.stalls(), p.total
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

// arm sets the timer to the time at which the stalls are too long, while a request is in flight.
func (p *patience) arm() {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	if p.inFlight > 0 {
		p.timer = time.AfterFunc(p.most-p.stalled+p.fair-(p.total-p.heard), p.ring)
	}
}

// ring ends the run when the time is over.
func (p *patience) ring() {
	p.mu.Lock()
	p.count()
	over := p.stalls() >= p.most
	p.mu.Unlock()
	if over {
		p.spent(fmt.Errorf("%w: the run has waited for them for %s in all, in waits of more than %s; the rest was not sent",
			ErrSilent, p.most, p.fair))
	}
}

// bound returns the context of one exchange. It ends after Config.Timeout, or when patience is over.
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
