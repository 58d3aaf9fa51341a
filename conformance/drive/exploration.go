package drive

import (
	"context"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// explore spends the rest of the run's requests and creations on generated sequences, after all checks. It does not look for what
// the checks have found.
func (r *Live) explore(ctx context.Context) error {
	requests := r.plan.Exploring
	if r.MaxRequests > 0 {
		requests = min(requests, r.MaxRequests-r.Client.Requests())
	}
	if over := r.Client.Err() != nil || ctx.Err() != nil; over || requests <= 0 {
		return nil
	}
	rec := &exchange.Recording{Meta: r.meta(), Exchanges: inOrder(r.rec.Exchanges), End: &exchange.End{}}
	h := history.Of(rec)
	creates := r.TakeRest()
	report, err := explore.Run(ctx, r.Client, explore.Config{Requests: requests, Creates: creates, Accepted: r.Unspent() - creates,
		Concurrency: r.Concurrency, Meta: rec.Meta, Before: h.All, Known: failedIn(JudgeRecording(rec))})
	r.GiveBack(creates - report.Creates)
	return err
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

// bodiesOfSequence is what each request of an exploration adds to the largest size of all bodies.
const bodiesOfSequence = 32 << 10
