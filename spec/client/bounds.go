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

const (
	// perResponse is how much time each response that can be judged gives to waits: 3 s, so that a limit of 20 requests
	// a minute, a third of the smallest plan's, is waited for as long as it answers.
	perResponse = 3 * time.Second
	// fairShare divides Config.Timeout: a response within a tenth of it, 3 s of 30 s, is not a stall.
	fairShare = 10
)

// patience bounds the time in which requests are in flight. Several at the same time count once. A response gives time
// back, but never more than was there at first, so a service that keeps answering is not stopped for being slow.
type patience struct {
	most, back time.Duration
	// spent is called, with the reason, when the time is over.
	spent func(error)

	mu       sync.Mutex
	inFlight int
	left     time.Duration
	since    time.Time // when left was right
	timer    *time.Timer
}

// count counts more requests in flight, or fewer, of which one got a response that can be judged.
func (p *patience) count(more int, judged bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.inFlight > 0 {
		p.left -= now.Sub(p.since)
		p.timer.Stop()
	}
	if judged {
		p.left = min(p.most, p.left+p.back)
	}
	p.since = now
	if p.inFlight += more; p.inFlight > 0 {
		p.timer = time.AfterFunc(p.left, p.ring)
	}
}

// ring ends the run when the time is over.
func (p *patience) ring() {
	p.mu.Lock()
	over := p.inFlight > 0 && time.Since(p.since) >= p.left
	p.mu.Unlock()
	if over {
		p.spent(fmt.Errorf("%w: the run has waited for them for %s in all, and %s for each response; the rest was not sent",
			ErrSilent, p.most, p.back))
	}
}

// budget bounds the time of waits. Waits at the same time count once.
type budget struct {
	left, spent time.Duration
	until       time.Time // when the last wait ends
}

// take counts a wait that begins. It reports whether there was time for it.
func (b *budget) take(d time.Duration) bool {
	now := time.Now()
	more := max(0, d-max(0, b.until.Sub(now)))
	if more > b.left {
		return false
	}
	if more > 0 {
		b.left, b.spent, b.until = b.left-more, b.spent+more, now.Add(d)
	}
	return true
}

// waits are the waits of a run.
type waits struct {
	mu           sync.Mutex
	all, outages budget
	// reason and until are those of the last wait that was reported.
	reason string
	until  time.Time
}

// judged counts a response that can be judged.
func (c *Client) judged() {
	c.waits.mu.Lock()
	defer c.waits.mu.Unlock()
	c.waits.all.left = min(c.cfg.MaxWait, c.waits.all.left+perResponse)
}

// Waited is the time that the run waited for the allowance and for the end of outages.
func (c *Client) Waited() time.Duration {
	c.waits.mu.Lock()
	defer c.waits.mu.Unlock()
	return c.waits.all.spent
}

// wait sleeps for d, or until ctx or the run ends. It reports a wait of more than a second that has another reason than
// the last one, or takes 10 s longer.
func (c *Client) wait(ctx context.Context, why string, d time.Duration) error {
	w := &c.waits
	w.mu.Lock()
	if d > poll && !w.all.take(d) {
		defer w.mu.Unlock()
		return fmt.Errorf("%w: %s, which takes another %s; all waits of a run take at most --max-wait, %s, and %s for each response; "+
			"run again later, with another key, or with a longer --max-wait", ErrAllowance, why, d.Round(time.Second), c.cfg.MaxWait, perResponse)
	}
	news := d > time.Second && (why != w.reason || time.Now().Add(d).After(w.until.Add(10*time.Second)))
	if news {
		w.reason, w.until = why, time.Now().Add(d)
	}
	w.mu.Unlock()
	if news && c.cfg.Waiting != nil {
		c.cfg.Waiting(why, d)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-c.over.Done():
		return context.Cause(c.over)
	}
}

// waitOut waits during an outage. The waits for all outages of a run last at most Config.MaxWait together.
func (c *Client) waitOut(ctx context.Context, why string, d time.Duration) error {
	c.waits.mu.Lock()
	inTime := c.waits.outages.take(d)
	c.waits.mu.Unlock()
	if !inTime {
		return fmt.Errorf("%w: %s; to wait another %s would exceed --max-wait, %s for all outages of a run together; "+
			"run again when the target is up", ErrOutage, why, d.Round(time.Millisecond), c.cfg.MaxWait)
	}
	return c.wait(ctx, why, d)
}
