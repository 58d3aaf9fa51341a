package explore

import (
	"context"
	"fmt"
	"slices"

	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

const (
	// tries is how often a candidate whose requests are sent at once is sent before it counts as not failing.
	tries = 3
	// mostTried is the largest number of candidates of one failure.
	mostTried = 100
)

// The prefixes of labels: of a sequence that was shrunk, of the candidates on the way, and of a sequence that was sent
// once more.
const shortened, candidates, later = "shortest-", "shrink-", "later-"

// shrinking is the search for the shortest sequence that still breaks one of the requirements.
type shrinking struct {
	*Exploration
	n      int
	broken []spec.ID
	tried  int
	// stop is the number of requests at which the search ends. The rest is for showing what was found, and for exploring.
	stop int
}

// shrink leaves out one request after the other, the last first, while the sequence still fails, and sends what is left
// once more. again says that it failed. It sends the requests one after the other if the sequence fails so too. A sequence that does not fail again
// is left as it was: it may have taken requests of several sequences.
func (e *Exploration) shrink(ctx context.Context, n int, whole sequence, broken []spec.ID) (again bool) {
	s := &shrinking{Exploration: e, n: n, broken: broken, stop: e.spent + (e.Requests-e.spent)/2}
	best := sequence{actions: whole.actions}
	if !s.fails(ctx, best) {
		if best.atOnce = true; !whole.atOnce || !s.fails(ctx, best) {
			return false
		}
	}
	failed := []sequence{best}
	for i := len(best.actions) - 1; i >= 0 && len(best.actions) > 1; i-- {
		shorter := sequence{slices.Delete(slices.Clone(best.actions), i, i+1), best.atOnce}
		if s.fails(ctx, shorter) {
			best, failed = shorter, append(failed, shorter)
		}
	}
	// The failure of a candidate may have depended on an earlier one. Then the next longer one is shown.
	for i, candidate := range slices.Backward(failed) {
		for range timesOf(candidate) {
			if s.send(ctx, fmt.Sprintf("%s%d-%d", shortened, n, len(failed)-i), candidate) {
				return true
			}
		}
	}
	return false
}

// fails reports whether a candidate breaks one of the requirements.
func (s *shrinking) fails(ctx context.Context, candidate sequence) bool {
	for range timesOf(candidate) {
		if s.tried++; s.tried > mostTried || s.spent+len(candidate.actions) > s.stop {
			return false
		}
		if s.send(ctx, fmt.Sprintf("%s%d-%d", candidates, s.n, s.tried), candidate) {
			return true
		}
	}
	return false
}

// send sends a candidate, and reports whether it breaks one of the requirements. A refused creation may be due to a full
// store until a later one succeeds.
func (s *shrinking) send(ctx context.Context, label string, candidate sequence) bool {
	own := s.execute(ctx, label, candidate, 0)
	refused := slices.ContainsFunc(own, func(x history.Exchange) bool {
		row, _ := plan.RowOf(x.Check, x.Step)
		return plan.Creates(row) && row.Fails(x.Status())
	})
	if refused && s.Creates {
		s.tried++
		s.execute(ctx, fmt.Sprintf("%s%d-%d", candidates, s.n, s.tried), sequence{actions: []action{always(drawn("animal"))}}, 0)
	}
	return slices.ContainsFunc(s.judge(own)(own).Broken, func(f verdict.Finding) bool { return slices.Contains(s.broken, f.Requirement) })
}

// timesOf is how often a candidate is sent: what requests at once meet depends on which of them comes first.
func timesOf(candidate sequence) int {
	if candidate.atOnce {
		return tries
	}
	return 1
}
