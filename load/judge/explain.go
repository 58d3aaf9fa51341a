package judge

import (
	"slices"
	"sort"
	"time"

	"petconform/load/record"
)

// explanation says which lawful kinds of limiter let through what the bursts got.
type explanation struct {
	// exact: no burst got more than the plan, as with windows from the first request, a log or a counter.
	exact bool
	// bucket: each burst got the plan and what is refilled meanwhile.
	bucket bool
	// clock: each burst that got more than the plan spans the edge of one and the same row of clock windows.
	clock bool
	// counter: a sliding counter lets through what all the bursts got together.
	counter bool
	// stepped, when it is not 0, is how many requests a bucket gains at a time, which is refilled in steps on the clock. It
	// is looked for where neither of the two before explains the bursts.
	stepped int
}

func (e explanation) lawful() bool {
	return e.exact || e.bucket || e.clock || e.counter || e.stepped > 0
}

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
	if !e.exact && !e.bucket && !e.clock {
		e.counter, e.stepped = v.counterExplains(bursts), v.steps(bursts)
	}
	return e
}

// arc is a stretch of time in which an edge has to lie.
type arc struct{ from, to time.Duration }

// commonEdge says whether windows on the clock explain every burst that got more than the plan: their edges are a whole
// number of windows apart, so that one phase has to fit all.
func (v *view) commonEdge(bursts []*burst) bool {
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
	if len(arcs) > 0 {
		arcs = append(arcs, v.edgesAfterRefusals()...)
	}
	return v.commonPhase(arcs, v.window, v.apart())
}

// edgesAfterRefusals: windows on the clock have an edge between a 429 and the next request that is accepted, and a bucket
// that a timer refills has a step.
func (v *view) edgesAfterRefusals() []arc {
	var arcs []arc
	var refused *record.Record
	for _, r := range v.own {
		switch {
		case r.Limited():
			refused = r
		case r.Accepted() && refused != nil && r.Sent >= refused.Ended():
			if r.Received()-refused.Sent < v.window {
				arcs = append(arcs, arc{refused.Sent, r.Received()})
			}
			refused = nil
		}
	}
	return arcs
}

// counterExplains says whether a sliding counter lets through what the bursts got.
func (v *view) counterExplains(bursts []*burst) bool {
	var all []*record.Record
	for _, b := range bursts {
		all = append(all, b.accepted...)
	}
	slices.SortStableFunc(all, func(a, b *record.Record) int { return int(a.Sent - b.Sent) })
	return v.counterFits(all, 0)
}

// apart is by how much edges may lie off their row: the target's clock is coarse, and it ticks apart from ours between the
// first burst and the last.
func (v *view) apart() time.Duration { return v.window/10_000 + coarse }

// commonPhase says whether edges that are a period apart can lie in all the arcs.
func (v *view) commonPhase(arcs []arc, period, apart time.Duration) bool {
	if len(arcs) == 0 {
		return true
	}
	for _, start := range arcs { // if there is a common phase, the beginning of some arc is one
		phase, fits := start.from, true
		for _, a := range arcs {
			behind := ((a.to+apart-phase)%period + period) % period
			if fits = behind <= a.to-a.from+2*apart; !fits {
				break
			}
		}
		if fits {
			return true
		}
	}
	return false
}

// leastGain is the smallest step that is told from an even refill.
const leastGain = 2

// stepsPerMinute are the steps in which buckets are refilled that are not refilled evenly: by a timer of whole seconds. The
// largest that explain the bursts are taken, in the target's favour.
var stepsPerMinute = []int{2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60}

