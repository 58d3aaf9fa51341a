package judge

import (
	"net/http"
	"slices"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
)

// stages are the phases that add something to those before them, after "" for these.
func (v *View) stages() []record.Phase {
	out := []record.Phase{""}
	for _, p := range v.known {
		if p.Adds {
			out = append(out, p.ID)
		}
	}
	return out
}

// spends reports whether a phase spends an allowance.
func (v *View) spends(id record.Phase) bool {
	return slices.ContainsFunc(v.known, func(p Phase) bool { return p.ID == id && p.Spends })
}

// history returns the key's requests as package limiter reads them, with the limit of the minute.
func (v *View) history() *limiter.History {
	h := &limiter.History{Limit: v.limit, Window: v.window, Figures: []int64{v.lane.PerMinute}}
	if v.lane.PerDay > 0 {
		h.Figures = append(h.Figures, v.lane.PerDay)
	}
	stages, stage := v.stages(), 0
	for _, r := range v.own {
		stage = max(stage, slices.Index(stages, r.Phase))
		h.Events = append(h.Events, limiter.Event{Sent: r.Sent, Answered: r.Received(), Outcome: outcomeOf(r), Says: headersOf(r), Stage: stage, Excused: v.ofDay(r)})
	}
	for i, b := range v.bursts {
		for _, at := range b.at {
			if b.fresh {
				h.Events[at].Burst = i + 1
			}
		}
	}
	return h
}

// outcomeOf returns what the limiter decided.
func outcomeOf(r *record.Record) limiter.Outcome {
	switch {
	case r.Accepted():
		return limiter.Accepted
	case r.Limited():
		return limiter.Refused
	}
	return limiter.Unknown
}

// headersOf returns what the headers say. Those of a response without a valid key are of another allowance. A number that
// is Absent is so in both packages.
func headersOf(r *record.Record) limiter.Headers {
	h := limiter.Headers{Limit: int64(r.Limit), Remaining: int64(r.Remaining), ResetIn: limiter.Absent, RetryAfter: limiter.Absent}
	if r.Status == 0 || r.Status == http.StatusUnauthorized {
		h.Limit, h.Remaining = limiter.Absent, limiter.Absent
		return h
	}
	if in, ok := r.ResetIn(); ok {
		h.ResetIn = in
	}
	if wait, ok := r.Wait(); ok {
		h.RetryAfter = wait
	}
	return h
}

// burst has the requests of a round, from a fresh allowance to less than a window later. Later requests may belong to
// the next window, whose beginning is not known.
type burst struct {
	phase record.Phase
	round int
	// at are its requests, as indexes of the view's own, and accepted the number of those that were accepted.
	at       []int
	accepted int
	// refused is the first 429; nil if there is none. before counts the accepted requests that were sent before it
	// arrived, and last is when the last of them was answered.
	refused *record.Record
	before  int
	last    time.Duration
	// fresh says that nothing else was spent of its allowance: it begins with the response that showed the allowance, or
	// after two windows without requests.
	fresh bool
	// cut says that requests beyond the window were left out.
	cut bool
}

// freshFor says how long after the request that showed a fresh allowance a burst may begin: 1/8 of a window. The sender
// begins it within 1/20; the rest is for a busy machine.
const freshFor = 8

// findBursts sets the view's bursts, one for each round of a phase that spends a fresh allowance.
func (v *View) findBursts() {
	for i, r := range v.own {
		spends := r.Role == record.Spend || r.Role == record.Press
		if !spends || !v.spends(r.Phase) {
			continue
		}
		n := len(v.bursts) - 1
		if n < 0 || v.bursts[n].phase != r.Phase || v.bursts[n].round != r.Round {
			if r.Role != record.Spend {
				continue
			}
			v.bursts, n = append(v.bursts, &burst{phase: r.Phase, round: r.Round}), n+1
			// The request before belongs to the burst: its response showed that the allowance was fresh.
			v.bursts[n].fresh = i == 0 || r.Sent-v.own[i-1].Received() >= 2*v.window
			if i > 0 && r.Sent-v.own[i-1].Sent < v.window/freshFor && v.own[i-1].Accepted() {
				v.bursts[n].fresh = true
				v.bursts[n].add(v.own, i-1)
			}
		}
		b := v.bursts[n]
		if len(b.at) > 0 && r.Received()-v.own[b.at[0]].Sent > v.window-limiter.EdgeTolerance(v.window) {
			b.cut = true
			continue
		}
		b.add(v.own, i)
	}
}

func (b *burst) add(own []*record.Record, i int) {
	b.at = append(b.at, i)
	switch r := own[i]; {
	case r.Accepted():
		if b.accepted++; b.refused == nil || r.Sent < b.refused.Received() {
			b.before++
			b.last = max(b.last, r.Received())
		}
	case r.Limited() && b.refused == nil:
		b.refused = r
	}
}

// of returns the bursts of a phase.
func (v *View) burstsOf(p record.Phase) []*burst {
	return slices.DeleteFunc(slices.Clone(v.bursts), func(b *burst) bool { return b.phase != p })
}
