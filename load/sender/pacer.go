// Package sender sends the requests of a load run through vegeta's Attacker. A Pacer says when a request is due, a Targeter
// what to send, a RoundTripper below adds the key and notes the times, and vegeta's Results become the records.
package sender

import (
	"context"
	"sync"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// Pacer spaces requests evenly and does not catch up after a stall: the schedule moves instead. vegeta's ConstantPacer sends the missed
// requests in one burst, which a limiter rightly refuses.
//
// It waits inside Pace, so that Stop ends the wait; vegeta itself sleeps to the end.
type Pacer struct {
	// Interval is the time between two requests; 0 sends as soon as a worker is free (a closed loop).
	Interval time.Duration
	// Budget is how many requests may be sent in all; 0 means no bound.
	Budget int
	// Stop ends the attack when it is done.
	Stop context.Context
	// Shut says before each request whether the attack ends; it may be nil.
	Shut func() bool

	due   time.Time
	timer *time.Timer

	mu sync.Mutex
	// plan has the due times of requests until Planned is called for them.
	plan map[uint64]time.Time
}

var _ vegeta.Pacer = (*Pacer)(nil)

// slack is how late a request may be before the schedule moves: 2 ms. Timers fire late by less, so the mean rate stays right, and at most
// slack/Interval requests follow each other at once.
const slack = 2 * time.Millisecond

// slice is the longest sleep that Stop does not end: 10 ms.
const slice = 10 * time.Millisecond

// Pace waits until the next request is due. It returns no further wait, and whether the attack ends.
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

// Planned is the time at which request i was due. It is known once, after Pace and until the first call.
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
