package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"petconform/spec"
)

// Bounds of shrinking.
const (
	// tries is how often a candidate with simultaneous requests is sent before it counts as not failing.
	tries = 3
	// hurry divides the patience while candidates are tried. The shortest one is sent with the whole patience.
	hurry = 8
	// mostTried is the largest number of candidates of one failure.
	mostTried = 150
)

// shrinking is the search for the shortest sequence that still breaks a requirement which the run had not found broken
// before.
type shrinking struct {
	e *explorer
	n int
	// known are the requirements that the run had found broken before.
	known []spec.ID
	// failed are the candidates that failed, each shorter than the one before.
	failed [][]action
	tried  int
	// stop is the number of requests at which the search ends, and keep that of creations left. The rest is for showing
	// the shortest sequence and for exploring.
	stop, keep int
}

// shrink leaves out one request after the other, and sends what is left once more, with all patience, so that the
// recording shows it. A sequence that does not fail again is left as it was.
func (e *explorer) shrink(ctx context.Context, n int, sequence []action, known []spec.ID) (again bool, err error) {
	e.creates, e.aside = e.creates+e.aside, 0
	defer e.setAside()
	left := e.cfg.Requests - e.sent()
	s := &shrinking{e: e, n: n, known: known, stop: e.sent() + left/2, keep: e.creates / 2}
	if err := s.leaveOut(ctx, sequence); err != nil && !errors.Is(err, errEnough) {
		return false, err
	}
	return len(s.failed) > 0, s.show(ctx)
}

// setAside keeps some creations for shrinking: a failure that is met late takes creations to be shown again.
func (e *explorer) setAside() {
	e.aside = min(e.creates, e.cfg.Creates/8, 12)
	e.creates -= e.aside
}

// leaveOut leaves out one action after the other, the last first, or makes it simpler. The requests are sent one after
// the other if the sequence fails so too.
func (s *shrinking) leaveOut(ctx context.Context, sequence []action) error {
	inTurn := slices.Clone(sequence)
	for i := range inTurn {
		inTurn[i].beside = false
	}
	best, err := s.firstThatFails(ctx, [][]action{inTurn, sequence})
	for i := len(best) - 1; i >= 0 && err == nil; i-- {
		candidates := [][]action{slices.Concat(best[:i], best[i+1:])}
		if simpler := best[i].simpler; simpler != nil {
			candidates = append(candidates, slices.Concat(best[:i], []action{*simpler}, best[i+1:]))
		}
		var shorter []action
		if shorter, err = s.firstThatFails(ctx, candidates); shorter != nil {
			best = shorter
		}
	}
	return err
}

func (s *shrinking) firstThatFails(ctx context.Context, candidates [][]action) ([]action, error) {
	for _, candidate := range candidates {
		if len(candidate) == 0 {
			continue
		}
		candidate[0].beside = false
		switch fails, err := s.fails(ctx, candidate); {
		case err != nil:
			return nil, err
		case fails:
			return candidate, nil
		}
	}
	return nil, nil
}

// errEnough ends the search.
var errEnough = errors.New("the budget for shrinking is spent")

// fails reports whether a candidate breaks such a requirement.
func (s *shrinking) fails(ctx context.Context, candidate []action) (bool, error) {
	patience := max(s.e.cfg.Meta.Patience/hurry, min(s.e.cfg.Meta.Patience, 20*time.Millisecond))
	for range timesOf(candidate) {
		if s.tried++; s.tried > mostTried || s.e.sent()+len(candidate) > s.stop || s.e.creates <= s.keep {
			return false, errEnough
		}
		fails, err := s.send(ctx, fmt.Sprintf("shrink-%d-%d", s.n, s.tried), candidate, patience)
		if err != nil {
			return false, err
		}
		if fails {
			s.failed = append(s.failed, candidate)
			return true, nil
		}
	}
	return false, nil
}

// show sends the shortest sequence once more. If it does not fail, because the failure depended on an earlier
// candidate, show sends the next longer one.
func (s *shrinking) show(ctx context.Context) error {
	for i, candidate := range slices.Backward(s.failed) {
		for range timesOf(candidate) {
			fails, err := s.send(ctx, fmt.Sprintf("%s%d-%d", shortest, s.n, len(s.failed)-i), candidate, s.e.cfg.Meta.Patience)
			if err != nil {
				return err
			}
			if fails {
				return nil
			}
		}
	}
	return nil
}

func (s *shrinking) send(ctx context.Context, label string, candidate []action, patience time.Duration) (bool, error) {
	s.e.begin()
	own, err := s.e.execute(ctx, label, candidate, patience)
	if err != nil {
		return false, err
	}
	// It need not be the same requirement: with a filter, a limit that is refused breaks LIST-6, and alone LIST-3.
	return len(s.e.broken(own, patience, s.known)) > 0, nil
}

// timesOf is how often a candidate is sent. What simultaneous requests meet depends on which of them comes first.
func timesOf(candidate []action) int {
	if slices.ContainsFunc(candidate, func(a action) bool { return a.beside }) {
		return tries
	}
	return 1
}
