package judge

import (
	"cmp"
	"slices"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
)

// burst has the requests of a round, from a fresh allowance to less than a window later. Later requests may belong to
// the next window, whose beginning is not known.
type burst struct {
	phase record.Phase
	round int
	// all are its requests in the order of sending, and accepted those that were accepted, in the order of their
	// responses.
	all      []*record.Record
	accepted []*record.Record
	// refused is the first 429; nil if there is none. before counts the accepted requests that were sent before it
	// arrived.
	refused *record.Record
	before  int
	// odd are the responses that are neither a success nor a 429.
	odd []*record.Record
	// cut says that requests beyond the window were left out.
	cut bool
}

// bursts returns the bursts of a phase, one for each round.
func (v *view) bursts(p record.Phase) []*burst {
	var out []*burst
	for _, round := range v.rounds(p) {
		if b := v.burst(p, round); b != nil {
			out = append(out, b)
		}
	}
	return out
}

// freshFor says how long after the request that showed a fresh allowance a burst may begin: 1/8 of a window. The sender
// begins it within 1/20; the rest is for a busy machine.
const freshFor = 8

func (v *view) burst(p record.Phase, round int) *burst {
	first := slices.IndexFunc(v.own, func(r *record.Record) bool { return r.Phase == p && r.Round == round && r.Role == record.Spend })
	if first < 0 {
		return nil
	}
	b := &burst{phase: p, round: round}
	start := first
	// The request before belongs to the burst: its response showed that the allowance was fresh.
	if start > 0 && v.own[first].Sent-v.own[start-1].Sent < v.window/freshFor && v.own[start-1].Accepted() {
		start--
	}
	for i := start; i < len(v.own); i++ {
		r := v.own[i]
		mine := i < first || r.Phase == p && r.Round == round && (r.Role == record.Spend || r.Role == record.Press)
		if !mine {
			continue
		}
		if r.Received()-v.own[start].Sent > v.window-limiter.EdgeTolerance(v.window) {
			b.cut = true
			continue
		}
		b.add(r)
	}
	if len(b.all) == 0 {
		return nil
	}
	slices.SortStableFunc(b.accepted, func(x, y *record.Record) int { return cmp.Compare(x.Received(), y.Received()) })
	return b
}

func (b *burst) add(r *record.Record) {
	b.all = append(b.all, r)
	switch {
	case r.Accepted():
		b.accepted = append(b.accepted, r)
		if b.refused == nil || r.Sent < b.refused.Received() {
			b.before++
		}
	case r.Limited():
		if b.refused == nil {
			b.refused = r
		}
	default:
		b.odd = append(b.odd, r)
	}
}

func (b *burst) first() *record.Record { return b.all[0] }

// took returns the time from the first request to the response of the last accepted one.
func (b *burst) took() time.Duration { return b.tookFor(len(b.accepted)) }

// tookFor returns the time from the first request to the response of the n-th accepted one.
func (b *burst) tookFor(n int) time.Duration {
	if n == 0 {
		return 0
	}
	return b.accepted[n-1].Received() - b.first().Sent
}

// beyond returns the bursts in which more than the plan was accepted.
func (v *view) beyond(bursts []*burst) []*burst {
	return slices.DeleteFunc(slices.Clone(bursts), func(b *burst) bool { return len(b.accepted) <= v.limit })
}
