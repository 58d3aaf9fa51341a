package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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

// failing is what a run found about a requirement: the cases on which that rests, and what the first finding says.
type failing struct {
	cases []verdict.Case
	load  bool
	says  string
}

func failure(id spec.ID, r verdict.Results) (found failing) {
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			if f.Requirement == id {
				found.cases, found.load = append(found.cases, f.Cases...), found.load || c.Kind == verdict.Phase
				found.says = cmp.Or(found.says, strings.TrimSuffix(f.Message+": "+f.Actual, ": "))
			}
		}
	}
	return found
}

// tested reports whether the run sent a request on which what failed in another run rests. What has no case, or is of a
// load, rests on no single request.
func (s *requests) tested(f failing, in *requests) bool {
	return s == nil || in == nil || f.load || len(f.cases) == 0 ||
		slices.ContainsFunc(f.cases, func(k verdict.Case) bool { return s.sentOf(k, in) })
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
