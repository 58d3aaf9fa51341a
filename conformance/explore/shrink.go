package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/history"
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

// shrinking is the search for the shortest sequence that still fails for one of the requirements.
type shrinking struct {
	e      *explorer
	n      int
	broken []spec.ID
	best   []action
	// failed are the candidates that failed, each shorter or simpler than the one before.
	failed [][]action
	tried  int
	// stop is the number of requests at which the search ends. The rest is for showing the shortest sequence and for exploring.
	stop int
}

// shrink leaves out what it can, makes the rest simpler, and sends what is left once more, with all patience, so that the
// recording shows it. A sequence that does not fail a second time is left as it was.
func (e *explorer) shrink(ctx context.Context, n int, sequence []action, own []history.Exchange, broken []spec.ID) error {
	left := e.cfg.Requests - e.sent()
	s := &shrinking{e: e, n: n, broken: broken, stop: e.sent() + left/2}
	err := s.reproduce(ctx, sequence, own)
	for before := -1; err == nil && before != len(s.failed); {
		before = len(s.failed)
		if err = s.leaveOut(ctx); err == nil {
			err = s.simplify(ctx)
		}
	}
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	return s.show(ctx)
}

// show sends the shortest sequence once more. If it does not fail, because the failure depended on an earlier candidate, show sends
// the next longer one.
func (s *shrinking) show(ctx context.Context) error {
	for i, candidate := range slices.Backward(s.failed) {
		times := 1
		if side(candidate) {
			times = tries
		}
		for range times {
			own, err := s.e.execute(ctx, fmt.Sprintf("%s%d-%d", shortest, s.n, len(s.failed)-i), candidate, s.e.cfg.Patience)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(s.e.broken(own, s.e.cfg.Patience), s.wanted) {
				s.e.report.Shrunk++
				return nil
			}
		}
	}
	return nil
}

// side reports whether requests are sent at the same time.
func side(sequence []action) bool {
	return slices.ContainsFunc(sequence, func(a action) bool { return a.beside })
}

// reproduce searches for a candidate that fails again: the sequence alone, one request after the other, with one sequence before it,
// with animals by their ids, or with three or eight sequences before it. A failure may depend on what the run sent and created earlier.
func (s *shrinking) reproduce(ctx context.Context, sequence []action, own []history.Exchange) error {
	past := func(n int) []action {
		return append(slices.Concat(s.e.past[max(0, len(s.e.past)-n):]...), sequence...)
	}
	for _, candidate := range [][]action{sequence, inTurn(sequence), past(1), byID(sequence, own), past(3), past(8)} {
		fails, err := s.fails(ctx, candidate)
		if err != nil {
			return err
		}
		if fails {
			s.best = candidate
			return nil
		}
	}
	return nil
}

// inTurn sends no two requests at the same time.
func inTurn(sequence []action) []action {
	out := slices.Clone(sequence)
	for i := range out {
		out[i].beside = false
	}
	return out
}

// byID fetches the same animals by their ids.
func byID(sequence []action, own []history.Exchange) []action {
	out := slices.Clone(sequence)
	for _, x := range own {
		var i int
		_, step, _ := strings.Cut(x.Step, "/")
		if n, _ := fmt.Sscanf(step, "%d", &i); n == 1 && i <= len(out) && (out[i-1].kind == get || out[i-1].kind == getOlder) {
			out[i-1] = action{kind: getThat, text: x.PetID(), beside: out[i-1].beside}
		}
	}
	return out
}

// errEnough ends the search.
var errEnough = errors.New("the budget for shrinking is spent")

func (s *shrinking) wanted(id spec.ID) bool { return slices.Contains(s.broken, id) }

// fails reports whether a candidate breaks one of the requirements.
func (s *shrinking) fails(ctx context.Context, candidate []action) (bool, error) {
	times := 1
	if side(candidate) {
		times = tries
	}
	patience := max(s.e.cfg.Patience/hurry, min(s.e.cfg.Patience, 20*time.Millisecond))
	for range times {
		if s.tried++; s.tried > mostTried || s.e.sent()+len(candidate) > s.stop {
			return false, errEnough
		}
		own, err := s.e.execute(ctx, fmt.Sprintf("shrink-%d-%d", s.n, s.tried), candidate, patience)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(s.e.broken(own, patience), s.wanted) {
			s.failed = append(s.failed, candidate)
			return true, nil
		}
	}
	return false, nil
}

// leaveOut is ddmin: it leaves out smaller and smaller parts, until no single action can be left out.
func (s *shrinking) leaveOut(ctx context.Context) error {
	for size := (len(s.best) + 1) / 2; size > 0 && len(s.best) > 1; {
		shorter := false
		for from := 0; from < len(s.best); {
			candidate := slices.Concat(s.best[:from], s.best[min(from+size, len(s.best)):])
			if len(candidate) == 0 {
				break
			}
			candidate[0].beside = false
			fails, err := s.fails(ctx, candidate)
			if err != nil {
				return err
			}
			if fails {
				s.best, shorter = candidate, true
				continue
			}
			from += size
		}
		if !shorter || size > 1 {
			size /= 2
		}
	}
	return nil
}

// simplify replaces actions by simpler ones.
func (s *shrinking) simplify(ctx context.Context) error {
	for i := range s.best {
		for _, a := range s.best[i].simpler() {
			candidate := slices.Clone(s.best)
			candidate[i] = a
			fails, err := s.fails(ctx, candidate)
			if err != nil {
				return err
			}
			if fails {
				s.best = candidate
				break
			}
		}
	}
	return nil
}
