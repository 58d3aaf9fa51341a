package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

// burst has the requests of a round, from a fresh allowance to less than a window later. Later requests may belong to
// the next window, whose beginning is not known.
type burst struct {
	phase record.Phase
	round int
	// at are its requests, as indexes of the view's own, and first is the first of them. accepted of them were accepted that
	// were sent before the first 429 came.
	at       []int
	first    *record.Record
	accepted int
	// refused is the first 429; nil if there is none. end is when the last of the accepted ones was answered.
	refused *record.Record
	end     time.Duration
	// fresh says that nothing else was spent of its allowance: it begins with the response that showed the allowance, or
	// after two windows without requests.
	fresh bool
}

// freshFor says how long after the request that showed a fresh allowance a burst may begin: 1/8 of a window. The sender
// begins it within 1/20; the rest is for a busy machine.
const freshFor = 8

// findBursts sets the view's bursts, one for each round of a phase that spends a fresh allowance.
func (v *View) findBursts() {
	for i, r := range v.own {
		n := len(v.bursts) - 1
		same := n >= 0 && v.bursts[n].phase == r.Phase && v.bursts[n].round == r.Round
		if !v.phase(r.Phase).Spends || r.Role != record.Spend && (r.Role != record.Press || !same) {
			continue
		}
		if !same {
			v.bursts, n = append(v.bursts, &burst{phase: r.Phase, round: r.Round, first: r}), n+1
			// The request before belongs to the burst: its response showed that the allowance was fresh.
			v.bursts[n].fresh = i == 0 || r.Sent-v.own[i-1].Received() >= 2*v.window
			if i > 0 && r.Sent-v.own[i-1].Sent < v.window/freshFor && v.own[i-1].Accepted() {
				v.bursts[n].fresh, v.bursts[n].first = true, v.own[i-1]
				v.bursts[n].add(v.own, i-1)
			}
		}
		if b := v.bursts[n]; r.Received()-b.first.Sent <= v.window-limiter.EdgeTolerance(v.window) || len(b.at) == 0 {
			b.add(v.own, i)
		}
	}
}

func (b *burst) add(own []*record.Record, i int) {
	b.at = append(b.at, i)
	switch r := own[i]; {
	case r.Accepted() && (b.refused == nil || r.Sent < b.refused.Received()):
		b.accepted, b.end = b.accepted+1, max(b.end, r.Received())
	case r.Limited() && b.refused == nil:
		b.refused = r
	}
}

func (v *View) burstsOf(p record.Phase) []*burst {
	return slices.DeleteFunc(slices.Clone(v.bursts), func(b *burst) bool { return b.phase != p })
}

func limited(bursts []*burst) bool {
	return slices.ContainsFunc(bursts, func(b *burst) bool { return b.refused != nil })
}

// beyond reports whether a burst accepted more than the plan, and than the kinds of limiter that explain the fills gain.
func (v *View) beyond(b *burst) bool {
	return float64(b.accepted) > float64(v.limit)+v.minute.Gained(b.end-b.first.Sent)
}

// Unclear reports whether a burst of a phase, the last one so far, did not end as planned: with a 429 after the plan's
// requests and what was gained meanwhile, and no other 429 after a wait.
func (v *View) Unclear(p record.Phase) bool {
	bursts := v.burstsOf(p)
	return !v.kept(p) || slices.ContainsFunc(bursts, func(b *burst) bool { return b.accepted < v.limit }) ||
		slices.ContainsFunc(v.minute.Waits, func(w limiter.Wait) bool { return w.Next > bursts[0].at[0] && v.own[w.Next].Limited() })
}

// describe describes bursts, as in "fill 1: 60 accepted in 1.2s, and a 429".
func describe(bursts ...*burst) string {
	var each []string
	for _, b := range bursts {
		then := "and no 429 within the window"
		if b.refused != nil {
			then = "and a 429"
		}
		took := max(0, b.end-b.first.Sent).Round(time.Millisecond)
		each = append(each, fmt.Sprintf("%s %d: %s accepted in %s, %s", b.phase, b.round, spec.Number(b.accepted), took, then))
	}
	return strings.Join(each, "; ")
}
