package compare

import (
	"slices"

	"petconform/conformance/plan"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// SetApart moves the failures that rest on requests which only one of the runs sent out of NewlyFailing and Fixed: a
// quick run sends fewer values than a full one, and generated sequences depend on the seed. then and today are the recordings of the
// runs.
func (d *Diff) SetApart(old, now verdict.Results, then, today *exchange.Recording) {
	if then == nil || today == nil {
		return
	}
	before, after := sentIn(then), sentIn(today)
	d.NewlyFailing, d.Untested = apart(d.NewlyFailing, func(c Change) bool {
		is, _ := now.Check(c.Check)
		return c.Was == verdict.NotRun && is.Kind != verdict.Phase || !before.tested(is, after)
	})
	d.Fixed, d.NotAgain = apart(d.Fixed, func(c Change) bool {
		was, _ := old.Check(c.Check)
		return !after.tested(was, before)
	})
}

func apart(all []Change, untested func(Change) bool) (kept, moved []Change) {
	kept, moved = []Change{}, []Change{}
	for _, c := range all {
		if untested(c) {
			moved = append(moved, c)
		} else {
			kept = append(kept, c)
		}
	}
	return kept, moved
}

// requests are those that a run sent.
type requests struct {
	seed uint64
	by   map[int]request
	all  map[request]bool
}

// request names a request of a run. In each run with the same seed, the same name means the same request.
// One that the seed chose has no step: the seed chooses them all.
type request struct {
	check, step string
	drawn       bool
}

func sentIn(rec *exchange.Recording) requests {
	s := requests{rec.Meta.Seed, map[int]request{}, map[request]bool{}}
	for _, x := range rec.Exchanges {
		r := request{check: x.Check, step: plan.Asked(x.Step)}
		if row, _ := plan.RowOf(x.Check, x.Step); row.Drawn {
			r = request{check: x.Check, drawn: true}
		}
		s.by[x.N], s.all[r] = r, true
	}
	return s
}

// tested reports whether the run sent a request on which a failure in another run rests. A failure without a case rests
// on no single request.
func (s requests) tested(c verdict.Check, in requests) bool {
	cases := 0
	for _, f := range c.Findings {
		for _, k := range f.Cases {
			if cases++; s.sentOf(k, in) {
				return true
			}
		}
	}
	return cases == 0
}

// sentOf reports whether the run sent the requests on which a case in another run rests.
func (s requests) sentOf(k verdict.Case, in requests) bool {
	sent := func(n int) bool {
		r, known := in.by[n]
		if row, planned := plan.RowOf(r.check, r.step); !known || planned && !row.Full && !row.Spare { // every run sends it
			return true
		}
		return s.all[r] && (!r.drawn || s.seed == in.seed)
	}
	shown := len(k.Exchanges) == 0 || slices.ContainsFunc(k.Exchanges, sent)
	return shown && !slices.ContainsFunc(k.After, func(n int) bool { return !sent(n) })
}
