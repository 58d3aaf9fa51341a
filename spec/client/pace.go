package client

import (
	"context"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

const (
	// guard is the number of requests that are left unspent: another client may use the key, or a counter may be off by
	// one.
	guard = 1
	// smallLimit is the largest limit without a guard, and whose headers are always believed.
	smallLimit = 5
	// resetSlack is added to X-RateLimit-Reset, which is in whole seconds and may be rounded down.
	resetSlack = time.Second
	// farReset distinguishes the limits of a minute and of a day: that of a minute resets within this time.
	farReset = 2 * time.Minute
	// longestReset is the furthest reset that is believed. The longest window of a plan is a day.
	longestReset = 48 * time.Hour
	// longestSpacing is the longest time between two requests to a target whose rate no header shows.
	longestSpacing = 2 * time.Second
	// poll is the interval at which a request checks whether the one before it has its answer.
	poll = 2 * time.Millisecond
)

// pacer sends requests of one key within the allowance that the X-RateLimit headers show, for any kind of limiter: when
// Remaining is spent, it waits until Reset, and then sends one request to read the headers again. After a 429 it sends
// nothing until Retry-After has passed, and then one request at a time, spaced at the rate that the target has
// accepted, because the headers may not show the limiter that refused.
type pacer struct {
	wait    func(ctx context.Context, why string, d time.Duration) error
	maxWait time.Duration // the longest wait for a reset

	mu       sync.Mutex
	inFlight int
	// ignored says that no header is read: the requests have no valid key, and so do not count against an allowance, or
	// Remaining stays at 0 after a reset. answers counts the responses that may show an allowance.
	ignored bool
	answers int
	// limit is 0 until a response has shown an allowance. remaining is the least Remaining of the answers with the
	// newest reset: answers may overtake each other, so the last one need not have the least. alone says that the last
	// answer left no request in flight, so that the next one shows what is left.
	limit, remaining int64
	reset            int64
	alone            bool
	until            time.Time // the reset, by this machine's clock
	waited           bool      // the request in flight was sent when the reset had passed

	// shut is when a 429 lets the next request pass, and why what the run says meanwhile. limited is the time of that
	// 429: one to a request that was then in flight has no further effect. inARow counts them, and accepted the answers
	// since.
	shut, limited    time.Time
	why              string
	inARow, accepted int
	// single allows one request at a time; spacing is the time between two, and next the earliest time of the next one.
	single  bool
	spacing time.Duration
	next    time.Time
}

// admit waits until a request may be sent.
func (p *pacer) admit(ctx context.Context) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		why, wait := p.try(time.Now())
		if wait == 0 {
			return nil
		}
		if err := p.wait(ctx, why, wait); err != nil {
			return err
		}
	}
}

// left is how many requests may still be sent: each in flight counts as spent.
func (p *pacer) left() int64 { return p.remaining - int64(p.inFlight) }

// try admits a request, or returns why and for how long to wait before the next try.
func (p *pacer) try(now time.Time) (why string, wait time.Duration) {
	const spent = "the allowance is spent; waiting for X-RateLimit-Reset"
	const slower = "the target accepts requests at a lower rate"
	p.mu.Lock()
	defer p.mu.Unlock()
	keep := int64(guard)
	if p.limit <= smallLimit || p.answers == 1 {
		keep = 0 // a first Remaining of 1 may be a counter that counts up: the next response shows it
	}
	switch reset := p.until.Sub(now); {
	case p.shut.After(now):
		return p.why, p.shut.Sub(now)
	case p.single && p.inFlight > 0:
		return slower, poll
	case p.next.After(now):
		return slower, p.next.Sub(now)
	case p.ignored, p.answers > 0 && p.limit == 0, p.left() > keep:
	case p.inFlight > 0:
		return spent, poll // an answer to a request in flight may show a newer allowance
	case 0 < reset && reset <= p.maxWait:
		p.waited = true
		return spent, reset
	default: // nothing is known, or the reset has passed, or is too far away: one request reads the allowance
		p.waited = p.limit > 0
	}
	p.inFlight++
	p.next = now.Add(p.spacing)
	return "", 0
}

// observe reads the allowance from an answer.
func (p *pacer) observe(x exchange.Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	promised := !p.ignored && p.left() > smallLimit
	switch p.inFlight--; {
	case x.Response == nil:
		return
	case x.Limited():
		p.refused(x, promised)
	default:
		p.inARow, p.accepted = 0, p.accepted+1
	}
	if p.ignored || x.Status() == 401 || !x.Named() {
		return // another limiter may count a request without a valid key, or outside of the interface
	}
	p.answers++
	if a, ok := exchange.AllowanceOf(x.Response.Header); ok && a.Limit > 0 && a.Remaining >= 0 {
		p.follow(a, x)
	}
}

// follow reads the allowance that an answer shows.
func (p *pacer) follow(a exchange.Allowance, x exchange.Exchange) {
	switch at := a.Reset.Unix(); {
	case p.limit == 0 || p.alone || at > p.reset+1:
		p.reset, p.remaining = at, a.Remaining
	case at >= p.reset-1:
		p.remaining = min(p.remaining, a.Remaining)
	}
	p.limit, p.alone = a.Limit, p.inFlight == 0
	reset := a.Reset.Sub(exchange.ServerTime(x.Response.Header, x.Received()))
	p.until = x.Received().Add(reset + resetSlack)
	if reset <= 0 || reset > longestReset {
		p.until = x.Received() // Reset cannot be right; one request at a time reads the allowance
	}
	// If a new window began, and Remaining is still 0, it does not say what is left.
	p.ignored = p.waited && !x.Limited() && a.Remaining <= guard && a.Limit > smallLimit
	p.waited = false
	for _, plan := range spec.Plans() { // if the headers show the limit of a day, the plan has one of a minute too
		if reset > farReset && reset <= longestReset && plan.PerDay == a.Limit {
			p.spacing = max(p.spacing, time.Minute/time.Duration(plan.PerMinute-guard))
		}
	}
}

// refused sends nothing for the wait that a 429 asks for.
func (p *pacer) refused(x exchange.Exchange, promised bool) {
	wait, said := exchange.RetryAfter(x.Response.Header, x.Received())
	why := "the target answered 429; waiting for Retry-After"
	if !said { // 1 s, 2 s, 4 s and so on, up to 1 min
		why = "the target answered 429 without a valid Retry-After"
		wait = min(time.Second<<min(p.inARow, 6), time.Minute)
	}
	p.single = true
	if x.Sent.After(p.limited) {
		if promised || !said { // the headers do not show this limiter: send 4/5 of what it accepted, in each such wait
			p.spacing = min(longestSpacing, max(p.spacing, wait*5/4/time.Duration(max(1, p.accepted))))
		}
		p.accepted, p.limited, p.inARow = 0, x.Received(), p.inARow+1
	}
	// 1 % and 20 ms more than Retry-After allow for clock skew, so that no request is early.
	until := x.Received().Add(wait + wait/100 + 20*time.Millisecond*time.Duration(p.inARow))
	if until.After(p.shut) {
		p.shut, p.why = until, why
	}
}

// abandon takes back an admission for which nothing was sent.
func (p *pacer) abandon() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight--
}

// beSingle sends one request at a time from now on: the target may accept few connections.
func (p *pacer) beSingle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.single = true
}
