package client

import (
	"context"
	"fmt"
	"math"
	"slices"
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

// waiter sleeps and records why and for how long.
type waiter func(ctx context.Context, why string, d time.Duration) error

// pacer sends requests of one key within the allowance that the X-RateLimit headers show. It works with any kind of
// limiter: when Remaining is spent it waits until Reset, and then sends one request to read the headers again. The
// requests without a valid key have a pacer that only a 429 slows down, since they do not count against an allowance.
type pacer struct {
	wait  waiter
	keyed bool

	mu sync.Mutex
	gate
	admitted int  // requests admitted
	probing  bool // the request in flight reads the allowance; others wait for it
	known    bool // an answer came
	limit    int64
	// left is the number of requests that may still be sent; requests in flight count as spent. low is the least
	// Remaining of the answers with the newest reset: answers may overtake each other, so the last one need not have
	// the least.
	left, low int64
	reset     int64
	until     time.Time
	// doubted says that Remaining stays at 0 after a reset, so that waiting for it is useless.
	doubted bool
	waited  bool
	// blind says that no answer has shown an allowance yet.
	blind bool
	// perMinute is the plan's limit of a minute if the headers show only the day's, and recent the requests of the last
	// minute.
	perMinute int64
	recent    []time.Time
}

func newPacer(maxWait time.Duration, wait waiter, keyed bool) *pacer {
	return &pacer{gate: gate{maxWait: maxWait}, wait: wait, keyed: keyed, known: !keyed, blind: !keyed}
}

// admit waits until a request may be sent.
func (p *pacer) admit(ctx context.Context) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		why, wait, err := p.try(time.Now())
		if err != nil || wait == 0 {
			return err
		}
		if err := p.wait(ctx, why, wait); err != nil {
			return err
		}
	}
}

// poll is the interval at which a request checks whether the one that reads the allowance has its answer.
const poll = 2 * time.Millisecond

// try admits a request, or returns why and for how long to wait before the next try.
func (p *pacer) try(now time.Time) (why string, wait time.Duration, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if why, wait, err := p.closed(now); err != nil || wait > 0 {
		return why, wait, err
	}
	const spent = "the allowance is spent; waiting for X-RateLimit-Reset"
	if p.probing {
		return spent, poll, nil
	}
	if !p.known {
		p.probing = true
		p.give(now)
		return "", 0, nil
	}
	if wait := p.minuteWait(now); wait > 0 {
		return fmt.Sprintf("the headers show the limit of a day; keeping to the plan's %d requests a minute", p.perMinute), wait, nil
	}
	keep := int64(guard)
	if p.limit <= smallLimit || p.admitted == 1 {
		keep = 0 // a first Remaining of 1 may be a counter that counts up: the next response shows it
	}
	if p.blind || p.doubted || p.left > keep {
		p.give(now)
		return "", 0, nil
	}
	if p.inFlight > 0 {
		return spent, poll, nil // an answer to a request in flight may show a newer allowance
	}
	if wait := p.until.Sub(now); wait > 0 && wait <= p.maxWait {
		p.waited = true
		return spent, wait, nil
	}
	// The reset has passed, or is too far away: one request reads the allowance.
	p.waited, p.probing = true, true
	p.give(now)
	return "", 0, nil
}

// give admits a request.
func (p *pacer) give(now time.Time) {
	p.admitted++
	p.left--
	p.enter(now)
	if p.perMinute > 0 {
		p.recent = append(p.recent, now)
	}
}

// minuteWait is the wait for the plan's limit of a minute, if the headers show only the day's.
func (p *pacer) minuteWait(now time.Time) time.Duration {
	if p.perMinute == 0 {
		return 0
	}
	for len(p.recent) > 0 && now.Sub(p.recent[0]) >= time.Minute+resetSlack {
		p.recent = p.recent[1:]
	}
	if int64(len(p.recent)) < p.perMinute-guard {
		return 0
	}
	return time.Minute + resetSlack - now.Sub(p.recent[0])
}

// observe reads the allowance from an answer.
func (p *pacer) observe(x exchange.Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leave(x, p.known && !p.blind && p.left > smallLimit)
	p.probing = false
	if !p.keyed || x.Response == nil || x.Status() == 401 || !x.Named() {
		return // another limiter may count a request without a valid key, or outside of the interface
	}
	a, ok := exchange.AllowanceOf(x.Response.Header)
	if !ok || a.Limit <= 0 || a.Remaining < 0 {
		// Without an allowance, only a 429 slows the pacer down.
		p.blind = !p.known || p.blind
		p.known = true
		return
	}
	p.follow(a, x)
}

// follow reads the allowance that an answer shows.
func (p *pacer) follow(a exchange.Allowance, x exchange.Exchange) {
	reset := a.Reset.Sub(exchange.ServerTime(x.Response.Header, x.Received()))
	switch {
	case !p.known || p.blind || a.Reset.Unix() > p.reset+1:
		p.reset, p.low, p.left = a.Reset.Unix(), a.Remaining, a.Remaining-int64(p.inFlight)
	case a.Reset.Unix() >= p.reset-1:
		p.low = min(p.low, a.Remaining)
		p.left = min(p.left, p.low-int64(p.inFlight))
	}
	if p.inFlight == 0 {
		p.left = p.low
		p.low, p.reset = math.MaxInt64, min(p.reset, a.Reset.Unix())
	}
	p.known, p.blind, p.limit = true, false, a.Limit
	p.until = x.Received().Add(reset + resetSlack)
	if reset <= 0 || reset > longestReset {
		p.until = x.Received() // Reset cannot be right; one request at a time reads the allowance
	}
	p.learn(a, reset, x)
}

// learn infers a Remaining that stays at 0, and the plan whose day the headers show.
func (p *pacer) learn(a exchange.Allowance, reset time.Duration, x exchange.Exchange) {
	if p.waited && !x.Limited() && a.Remaining <= guard && a.Limit > smallLimit {
		p.doubted = true // a new window began, and Remaining is still 0
	}
	p.waited = false
	if p.perMinute > 0 || reset <= farReset || reset > longestReset {
		return
	}
	for _, plan := range spec.Plans() {
		if plan.PerDay > 0 && plan.PerDay == a.Limit {
			p.perMinute = plan.PerMinute
			// recent lacks the requests until now: take all of them for requests of the last minute.
			p.recent = append(p.recent, slices.Repeat([]time.Time{x.Sent}, p.admitted)...)
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
