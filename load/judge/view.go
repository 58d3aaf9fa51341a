// Package judge says what a load run found. It reads a recording and nothing else: no clock, no network, no limiter. It
// does not take the target for any kind of limiter; it asks whether one lawful kind explains all that came.
//
// Two rules keep a noisy machine from making a verdict. What is failed has been seen at least twice, independently. And
// every time is taken in the target's favour: a request was counted at some moment between its sending and its answer.
package judge

import (
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

// view is the requests of one key, in the order of sending, with what the phases' judges ask of them.
type view struct {
	rec  *record.Recording
	lane *record.Lane
	// limit is the plan's requests per minute, window how long the target's minute is.
	limit  int
	window time.Duration
	own    []*record.Record
	side   []*record.Record
	// sent and received are when the accepted requests were sent and answered, each in order.
	sent, received []time.Duration
	notes          []record.Note
	// jumps are when a clock, ours or the target's, moved.
	jumps []time.Duration
	// foreign says, when someone else used the key, at which exchange it showed.
	foreign *record.Record
	// whole is the account of everything that the key got. plain is that of what one operation got alone, and shared and pressed
	// are those of it with the mixed phase and with the overload; see accounts.
	whole, plain, shared, pressed *account
}

func views(rec *record.Recording) []*view {
	all := make([]*view, len(rec.Lanes))
	for i := range rec.Lanes {
		all[i] = &view{rec: rec, lane: &rec.Lanes[i], limit: int(rec.Lanes[i].PerMinute), window: rec.Settings.Minute}
	}
	whole := slices.AppendSeq(make([]record.Record, 0, rec.Records.Len()), rec.Records.All())
	for i := range whole {
		r := &whole[i]
		if v := all[r.Lane]; r.Other {
			v.side = append(v.side, r)
		} else {
			v.own = append(v.own, r)
		}
	}
	for _, n := range rec.Notes {
		if n.Lane >= 0 && n.Lane < len(all) {
			all[n.Lane].notes = append(all[n.Lane].notes, n)
		}
	}
	bySending := func(a, b *record.Record) int { return int(a.Sent - b.Sent) }
	for _, v := range all {
		slices.SortStableFunc(v.own, bySending)
		slices.SortStableFunc(v.side, bySending)
		for _, r := range v.own {
			if r.Accepted() {
				v.sent, v.received = append(v.sent, r.Sent), append(v.received, r.Received())
			}
		}
		slices.Sort(v.received)
		for _, n := range rec.Notes {
			if n.Kind == record.Jumped {
				v.jumps = append(v.jumps, n.At)
			}
		}
		v.jumps = append(v.jumps, targetJumps(v.own)...)
		if v.counts() {
			v.foreign = v.foreignUse()
		}
		v.accounts()
	}
	return all
}

// of gives the requests of a phase, and of a round of it when round is not 0.
func (v *view) of(p record.Phase, round int, roles ...record.Role) []*record.Record {
	var out []*record.Record
	for _, r := range v.own {
		if r.Phase == p && (round == 0 || r.Round == round) && (len(roles) == 0 || slices.Contains(roles, r.Role)) {
			out = append(out, r)
		}
	}
	return out
}

func (v *view) rounds(p record.Phase) []int {
	var out []int
	for _, r := range v.own {
		if r.Phase == p && !slices.Contains(out, r.Round) {
			out = append(out, r.Round)
		}
	}
	slices.Sort(out)
	return out
}

// skipped says why a phase was not gone through.
func (v *view) skipped(p record.Phase) string {
	for _, n := range v.notes {
		if n.Kind == record.Skipped && n.Phase == p {
			return n.Why
		}
	}
	return ""
}

// perWindow is how many requests of the plan fall to d.
func (v *view) perWindow(d time.Duration) float64 {
	return float64(v.limit) * float64(d) / float64(v.window)
}

// large is the plan, in requests per minute, beyond which X-RateLimit-Remaining may be told roughly, in thousands say: a
// counter of that size is spread over servers. No plan but a custom one comes near it.
const large = 3000

// counts says whether X-RateLimit-Remaining can be expected to be exact to the request.
func (v *view) counts() bool { return v.limit <= large }

// disturbed says whether a clock moved between from and to, or in the two windows before.
func (v *view) disturbed(from, to time.Duration) bool {
	return slices.ContainsFunc(v.jumps, func(at time.Duration) bool { return at >= from-2*v.window && at <= to })
}

// operation is the operation that a request called.
func (v *view) operation(r *record.Record) spec.Operation {
	q := &v.rec.Shapes[r.Shape].Request
	return spec.OperationOf(q.Method, q.Path)
}

// wait is how long a 429 asks to wait.
func (v *view) wait(r *record.Record) (time.Duration, bool) { return r.Wait(v.rec.Meta.Started) }

// telling says whether r's headers speak of the minute's figure.
func (v *view) telling(r *record.Record) bool {
	return r.Limit.Known() && r.Remaining.Known() && int64(r.Limit) == v.lane.PerMinute
}

// ofDay says whether a 429 can't be of the minute: its wait is longer than any limiter of a minute asks for after one
// refusal, or its headers speak of the day.
func (v *view) ofDay(r *record.Record) bool {
	if v.lane.PerDay > 0 && r.Limit.Known() && int64(r.Limit) == v.lane.PerDay && r.Limited() && r.Remaining == 0 {
		return true
	}
	wait, ok := v.wait(r)
	return ok && wait > 2*v.window+2*time.Second
}
