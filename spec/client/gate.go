package client

import (
	"time"

	"petconform/spec/exchange"
)

// gate is shut by a 429 until its Retry-After has passed. Afterwards it lets one request through at a time, spaced at
// the rate that the target has accepted, because the headers may not show the limiter that refused. A lost connection
// also limits it to one request at a time: the target may accept few connections. Its methods need the pacer's lock.
type gate struct {
	// shut is when the gate opens, and why what the run says meanwhile; inARow counts the 429 in a row.
	shut   time.Time
	why    string
	inARow int
	// inFlight counts the requests without an answer yet; single allows at most one.
	inFlight int
	single   bool
	// accepted counts the answers since the last 429. spacing is the time between two requests, next the earliest time
	// of the next one.
	accepted int
	spacing  time.Duration
	next     time.Time
	// limited is the time of the last 429. A 429 to a request that was then in flight has no further effect.
	limited time.Time
}

const longestSpacing = 2 * time.Second

// closed returns why and for how long one more request has to wait; 0 if it may be sent.
func (g *gate) closed(now time.Time) (why string, wait time.Duration) {
	switch left := g.shut.Sub(now); {
	case left > 0:
		return g.why, left
	case g.single && g.inFlight > 0:
		wait = poll
	default:
		wait = max(0, g.next.Sub(now))
	}
	return "the target accepts requests at a lower rate", wait
}

func (g *gate) enter(now time.Time) {
	g.inFlight++
	g.next = now.Add(g.spacing)
}

// leave reads a response. promised says that the headers showed an allowance before it.
func (g *gate) leave(x exchange.Exchange, promised bool) {
	g.inFlight--
	if x.Limited() {
		g.refused(x, promised)
	} else if x.Response != nil {
		g.inARow, g.accepted = 0, g.accepted+1
	}
}

// refused shuts the gate for the wait that a 429 asks for.
func (g *gate) refused(x exchange.Exchange, promised bool) {
	wait, said := exchange.RetryAfter(x.Response.Header, x.Received())
	why := "the target answered 429; waiting for Retry-After"
	if !said {
		why, wait = "the target answered 429 without a valid Retry-After", backoff(g.inARow)
	}
	g.single = true
	if x.Sent.After(g.limited) {
		if promised || !said { // the headers do not show this limiter: send 4/5 of what it accepted, in each such wait
			g.spacing = min(longestSpacing, max(g.spacing, wait*5/4/time.Duration(max(1, g.accepted))))
		}
		g.accepted, g.limited, g.inARow = 0, x.Received(), g.inARow+1
	}
	// 1 % and 20 ms more than Retry-After allow for clock skew, so that no request is early.
	until := x.Received().Add(wait + wait/100 + 20*time.Millisecond*time.Duration(g.inARow))
	if until.After(g.shut) {
		g.shut, g.why = until, why
	}
}

// backoff is the wait after a 429 without a valid Retry-After: 1 s, 2 s, 4 s and so on, up to 1 min.
func backoff(inARow int) time.Duration {
	return min(time.Second<<min(inARow, 6), time.Minute)
}
