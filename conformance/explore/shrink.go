package explore

import (
	"context"
	"fmt"
	"slices"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// The prefixes of labels: of a sequence that was shrunk, and of the candidates on the way.
const shortened, candidates = "shortest-", "shrink-"

// shrink leaves out one request after the other, the last first, while the sequence still breaks one of the requirements,
// and sends what is left once more. again says that it failed. A sequence that does not fail again is left as it was: it
// may have taken requests of several sequences.
func (e *exploration) shrink(ctx context.Context, n int, best []plan.Request, broken []spec.ID) (again bool) {
	tried := 0
	fails := func(as string, candidate []plan.Request) bool {
		tried++
		label := fmt.Sprintf("%s%d-%d", as, n, tried)
		own := e.execute(ctx, label, candidate, 0)
		if e.Creates && slices.ContainsFunc(own, refusedCreation) { // the store may be full, until a later creation succeeds
			e.execute(ctx, candidates+label, []plan.Request{plan.DrawnRow("animal", "{status}", string(spec.Available))}, 0)
		}
		found := judge.Sequences(judge.About(e.target.History(), own))(own)
		return slices.ContainsFunc(found.Broken, func(f verdict.Finding) bool { return slices.Contains(broken, f.Requirement) })
	}
	if !fails(candidates, best) {
		return false
	}
	for i := len(best) - 1; i >= 0 && len(best) > 1 && e.left() > 2*len(best); i-- { // it has to be shown, too
		if shorter := slices.Delete(slices.Clone(best), i, i+1); fails(candidates, shorter) {
			best = shorter
		}
	}
	return fails(shortened, best)
}

func refusedCreation(x history.Exchange) bool {
	row, _ := plan.RowOf(x.Check, x.Step)
	return plan.Creates(row) && row.Fails(x.Status())
}
