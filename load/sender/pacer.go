// Package sender sends the requests of a load run through vegeta's Attacker. A Pacer says when a request is due, and a
// Targeter what to send. A RoundTripper adds the key, sends and records.
package sender

import (
	"context"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/spec"
)

// Pacer spaces the requests of an attack evenly. After a stall of the machine it moves the schedule and does not catch
// up. vegeta's ConstantPacer sends the missed requests in one burst, which a limiter rightly refuses.
//
// Pace itself waits until a request is due, so that Stop ends the wait. vegeta's own sleep can't be ended.
type Pacer struct {
	Attack
	// Stop ends the attack when it is done.
	Stop context.Context

	due time.Time

	mu sync.Mutex
	// plan has the times at which requests are due that have not begun.
	plan []time.Time
	// freed is when a worker last became free after all had been busy.
	inFlight int
	freed    time.Time
	// target and sender are the requests that a stall of the target, or of the sender, has put off.
	target, sender backlog
}

var _ vegeta.Pacer = (*Pacer)(nil)

// slack is how late a request may be before the schedule moves: 2 ms. Timers are usually less late than that, so the
// mean rate is as planned. At most slack/Interval requests are sent at once to catch up.
const slack = 2 * time.Millisecond

// Pace waits until the next request is due. It returns no further wait, and whether the attack ends.
func (p *Pacer) Pace(_ time.Duration, hits uint64) (time.Duration, bool) {
	if p.over(hits) {
		return 0, true
	}
	due := p.next(time.Now())
	if left := time.Until(due); left > 0 && spec.Sleep(p.Stop, left) != nil || p.over(hits) {
		return 0, true
	}
	p.mu.Lock()
	p.plan = append(p.plan, due)
	p.mu.Unlock()
	return 0, false
}

func (p *Pacer) over(hits uint64) bool {
	return p.Budget > 0 && hits >= uint64(p.Budget) || p.Stop.Err() != nil || p.Gate.Shut()
}

// next moves the schedule on by one request.
func (p *Pacer) next(now time.Time) time.Time {
	expected := p.due.Add(p.Interval)
	late := now.Sub(expected)
	switch {
	case p.due.IsZero() || p.Interval <= 0:
		p.due = now
	case late <= slack:
		p.due = expected
	default:
		p.due = now
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.freed.After(expected) { // all workers were busy
			p.target.add(late, p.Interval)
		} else {
			p.sender.add(late, p.Interval)
		}
	}
	return p.due
}

// Rate returns the planned number of requests per second, or 0 for a closed loop.
func (p *Pacer) Rate(time.Duration) float64 {
	if p.Interval <= 0 {
		return 0
	}
	return float64(time.Second) / float64(p.Interval)
}

// backlog has how many of the next requests were due before what the Pacer plans for them, and how long before.
type backlog struct {
	requests int
	late     time.Duration
}

func (b *backlog) add(late, interval time.Duration) {
	if b.requests == 0 {
		b.late = 0
	}
	b.requests, b.late = b.requests+max(1, int(late/interval)), b.late+late
}

func (b *backlog) next() time.Duration {
	if b.requests == 0 {
		return 0
	}
	b.requests--
	return b.late
}

// begin returns when the request that begins was due, and a worker free for it. putOff is how long before that it was
// due while the target kept all workers busy.
//
// After a stall of the target, with all workers busy, the schedule has moved, and only the requests in flight would be
// slow: 16 of 2,062 after a stall of 2 s in which 140 were due. So the next requests after a stall, as many as were due
// in it, keep their time.
func (p *Pacer) begin() (planned time.Time, putOff time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight++
	due := p.plan[0]
	if p.plan, planned = p.plan[1:], due; p.freed.After(due) {
		planned = p.freed
	}
	if p.Interval <= 0 || p.Spread { // a closed loop: a request is due when a worker is free
		return planned, 0
	}
	return planned.Add(-p.sender.next()), planned.Sub(due) + p.target.next()
}

// end notes that a request is no longer in flight.
func (p *Pacer) end(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inFlight == p.Workers {
		p.freed = now
	}
	p.inFlight--
}
