package compare

import (
	"petconform/conformance/plan"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// requests are those that a run sent; nil if that is not known.
type requests struct {
	seed uint64
	by   map[int]request
	all  map[request]bool
}

// request names a request of a run. In each run with the same seed, the same name means the same request. One that the
// seed chose has no step: the seed chooses them all.
type request struct {
	check, step string
	drawn       bool
}

func sentIn(rec *exchange.Recording) *requests {
	if rec == nil {
		return nil
	}
	s := &requests{rec.Meta.Seed, map[int]request{}, map[request]bool{}}
	for _, x := range rec.Exchanges {
		r := request{check: x.Check, step: plan.Asked(x.Step)}
		if x.Check == plan.Explored.ID {
			r = request{check: x.Check, drawn: true}
		}
		s.by[x.N], s.all[r] = r, true
	}
	return s
}

// tested reports whether the run sent a request on which the findings of a check in another run rest. A finding without
// a case, or of a load, rests on no single request.
func (s *requests) tested(c verdict.Check, in *requests) bool {
	cases := 0
	for _, f := range c.Findings {
		for _, k := range f.Cases {
			if cases++; s.sentOf(k, in) {
				return true
			}
		}
	}
	return cases == 0 || s == nil || in == nil || c.Kind == verdict.Phase
}

// sentOf reports whether the run sent the requests on which a case in another run rests.
func (s *requests) sentOf(k verdict.Case, in *requests) bool {
	if s == nil || in == nil {
		return true
	}
	sent := func(n int) bool {
		r, known := in.by[n]
		if row, planned := plan.RowOf(r.check, r.step); !known || planned && !row.Full && !row.Spare { // every run sends it
			return true
		}
		return s.all[r] && (!r.drawn || s.seed == in.seed)
	}
	shown := len(k.Exchanges) == 0
	for _, n := range k.Exchanges {
		shown = shown || sent(n)
	}
	for _, n := range k.After {
		shown = shown && sent(n)
	}
	return shown
}
