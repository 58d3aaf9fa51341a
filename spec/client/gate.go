package client

import (
	"context"
	"fmt"
	"sync"
	"time"

	"petconform/spec/exchange"
)

// waiter sleeps and records why and for how long.
type waiter func(ctx context.Context, why string, d time.Duration) error

// gate is shut by a 429 until its Retry-After has passed. Afterwards it lets one request through at a time, spaced at the rate
// that the target has accepted, because the headers may not show the limiter that refused. A lost connection also limits it
// to one request at a time: the target may accept few connections.
type gate struct {
	wait    waiter
	maxWait time.Duration

	gmu sync.Mutex
	// shut is when the gate opens; inARow counts the 429 in a row.
	shut   time.Time
	inARow int
	// inFlight counts the requests in flight; single allows at most one.
	inFlight int
	single   bool
	// accepted counts the answers since the last 429. spacing is the time between two requests, next the earliest time of the
	// next one.
	accepted int
	spacing  time.Duration
	next     time.Time
	// limited is the time of the last 429. A 429 to a request that was then in flight has no further effect.
	limited time.Time
}

// slower is the reason of a wait for the spacing.
const slower = "the target accepts requests at a lower rate"

// longestSpacing is the largest spacing.
const longestSpacing = 2 * time.Second

func (g *gate) admit(ctx context.Context) error {
	for {
		if err := g.pass(ctx); err != nil {
			return err
		}
		now := time.Now()
		wait := g.careful(now)
		if wait <= 0 {
			g.enter(now)
			return nil
		}
		if err := g.wait(ctx, slower, wait); err != nil {
			return err
		}
	}
}

func (g *gate) abandon() {
	g.gmu.Lock()
	defer g.gmu.Unlock()
	g.inFlight--
}

func (g *gate) observe(x exchange.Exchange) { g.leave(x, false) }

func (g *gate) beSingle() {
	g.gmu.Lock()
	defer g.gmu.Unlock()
	g.single = true
}

// careful is the wait before one more request; it is not above 0 if the request may be sent.
func (g *gate) careful(now time.Time) time.Duration {
	g.gmu.Lock()
	defer g.gmu.Unlock()
	if g.single && g.inFlight > 0 {
		return poll
	}
	return g.next.Sub(now)
}

func (g *gate) enter(now time.Time) {
	g.gmu.Lock()
	defer g.gmu.Unlock()
	g.inFlight++
	g.next = now.Add(g.spacing)
}

// pass waits until the gate is open. A wait beyond maxWait ends the run, because an early request may lead to a ban.
func (g *gate) pass(ctx context.Context) error {
	for {
		g.gmu.Lock()
		left := time.Until(g.shut)
		g.gmu.Unlock()
		if left <= 0 {
			return ctx.Err()
		}
		if g.maxWait > 0 && left > g.maxWait {
			return fmt.Errorf("%w: after a 429 the run has to wait %s, longer than --max-wait %s; run again later, or with another key",
				ErrAllowance, left.Round(time.Second), g.maxWait)
		}
		if err := g.wait(ctx, "the target answered 429; waiting for Retry-After", left); err != nil {
			return err
		}
	}
}

// leave reads a response. promised says that the headers showed an allowance before a 429.
func (g *gate) leave(x exchange.Exchange, promised bool) {
	g.gmu.Lock()
	defer g.gmu.Unlock()
	g.inFlight--
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
	// 1 % and 20 ms more than Retry-After allow for clock skew, so that no request is early.
	if until := x.Received().Add(wait + wait/100 + 20*time.Millisecond*time.Duration(g.inARow)); until.After(g.shut) {
		g.shut = until
	}
}
