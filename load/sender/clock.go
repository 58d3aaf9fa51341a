package sender

import (
	"sync"
	"time"

	"petconform/load/record"
)

// jump is how much the wall clock may move against the monotonic one: 0.5 s. NTP slews a clock by less than 1 ms in a
// second. After a sleep of the machine the difference is as long as the sleep.
const jump = 500 * time.Millisecond

// Clock measures times since the run's start by the monotonic clock, and notes jumps of the wall clock.
type Clock struct {
	started time.Time
	wall    func() time.Time

	mu sync.Mutex
	// apart is the wall clock minus the monotonic one after the last jump.
	apart time.Duration
	note  func(record.Note)
}

// NewClock returns a clock of a run that started at started, which must have a monotonic clock reading. wall returns
// the time of the wall clock; nil means that of the times passed to Watch. note is called for every jump.
func NewClock(started time.Time, wall func() time.Time, note func(record.Note)) *Clock {
	return &Clock{started: started, wall: wall, note: note}
}

// Since returns the time from the run's start to t.
func (c *Clock) Since(t time.Time) time.Duration { return t.Sub(c.started) }

// Watch compares the two clocks at now, a value of time.Now. It is called after every response.
func (c *Clock) Watch(now time.Time) {
	steady, wall := now.Sub(c.started), now
	if c.wall != nil {
		wall = c.wall()
	}
	apart := wall.Round(0).Sub(c.started.Round(0)) - steady
	c.mu.Lock()
	defer c.mu.Unlock()
	if by := apart - c.apart; by > jump || by < -jump {
		c.apart = apart
		c.note(record.Note{Kind: record.Jumped, Lane: -1, At: steady, By: by, Why: "the wall clock moved against the monotonic one"})
	}
}
