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
	// guard is what is left unspent of an allowance: someone else may use the key, and a counter may be off by one.
	guard = 1
	// smallLimit is the allowance below which no guard is kept and the headers are never doubted.
	smallLimit = 5
	// resetSlack is waited beyond X-RateLimit-Reset, which is in whole seconds and may be rounded down.
	resetSlack = time.Second
	// farReset tells a day's figure from a minute's: a minute's window ends within this time.
	farReset = 2 * time.Minute
)

// pacer admits requests of one key as far as its allowance goes, as the X-RateLimit headers tell it. It assumes no kind of
// limiter: it stops at what Remaining leaves, waits for Reset, and then lets one request through to see what the headers say.
type pacer struct {
	gate
	maxWait time.Duration

	mu       sync.Mutex
	admitted int // tickets given out
	inflight int // of them, those without an answer yet
	probing  bool
	known    bool
	limit    int64
	// left is what may still be sent, with everything under way counted as spent. low is the least Remaining that answers
	// of the newest reset have told: answers overtake each other, so the last to come is not the last to be counted.
	left, low int64
	reset     int64
	until     time.Time
	// doubted says that the headers were caught telling less than is there, so that waiting for them is pointless.
	doubted bool
	waited  bool
	// blind says that no answer has told an allowance yet.
	blind bool
	// recent holds the times of admission of the last minute when only a day's figure is shown.
	perMinute int64
	recent    []time.Time
}

func newPacer(maxWait time.Duration, wait waiter) *pacer {
	p := &pacer{maxWait: maxWait}
	p.gate.wait, p.gate.maxWait = wait, maxWait
	return p
}

func (p *pacer) admit(ctx context.Context) (int, error) {
	for {
		if err := p.gate.pass(ctx); err != nil {
			return 0, err
		}
		ticket, wait, err := p.try(time.Now())
		if err != nil || ticket > 0 {
			return ticket, err
		}
		why := "the allowance is spent until X-RateLimit-Reset"
		if p.gate.careful(time.Now()) > 0 {
			why = slower
		}
		if err := p.gate.wait(ctx, why, wait); err != nil {
			return 0, err
		}
	}
}

// poll is how often a request looks again whether the one that probes the allowance has its answer.
const poll = 2 * time.Millisecond

// try gives a ticket, or how long to wait before trying again.
func (p *pacer) try(now time.Time) (ticket int, wait time.Duration, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.probing {
		return 0, poll, nil
	}
	if wait := p.gate.careful(now); wait > 0 {
		return 0, wait, nil
	}
	if !p.known {
		p.probing = true
		return p.give(now), 0, nil
	}
	if wait := p.minuteWait(now); wait > 0 {
		return 0, wait, nil
	}
	keep := int64(guard)
	if p.limit <= smallLimit {
		keep = 0
	}
	if p.blind || p.doubted || p.left > keep {
		return p.give(now), 0, nil
	}
	if p.inflight > 0 {
		return 0, poll, nil // requests under way may come back with a newer allowance
	}
	if wait := p.until.Sub(now); wait > 0 && wait <= p.maxWait {
		p.waited = true
		return 0, wait, nil
	}
	// The reset has come, or is too far to wait for: one request tells what is there now.
	p.waited, p.probing = true, true
	return p.give(now), 0, nil
}

func (p *pacer) give(now time.Time) int {
	p.admitted++
	p.inflight++
	p.left--
	p.gate.enter(now)
	if p.perMinute > 0 {
		p.recent = append(p.recent, now)
	}
	return p.admitted
}

// minuteWait paces by the plan's minute where the headers show only its day.
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

func (p *pacer) observe(_ int, x exchange.Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gate.leave(x, p.known && !p.blind && p.left > smallLimit)
	p.probing = false
	p.inflight--
	if x.Response == nil || x.Status() == 401 {
		return
	}
	a, ok := exchange.AllowanceOf(x.Response.Header)
	if !ok || a.Limit <= 0 || a.Remaining < 0 {
		// Nothing to pace by until an answer tells more: a 429 will be waited out when it comes.
		p.blind = !p.known || p.blind
		p.known = true
		return
	}
	p.tell(a, x)
}

// tell takes in what an answer says is left.
func (p *pacer) tell(a exchange.Allowance, x exchange.Exchange) {
	reset := a.Reset.Sub(exchange.ServerTime(x.Response.Header, x.Received()))
	switch {
	case !p.known || p.blind || a.Reset.Unix() > p.reset+1:
		p.reset, p.low, p.left = a.Reset.Unix(), a.Remaining, a.Remaining-int64(p.inflight)
	case a.Reset.Unix() >= p.reset-1:
		p.low = min(p.low, a.Remaining)
		p.left = min(p.left, p.low-int64(p.inflight))
	}
	if p.inflight == 0 {
		p.left = p.low
		p.low, p.reset = math.MaxInt64, min(p.reset, a.Reset.Unix())
	}
	p.known, p.blind, p.limit = true, false, a.Limit
	p.until = x.Received().Add(reset + resetSlack)
	if reset <= 0 || reset > 48*time.Hour {
		p.until = x.Received() // Reset is no time to wait for; one request at a time finds out
	}
	p.learn(a, reset, x)
}

// learn infers what the headers do not say outright.
func (p *pacer) learn(a exchange.Allowance, reset time.Duration, x exchange.Exchange) {
	if p.waited && !x.Limited() && a.Remaining <= guard && a.Limit > smallLimit {
		p.doubted = true // a fresh window, and still nothing left: the number does not tell
	}
	p.waited = false
	if p.perMinute > 0 || reset <= farReset {
		return
	}
	for _, plan := range spec.Plans() {
		if plan.PerDay > 0 && plan.PerDay == a.Limit {
			p.perMinute = plan.PerMinute
			for range p.admitted {
				p.recent = append(p.recent, x.Sent)
			}
		}
	}
}

func (p *pacer) abandon(int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.admitted--
	p.inflight--
	p.left++
	p.gate.abandon(0)
	p.probing = false
}
