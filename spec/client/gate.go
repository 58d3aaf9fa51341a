package client

import (
	"context"
	"fmt"
	"sync"
	"time"

	"petconform/spec/exchange"
)

// waiter sleeps and keeps count of it.
type waiter func(ctx context.Context, why string, d time.Duration) error

// gate is shut by a 429 until its Retry-After has passed. From then on it is careful: one request at a time, and no faster
// than the target has shown that it takes them, because a limiter that the headers do not speak of was met. A connection
// that was lost makes it careful too: the target may take only so many.
type gate struct {
	wait    waiter
	maxWait time.Duration

	gmu    sync.Mutex
	shut   time.Time
	inARow int
	// under is how many requests are under way, single says that no more than one may be.
	under  int
	single bool
	// accepted counts the answers since the last 429, spacing is the time to keep between two requests.
	accepted int
	spacing  time.Duration
	next     time.Time
	// limited is when the last 429 came; those to requests that were under way then tell nothing new.
	limited time.Time
}

// slower is why a request waits that is only spaced from the one before.
const slower = "the target takes requests more slowly than this"

// longestSpacing bounds what is kept between two requests on account of 429 alone.
const longestSpacing = 2 * time.Second

func (g *gate) admit(ctx context.Context) (int, error) {
	for {
		if err := g.pass(ctx); err != nil {
			return 0, err
		}
		now := time.Now()
		wait := g.careful(now)
		if wait <= 0 {
			g.enter(now)
			return 0, nil
		}
		if err := g.wait(ctx, slower, wait); err != nil {
			return 0, err
		}
	}
}

func (g *gate) abandon(int) {
	g.gmu.Lock()
	defer g.gmu.Unlock()
	g.under--
}

func (g *gate) observe(_ int, x exchange.Exchange) { g.leave(x, false) }

func (g *gate) beSingle() {
	g.gmu.Lock()
	defer g.gmu.Unlock()
	g.single = true
}

// careful is how long to wait before one more request, 0 when it may go.
func (g *gate) careful(now time.Time) time.Duration {
	g.gmu.Lock()
	defer g.gmu.Unlock()
	if g.single && g.under > 0 {
		return poll
	}
	return g.next.Sub(now)
}

func (g *gate) enter(now time.Time) {
	g.gmu.Lock()
	defer g.gmu.Unlock()
	g.under++
	g.next = now.Add(g.spacing)
}

// pass waits until the gate is open. A wait beyond maxWait ends the run: sooner would risk a ban of the key.
func (g *gate) pass(ctx context.Context) error {
	for {
		g.gmu.Lock()
		left := time.Until(g.shut)
		g.gmu.Unlock()
		if left <= 0 {
			return ctx.Err()
		}
		if g.maxWait > 0 && left > g.maxWait {
			return fmt.Errorf("%w: its 429 asks to retry after %s, and at most %s is waited (--max-wait); run again later, or with a key that has allowance left",
				ErrAllowance, left.Round(time.Second), g.maxWait)
		}
		if err := g.wait(ctx, "the target answered 429; Retry-After is waited out", left); err != nil {
			return err
		}
	}
}

// leave takes in an answer. promised says that the headers had told of more allowance than a 429 left.
func (g *gate) leave(x exchange.Exchange, promised bool) {
	g.gmu.Lock()
	defer g.gmu.Unlock()
	g.under--
	if !x.Limited() {
		if x.Response != nil {
			g.inARow = 0
			g.accepted++
		}
		return
	}
	wait, ok := exchange.RetryAfter(x.Response.Header, x.Received())
	if !ok {
		wait = backoff(g.inARow)
	}
	g.single = true
	if x.Sent.After(g.limited) {
		if promised || !ok {
			g.spacing = min(longestSpacing, max(g.spacing, wait*5/4/time.Duration(max(1, g.accepted))))
		}
		g.accepted, g.limited = 0, x.Received()
		g.inARow++
	}
	// A little more than was asked for: the clocks may tick apart, and early is the one thing that is forbidden.
	if until := x.Received().Add(wait + wait/100 + 20*time.Millisecond*time.Duration(g.inARow)); until.After(g.shut) {
		g.shut = until
	}
}
