package compare

import (
	"fmt"
	"slices"

	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// requests are those that a run sent; nil if that is not known.
type requests struct {
	by  map[int]request
	all map[request]bool
}

// request names a request: the same name means the same request in each run. The step of one that the seed chose is the
// seed, which chooses all of them.
type request struct{ check, step string }

func sentIn(rec *exchange.Recording) *requests {
	if rec == nil {
		return nil
	}
	s := &requests{map[int]request{}, map[request]bool{}}
	for _, x := range rec.Exchanges {
		r := request{x.Check, plan.Asked(x.Step)}
		if plan.Generated(x.Check) {
			r.step = fmt.Sprint("seed ", rec.Meta.Seed)
		}
		s.by[x.N], s.all[r] = r, true
	}
	return s
}

// casesOf are those on which what a run found about a requirement rests. What a load found rests on no single request.
func casesOf(id spec.ID, r verdict.Results) (cases []verdict.Case) {
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			if f.Requirement == id && c.Kind == verdict.Phase {
				return nil
			} else if f.Requirement == id {
				cases = append(cases, f.Cases...)
			}
		}
	}
	return cases
}

// tested reports whether the run sent a request on which the cases of another run rest; without any, it did.
func (s *requests) tested(cases []verdict.Case, in *requests) bool {
	return s == nil || in == nil || len(cases) == 0 ||
		slices.ContainsFunc(cases, func(k verdict.Case) bool { return s.sentOf(k, in) })
}

// sentOf reports whether the run sent the requests on which a case in another run rests.
func (s *requests) sentOf(k verdict.Case, in *requests) bool {
	lacks := func(n int) bool {
		r, known := in.by[n]
		row, planned := plan.RowOf(r.check, r.step)
		inEveryRun := planned && !row.Full && !row.Spare
		return known && !inEveryRun && !s.all[r]
	}
	own := slices.DeleteFunc(slices.Clone(k.Exchanges), lacks)
	return (len(own) > 0 || len(k.Exchanges) == 0) && !slices.ContainsFunc(k.After, lacks)
}
