package conformance

import (
	"context"
	"time"
)

// mayCreate says whether one more createPet may be sent: whatever has to be refused may be accepted, and the run promises a most
// that it creates. Where those under way could use it up, it waits to see what came of them. done is to be called after the
// answer.
func (r *live) mayCreate(ctx context.Context) (done func(), may bool) {
	for {
		r.mu.Lock()
		switch {
		case r.made >= r.cfg.MaxCreates:
			r.mu.Unlock()
			return nil, false
		case r.made+r.posting < r.cfg.MaxCreates:
			r.posting++
			r.mu.Unlock()
			return func() {
				r.mu.Lock()
				defer r.mu.Unlock()
				r.posting--
			}, true
		}
		r.mu.Unlock()
		if sleep(ctx, 2*time.Millisecond) != nil {
			return func() {}, true // the run is over, and the client will say so
		}
	}
}
