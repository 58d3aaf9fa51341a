package judge

import (
	"time"

	"petconform/load/record"
)

// edgeTolerance is the part of a window, 1 in 200, by which its end may be off.
const edgeTolerance = 200

// burst is a run of requests from a fresh allowance, no longer than a window: what comes later may be of the next one, of
// whose beginning nothing is known.
type burst struct {
	phase record.Phase
	round int
	// all are its requests, in the order of sending, and accepted those of them that came through, by their answers.
	all      []*record.Record
	accepted []*record.Record
	// refused is the first 429, nil when none came; before counts what was accepted of
	// the requests that the target may have seen before it.
	refused *record.Record
	before  int
	// odd are the answers that are neither a success nor a 429.
	odd []*record.Record
	// cut says that it went on longer than a window.
	cut bool
}

// bursts gives the rounds of a phase that started from an allowance that nothing had been spent of for a window, but for
// the look that showed it.
func (v *view) bursts(p record.Phase) []*burst {
	var out []*burst
	for _, round := range v.rounds(p) {
		if b := v.burst(p, round); b != nil {
			out = append(out, b)
		}
	}
	return out
}

func (v *view) burst(p record.Phase, round int) *burst {
	first := -1
	for i, r := range v.own {
		if r.Phase == p && r.Round == round && r.Role == record.Spend {
			first = i
			break
		}
	}
	if first < 0 {
		return nil
	}
	b := &burst{phase: p, round: round}
	start := first
	// One request came before: the one whose answer showed that the allowance was untouched but for itself.
	if start > 0 && v.own[first].Sent-v.own[start-1].Sent < v.window/8 && v.own[start-1].Accepted() {
		start--
	}
	for i := start; i < len(v.own); i++ {
		r := v.own[i]
		mine := i < first || r.Phase == p && r.Round == round && (r.Role == record.Spend || r.Role == record.Press)
		if !mine {
			continue
		}
		if r.Received()-v.own[start].Sent > v.window-v.window/edgeTolerance {
			b.cut = true
			continue
		}
		b.add(r)
	}
	if len(b.all) == 0 {
		return nil
	}
	return b
}

func (b *burst) add(r *record.Record) {
	b.all = append(b.all, r)
	switch {
	case r.Accepted():
		at := len(b.accepted)
		for at > 0 && b.accepted[at-1].Received() > r.Received() {
			at--
		}
		b.accepted = append(b.accepted, nil)
		copy(b.accepted[at+1:], b.accepted[at:])
		b.accepted[at] = r
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

// excess is how much more than the plan came through, negative when it was less.
func (b *burst) excess(limit int) int { return len(b.accepted) - limit }

// took is the time from the first request to the last answer that was accepted.
func (b *burst) took() time.Duration {
	if len(b.accepted) == 0 {
		return 0
	}
	return b.accepted[len(b.accepted)-1].Received() - b.first().Sent
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
