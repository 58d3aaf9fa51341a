package judge

import "time"

// explanation says which lawful kinds of limiter let through what the bursts got.
type explanation struct {
	// exact: no burst got more than the plan, as with windows from the first request, a log or a counter.
	exact bool
	// bucket: each burst got the plan and what is refilled meanwhile.
	bucket bool
	// clock: each burst that got more than the plan spans the edge of one and the same row of clock windows.
	clock bool
}

func (e explanation) lawful() bool { return e.exact || e.bucket || e.clock }

// explain looks for one kind that explains all the bursts: a limiter does not change its kind from one to the next.
func (v *view) explain(bursts []*burst) explanation {
	e := explanation{exact: true, bucket: true, clock: true}
	for _, b := range bursts {
		if b.excess(v.limit) > 0 {
			e.exact = false
		}
		if v.overBucket(b) != nil || b.before >= v.limit && v.underBucket(b) {
			e.bucket = false
		}
	}
	e.clock = v.commonEdge(bursts)
	return e
}

// commonEdge says whether windows on the clock explain every burst that got more than the plan: their edges are a whole
// number of windows apart, so that one phase has to fit all.
func (v *view) commonEdge(bursts []*burst) bool {
	type arc struct{ from, to time.Duration }
	var arcs []arc
	for _, b := range bursts {
		if b.excess(v.limit) <= 0 {
			continue
		}
		from, to, ok := v.edges(b)
		if !ok {
			return false
		}
		arcs = append(arcs, arc{from, to})
	}
	if len(arcs) == 0 {
		return true
	}
	// The clocks tick apart by no more than this between the first burst and the last.
	apart := v.window / 10_000
	for _, start := range arcs { // if there is a common phase, the beginning of some arc is one
		phase, fits := start.from, true
		for _, a := range arcs {
			behind := ((a.to+apart-phase)%v.window + v.window) % v.window
			fits = fits && behind <= a.to-a.from+2*apart
		}
		if fits {
			return true
		}
	}
	return false
}

// beyond are the bursts that got more than the plan.
func (v *view) beyond(bursts []*burst) []*burst {
	var out []*burst
	for _, b := range bursts {
		if b.excess(v.limit) > 0 {
			out = append(out, b)
		}
	}
	return out
}
