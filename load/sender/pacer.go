// Package sender sends the requests of a load run through vegeta's Attacker. A Pacer says when a request is due, a Targeter
// what to send, a RoundTripper below adds the key and notes the times, and vegeta's Results become the records.
package sender

import (
	"context"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// Pacer spaces requests evenly and never makes up for a stall: when the sender was held up, the schedule moves. vegeta's
// ConstantPacer sends what it has missed in one burst, which a limiter rightly refuses.
//
// It waits inside Pace, so that a stop is heard while it waits; vegeta itself only sleeps.
type Pacer struct {
	// Interval is the time between two requests; 0 sends as soon as a worker is free (a closed loop).
	Interval time.Duration
	// Budget is how many requests may be sent in all; 0 means no bound.
	Budget int
	// Stop ends the attack when it is done.
	Stop context.Context
	// Shut says, before each request, whether the attack is to end; it may be nil.
	Shut func() bool

	due   time.Time
	timer *time.Timer

	mu sync.Mutex
	// plan has the requests that were handed to a worker and not yet asked for.
	plan map[uint64]time.Time
}

var _ vegeta.Pacer = (*Pacer)(nil)

// slack is how late a request may be before the schedule moves. It keeps the mean rate right although timers fire late,
// and bounds what may follow closely: at most slack/Interval requests.
const slack = 2 * time.Millisecond

// slice is the longest uninterrupted sleep.
const slice = 10 * time.Millisecond

// Pace waits until the next request is due. It tells vegeta to wait no further, or to stop.
func (p *Pacer) Pace(_ time.Duration, hits uint64) (time.Duration, bool) {
	if p.over(hits) {
		return 0, true
	}
	due := p.next(time.Now())
	if !p.sleepUntil(due) || p.over(hits) {
		return 0, true
	}
	p.mu.Lock()
	if p.plan == nil {
		p.plan = map[uint64]time.Time{}
	}
	p.plan[hits] = due
	p.mu.Unlock()
	return 0, false
}

func (p *Pacer) over(hits uint64) bool {
	return p.Budget > 0 && hits >= uint64(p.Budget) || p.Stop != nil && p.Stop.Err() != nil || p.Shut != nil && p.Shut()
}

// next moves the schedule on by one request.
func (p *Pacer) next(now time.Time) time.Time {
	switch {
	case p.due.IsZero() || p.Interval <= 0:
		p.due = now
	default:
		p.due = p.due.Add(p.Interval)
		if earliest := now.Add(-slack); p.due.Before(earliest) {
			p.due = now
		}
	}
	return p.due
}

func (p *Pacer) sleepUntil(due time.Time) bool {
	left := time.Until(due)
	if left <= slice || p.Stop == nil {
		time.Sleep(left)
		return true
	}
	if p.timer == nil {
		p.timer = time.NewTimer(left)
	} else {
		p.timer.Reset(left)
	}
	select {
	case <-p.timer.C:
		return true
	case <-p.Stop.Done():
		p.timer.Stop()
		return false
	}
}

// Planned is when request i was due, once it was handed to a worker. It can be asked once.
func (p *Pacer) Planned(i uint64) (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	due, ok := p.plan[i]
	delete(p.plan, i)
	return due, ok
}

// Rate is the planned number of requests per second.
func (p *Pacer) Rate(time.Duration) float64 {
	if p.Interval <= 0 {
		return 0
	}
	return float64(time.Second) / float64(p.Interval)
}
