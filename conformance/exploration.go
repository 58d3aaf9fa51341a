package conformance

import (
	"context"
	"math"
	"time"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// explore spends the rest of the run's requests and creations on generated sequences, after all checks. It does not look for what
// the checks have found.
func (r *live) explore(ctx context.Context) error {
	requests := r.exploring
	if r.cfg.MaxRequests > 0 {
		requests = min(requests, r.cfg.MaxRequests-r.client.Requests())
	}
	if over := r.client.Err() != nil || ctx.Err() != nil; over || requests <= 0 {
		return nil
	}
	rec := &exchange.Recording{Meta: r.meta(), Exchanges: inOrder(r.all), End: &exchange.End{}}
	h := history.Of(rec)
	creates := r.createsLeft()
	report, err := explore.Run(ctx, r.client, explore.Config{Requests: requests, Creates: creates, Meta: rec.Meta,
		Patience: r.patience(), Before: h.All, Known: failedIn(JudgeRecording(rec)),
		Progress: func(int, int) { r.progress(Event{}) }})
	r.giveBack(creates - report.Creates)
	return err
}

// createsLeft takes what is left of the budget of creations.
func (r *live) createsLeft() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cfg.ReadOnly {
		return 0
	}
	left := max(0, min(r.creates, r.cfg.MaxCreates-r.made))
	r.creates -= left
	return min(left, math.MaxInt32)
}

func failedIn(results verdict.Results) []spec.ID {
	var ids []spec.ID
	for _, q := range results.Requirements {
		if q.Verdict == verdict.Failed {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

// patience is how long a read may lack an animal that was created. It is the exploration's own default for a run without any.
func (r *live) patience() time.Duration {
	if r.cfg.Patience <= 0 {
		return explore.DefaultPatience
	}
	return r.cfg.Patience
}

// bodiesOfSequence is what each request of an exploration adds to the largest size of all bodies.
const bodiesOfSequence = 32 << 10
