package client

import (
	"context"
	"math"
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
)

// pacer sends requests of one key within the allowance that the X-RateLimit headers show. It works with any kind of
// limiter: when Remaining is spent it waits until Reset, and then sends one request to read the headers again.
type pacer struct {
	wait    func(ctx context.Context, why string, d time.Duration) error
	maxWait time.Duration // the longest wait for a reset

	mu sync.Mutex
	gate
	// unread says that only a 429 slows the pacer down: its requests have no valid key, and so do not count against an
	// allowance, or Remaining stays at 0 after a reset, or no response has shown an allowance yet. Of the first two, no
	// header is read any more: they are unreadable.
	unread, unreadable bool
	probing            bool // the request in flight reads the allowance; others wait for it
	admitted           int  // requests admitted
	limit              int64
	// left is the number of requests that may still be sent; requests in flight count as spent. low is the least
	// Remaining of the answers with the newest reset: answers may overtake each other, so the last one need not have
	// the least.
	left, low int64
	reset     int64
	until     time.Time
	waited    bool
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

// poll is the interval at which a request checks whether the one that reads the allowance has its answer.
const poll = 2 * time.Millisecond

// try admits a request, or returns why and for how long to wait before the next try.
func (p *pacer) try(now time.Time) (why string, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if why, wait := p.closed(now); wait > 0 {
		return why, wait
	}
	const spent = "the allowance is spent; waiting for X-RateLimit-Reset"
	keep := int64(guard)
	if p.limit <= smallLimit || p.admitted == 1 {
		keep = 0 // a first Remaining of 1 may be a counter that counts up: the next response shows it
	}
	switch wait := p.until.Sub(now); {
	case p.probing:
		return spent, poll
	case p.unread || p.left > keep:
	case p.inFlight > 0:
		return spent, poll // an answer to a request in flight may show a newer allowance
	case wait > 0 && wait <= p.maxWait:
		p.waited = true
		return spent, wait
	default: // nothing is known, or the reset has passed, or is too far away: one request reads the allowance
		p.waited, p.probing = p.limit > 0, true
	}
	p.admitted++
	p.left--
	p.enter(now)
	return "", 0
}

// observe reads the allowance from an answer.
func (p *pacer) observe(x exchange.Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leave(x, !p.unread && p.left > smallLimit)
	p.probing = false
	if p.unreadable || x.Response == nil || x.Status() == 401 || !x.Named() {
		return // another limiter may count a request without a valid key, or outside of the interface
	}
	a, ok := exchange.AllowanceOf(x.Response.Header)
	if !ok || a.Limit <= 0 || a.Remaining < 0 {
		p.unread = p.limit == 0
		return
	}
	p.follow(a, x)
}

// follow reads the allowance that an answer shows.
func (p *pacer) follow(a exchange.Allowance, x exchange.Exchange) {
	at := a.Reset.Unix()
	switch {
	case p.limit == 0 || at > p.reset+1:
		p.reset, p.low, p.left = at, a.Remaining, a.Remaining-int64(p.inFlight)
	case at >= p.reset-1:
		p.low = min(p.low, a.Remaining)
		p.left = min(p.left, p.low-int64(p.inFlight))
	}
	if p.inFlight == 0 {
		p.left = p.low
		p.low, p.reset = math.MaxInt64, min(p.reset, at)
	}
	p.unread, p.limit = false, a.Limit
	reset := a.Reset.Sub(exchange.ServerTime(x.Response.Header, x.Received()))
	p.until = x.Received().Add(reset + resetSlack)
	if reset <= 0 || reset > longestReset {
		p.until = x.Received() // Reset cannot be right; one request at a time reads the allowance
	}
	if p.waited && !x.Limited() && a.Remaining <= guard && a.Limit > smallLimit {
		p.unread, p.unreadable = true, true // a new window began, and Remaining is still 0
	}
	p.waited = false
	for _, plan := range spec.Plans() { // if the headers show the limit of a day, the plan has one of a minute too
		if reset > farReset && reset <= longestReset && plan.PerDay == a.Limit {
			p.spacing = max(p.spacing, time.Minute/time.Duration(plan.PerMinute-guard))
		}
	}
}

// abandon takes back an admission for which nothing was sent.
func (p *pacer) abandon() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.admitted--
	p.inFlight--
	p.left++
	p.probing = false
}

// beSingle sends one request at a time from now on.
func (p *pacer) beSingle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.single = true
}
