package drive

import (
	"context"

	"petconform/conformance/check"
	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// explore spends the rest of the run's requests and creations on generated sequences, after all checks. It does not
// look for what the checks have found.
func (r *Live) explore(ctx context.Context) error {
	requests := r.plan.Exploring
	if r.Deep && r.Explore == 0 {
		requests = min(requests, max(requests/2, check.MostRequests-r.Client.Requests()))
	}
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
		Concurrency: r.Concurrency, Meta: rec.Meta, Before: h.All, Known: JudgeRecording(rec).Failed(spec.Must, spec.Should)})
	r.GiveBack(creates - report.Creates)
	return err
}

// bodiesOfSequence is what each request of an exploration adds to the largest size of all bodies.
const bodiesOfSequence = 32 << 10