// steps looks for a bucket that is refilled in steps: each burst that got more than the plan spans as many of one and the same
// row of steps as explain it, and none got less than the steps that it surely spans.
func (v *view) steps(bursts []*burst) int {
	risen := slices.ContainsFunc(bursts, v.risen)
	for _, n := range stepsPerMinute {
		gain, period := v.limit/n, v.window/time.Duration(n)
		if gain < leastGain {
			continue
		}
		var arcs []arc
		fits := true
		for _, b := range bursts {
			if fits = v.inSteps(b, gain, period, risen); !fits {
				break
			}
			arcs = append(arcs, v.stepsOf(b, gain, period)...)
		}
		if fits && v.commonPhase(append(arcs, v.edgesAfterRefusals()...), period, v.apart()) {
			return gain
		}
	}
	return 0
}

// inSteps says whether a bucket that gains so much in each period lets through what the burst got, and no more than that.
// risen says that what was left was seen to rise in one of the bursts: else a step that came by chance when one request was
// missing is not believed.
func (v *view) inSteps(b *burst, gain int, period time.Duration, risen bool) bool {
	if b.excess(v.limit) > gain*(1+int(b.took()/period)) {
		return false
	}
	if b.refused == nil {
		return true
	}
	if wait, ok := v.soonest(b); ok && wait > period+time.Second && !v.risen(b) { // the next step would have come sooner
		return false
	}
	// A step that comes while the bucket is nearly full is lost, and one that comes after the 429 may not be used up.
	last, lost := b.all[len(b.all)-1], 1
	if last != b.refused {
		lost = 2
	}
	surely := int((last.Sent-b.first().Sent)/period) - lost
	return len(b.accepted) >= min(len(b.all), v.limit+surely*gain) && (risen || v.part(b, gain) == 0 || v.slowly(b, gain, period))
}

// soonest is the shortest wait that a burst's 429s ask for: those that came late may tell of a ban.
func (v *view) soonest(b *burst) (least time.Duration, ok bool) {
	for _, r := range b.all {
		if wait, said := v.wait(r); said && r.Limited() && (!ok || wait < least) {
			least, ok = wait, true
		}
	}
	return least, ok
}

// risen says whether X-RateLimit-Remaining showed that more was left than the burst had left of the plan, by two or more.
func (v *view) risen(b *burst) bool {
	return slices.ContainsFunc(b.accepted, func(r *record.Record) bool {
		before := sort.Search(len(b.accepted), func(i int) bool { return b.accepted[i].Received() > r.Sent })
		return v.telling(r) && int(r.Remaining) >= v.limit-before-1+leastGain
	})
}

// abreast says whether requests were under way at the same time: then it is not known which of them came before a step.
func (b *burst) abreast() bool {
	for i := 1; i < len(b.all); i++ {
		if b.all[i].Sent < b.all[i-1].Received() {
			return true
		}
	}
	return false
}

// part is what the first of a burst's steps gave when it was less than the whole gain; a look may be counted or not.
func (v *view) part(b *burst, gain int) int {
	part := max(0, b.before-v.limit) % gain
	if part == gain-1 && gain > leastGain+1 {
		return 0
	}
	return part
}

// slowly says whether a step may have come before its gain was spent.
func (v *view) slowly(b *burst, gain int, period time.Duration) bool {
	return len(b.accepted) >= gain && b.accepted[gain-1].Received()-b.first().Sent > period/20
}

// stepsOf gives where the steps lie that explain a burst. Up to its 429 each gives its whole gain, but for a first one that
// comes before so much was spent: it fills up what is missing.
func (v *view) stepsOf(b *burst, gain int, period time.Duration) []arc {
	if b.excess(v.limit) <= 0 {
		return nil
	}
	var arcs []arc
	first := 0
	if part := v.part(b, gain); b.refused != nil && part > 0 && !b.abreast() {
		arcs = append(arcs, arc{b.accepted[max(0, part-2)].Sent, b.accepted[part+1].Received()})
		first = part
	}
	for k := first; k < b.excess(v.limit); k += gain {
		to := b.accepted[v.limit+k].Received() // what is beyond the steps before it came after one more
		arcs = append(arcs, arc{max(b.first().Sent, to-period), to})
	}
	return arcs
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
