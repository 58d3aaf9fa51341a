package sender

import (
	"sync"
	"time"

	"petconform/load/record"
)

// jump is how much the wall clock may move against the monotonic one: 0.5 s. NTP slews a clock by less than 1 ms in a second; a machine
// that was asleep moves it by the whole time.
const jump = 500 * time.Millisecond

// Clock gives times since the run's start by the monotonic clock, and reports jumps of the wall clock.
type Clock struct {
	started time.Time
	wall    func() time.Time

	mu    sync.Mutex
	apart time.Duration
	tell  func(record.Note)
}

// NewClock starts at started, which must have a monotonic reading. wall is the wall clock; nil means that of time.Now. tell receives the
// jumps.
func NewClock(started time.Time, wall func() time.Time, tell func(record.Note)) *Clock {
	return &Clock{started: started, wall: wall, tell: tell}
}

// Since is the time from the run's start to t.
func (c *Clock) Since(t time.Time) time.Duration { return t.Sub(c.started) }

// Watch compares the two clocks. It is called after every response.
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
		c.tell(record.Note{Kind: record.Jumped, Lane: -1, At: steady, By: by, Why: "the wall clock moved against the monotonic one"})
	}
}
