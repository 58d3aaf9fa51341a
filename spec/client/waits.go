package client

import (
	"sync"
	"time"
)

// waits measures the time in which at least one request waits for the allowance.
type waits struct {
	mu      sync.Mutex
	waiting int
	since   time.Time
	total   time.Duration
	// reason and until are those of the last wait that was reported.
	reason string
	until  time.Time
	// outages is the time of all waits for outages, and down is when the last of them ends.
	outages time.Duration
	down    time.Time
}

// outage counts a wait for an outage, unless all of them together would then last longer than most. Waits at the same
// time count once.
func (w *waits) outage(d, most time.Duration) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	more := max(0, d-max(0, w.down.Sub(now)))
	if w.outages+more > most {
		return false
	}
	if w.outages += more; more > 0 {
		w.down = now.Add(d)
	}
	return true
}

// begin counts a waiting request. news says whether to report the wait: for another reason, or 10 s longer.
func (w *waits) begin(why string, until time.Time) (news bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting++; w.waiting == 1 {
		w.since = time.Now()
	}
	news = why != w.reason || until.After(w.until.Add(10*time.Second))
	if news {
		w.reason, w.until = why, until
	}
	return news
}

func (w *waits) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting--; w.waiting == 0 {
		w.total += time.Since(w.since)
	}
}

func (w *waits) spent() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.total
}
