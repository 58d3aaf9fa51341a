package client

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

var ErrTime = errors.New("the run would exceed its longest time")

// pace is the time that a run has for each response that it can judge, apart from the response itself: 1 s, since the
// smallest plan allows 60 requests a minute.
const pace = time.Second

// Longest returns the longest time of a run: Config.MaxWait, two and a half time-outs, and for each response that can
// be judged a tenth of a time-out and a second. By default that is 375 s and 4 s for each response. What no response is
// judged of, such as a 429, a 503, or a stall, adds nothing.
func Longest(cfg Config, responses int) time.Duration {
	return cfg.MaxWait + cfg.Timeout*5/2 + time.Duration(responses)*(cfg.Timeout/fairShare+pace)
}

// deadline is when a run sends its last request: one time-out before its longest time.
type deadline struct {
	cfg Config

	mu        sync.Mutex
	end       time.Time
	responses int
}

// judged adds the time that a response gives.
func (d *deadline) judged() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.responses++
	d.end = d.end.Add(Longest(d.cfg, 1) - Longest(d.cfg, 0))
}

// allows returns an error if a request after a wait would be sent too late.
func (d *deadline) allows(wait time.Duration) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Until(d.end) >= wait {
		return nil
	}
	return fmt.Errorf("%w, %s for %d responses: --max-wait, %s, and %s for each response; a longer --max-wait allows more",
		ErrTime, Longest(d.cfg, d.responses), d.responses, d.cfg.Timeout*5/2, d.cfg.Timeout/fairShare+pace)
}
