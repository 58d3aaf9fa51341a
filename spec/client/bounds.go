package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"petconform/spec"
)

// Errors that end a run. They are wrapped with details.
var (
	// ErrSilent means that the target hangs, or sends too slowly. The rest of the run is not sent.
	ErrSilent = errors.New("the target does not send complete responses in time")
	// ErrAllowance means that the next request would have to wait for longer than Config.MaxWait leaves, or that a call
	// got eight 429s in a row.
	ErrAllowance = errors.New("the target makes the run wait for too long")
	// ErrOutage means that the outages of the target lasted longer than Config.MaxOutage together.
	ErrOutage = errors.New("the target has an outage")
)

// perResponse is how much time each response that can be judged gives to waits: 3 s, so that a limit of 20 requests a
// minute, a third of the smallest plan's, is waited for as long as it answers.
const perResponse = 3 * time.Second

// budget bounds time. What takes of it at the same time counts once. A response that can be judged gives time back, but
// never more than was there at first, so a service that keeps answering is not stopped for being slow.
type budget struct {
	most, back, left, spent time.Duration
	until                   time.Time // when the last wait ends
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

func (b *budget) give() { b.left = min(b.most, b.left+b.back) }

// bounds are those of the time that a run takes: in which requests are in flight, of all waits, and of those for
// outages.
type bounds struct {
	mu                     sync.Mutex
	patience, all, outages budget
	inFlight               int
	since                  time.Time // when the patience was right
	// reason and until are those of the last wait that was reported.
	reason string
	until  time.Time
}

func newBounds(cfg Config) *bounds {
	// A response within a tenth of Timeout, 3 s of 30 s, is not a stall.
	of := func(most, back time.Duration) budget { return budget{most: most, left: most, back: back} }
	return &bounds{patience: of(cfg.Timeout*3/2, cfg.Timeout/10), all: of(cfg.MaxWait, perResponse),
		outages: of(cfg.MaxOutage, 0)}
}

// count counts more requests in flight, or fewer, of which one got a response that can be judged. It ends the run when
// the patience is over. What is in flight then comes to its end.
func (c *Client) count(more int, judged bool) {
	b, now := c.bounds, time.Now()
	b.mu.Lock()
	if b.inFlight > 0 {
		b.patience.left -= now.Sub(b.since)
	}
	if judged {
		b.patience.give()
		b.all.give()
	}
	b.since, b.inFlight = now, b.inFlight+more
	over := b.patience.left <= 0
	b.mu.Unlock()
	if over {
		_ = c.fail(fmt.Errorf("%w: the run has waited for them for %s in all, and %s for each response; the rest was not sent; "+
			"if the service is slow, use a longer --timeout", ErrSilent, b.patience.most, b.patience.back))
	}
}

// Waited is the time that the run waited for the allowance and for the end of outages.
func (c *Client) Waited() time.Duration {
	c.bounds.mu.Lock()
	defer c.bounds.mu.Unlock()
	return c.bounds.all.spent
}

// wait sleeps for d, or until ctx ends. It reports a wait of more than a second that has another reason than
// the last one, or takes 10 s longer.
func (c *Client) wait(ctx context.Context, why string, d time.Duration) error {
	b := c.bounds
	b.mu.Lock()
	if d > poll && !b.all.take(d) {
		defer b.mu.Unlock()
		return fmt.Errorf("%w: %s, which takes another %s; all waits of a run take at most --max-wait, %s, and %s for each response; "+
			"run again later, with another key, or with a longer --max-wait", ErrAllowance, why, d.Round(time.Second), c.cfg.MaxWait, perResponse)
	}
	news := d > time.Second && (why != b.reason || time.Now().Add(d).After(b.until.Add(10*time.Second)))
	if news {
		b.reason, b.until = why, time.Now().Add(d)
	}
	b.mu.Unlock()
	if news && c.cfg.Waiting != nil {
		c.cfg.Waiting(why, d)
	}
	return spec.Sleep(ctx, d)
}

// waitOut waits during an outage. The waits for all outages of a run last at most Config.MaxOutage together.
func (c *Client) waitOut(ctx context.Context, why string, d time.Duration) error {
	c.bounds.mu.Lock()
	inTime := c.bounds.outages.take(d)
	c.bounds.mu.Unlock()
	if !inTime {
		return c.fail(fmt.Errorf("%w: %s; the run waits %s for all outages together, or as long as --max-wait says; "+
			"the target's own log may have the cause; run again when the target is up", ErrOutage, why, c.cfg.MaxOutage))
	}
	if err := c.wait(ctx, "the target may be down: "+why, d); err != nil {
		return c.fail(err)
	}
	return nil
}
