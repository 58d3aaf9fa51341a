// Package judge judges a load run. Its only input is the recording: it uses no clock and no network. It assumes no kind
// of limiter, and finds out whether some lawful kind explains every response.
//
// Two rules prevent findings that a slow or busy machine causes. A finding that one slow response could cause needs at
// least two independent cases. And every time is interpreted in the target's favor: the limiter saw a request at some
// moment between its sending and the first byte of its response.
package judge

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// View has the requests of one key, in the order of sending, and what the judges of the phases share.
type View struct {
	rec   *record.Recording
	lane  *record.Lane
	known []Phase
	// limit is the plan's requests per minute, and window the length of the target's minute.
	limit  int
	window time.Duration
	// own are the key's requests, and side those that the lane sent with the run's other key.
	own, side []*record.Record
	// skipped are the phases that did not run or broke off, with the reason, and jumps the times at which the target's clock
	// or this machine's jumped.
	skipped map[record.Phase]string
	jumps   []time.Duration
	// bursts are in the order of sending.
	bursts []*burst
	// minute is what the key's requests say of the limit of the minute.
	minute limiter.Result
	// outcomes are those of the planned phases, in their order.
	outcomes []*Outcome
	// observed is what the interface does not specify.
	observed []verdict.Observation
}

func views(rec *record.Recording, known []Phase) (all []*View) {
	records := make([][]*record.Record, len(rec.Lanes))
	for _, r := range rec.Records {
		records[r.Lane] = append(records[r.Lane], r)
	}
	for i := range rec.Lanes {
		v := Begun(rec, i, known, records[i])
		v.minute = limiter.Judge(v.history())
		for _, n := range rec.Notes {
			if n.Lane == i {
				v.skipped[n.Phase] = n.Why
			}
		}
		all = append(all, v)
	}
	return all
}

// Begun returns the view of a lane with the records that it has so far, which it sorts. Their limiter is not judged.
func Begun(rec *record.Recording, lane int, known []Phase, records []*record.Record) *View {
	v := &View{rec: rec, lane: &rec.Lanes[lane], known: known, skipped: map[record.Phase]string{}}
	v.limit, v.window = int(v.lane.PerMinute), rec.Settings.Minute
	slices.SortStableFunc(records, func(a, b *record.Record) int { return int(a.Sent - b.Sent) })
	for _, r := range records {
		switch {
		case !r.Other:
			v.own = append(v.own, r)
		case !r.Reused: // else the target closed a kept connection, and the request was sent again
			v.side = append(v.side, r)
		}
	}
	v.jumps = jumps(v.own)
	v.findBursts()
	v.minute = limiter.Waited(v.history())
	return v
}

// Plan returns the plan's requests per minute, and the length of the target's minute.
func (v *View) Plan() (limit int, window time.Duration) { return v.limit, v.window }

// phase returns a phase by its id. Nothing is known of one that package load does not have.
func (v *View) phase(id record.Phase) Phase {
	if i := slices.IndexFunc(v.known, func(p Phase) bool { return p.ID == id }); i >= 0 {
		return v.known[i]
	}
	return Phase{}
}

// Of returns the requests of a phase, and with one of roles if there are any.
func (v *View) Of(p record.Phase, roles ...record.Role) []*record.Record {
	return slices.DeleteFunc(slices.Clone(v.own), func(r *record.Record) bool {
		return r.Phase != p || len(roles) > 0 && !slices.Contains(roles, r.Role)
	})
}

// answered returns the status of a response, or the reason why there is none.
func answered(r *record.Record) string {
	if f := r.Like.Failure; r.Status == 0 && f != nil {
		return "no response (" + string(f.Kind) + ")"
	}
	return fmt.Sprint(r.Status)
}

// count returns the number of requests for which is returns true.
func count(all []*record.Record, is func(*record.Record) bool) (n int) {
	for _, r := range all {
		if is(r) {
			n++
		}
	}
	return n
}

// disturbed reports whether a clock jumped between from and to, or in the two windows before from: a sliding counter
// still counts requests of that time.
func (v *View) disturbed(from, to time.Duration) bool {
	return slices.ContainsFunc(v.jumps, func(at time.Duration) bool { return at >= from-2*v.window && at <= to })
}

// ofDay reports whether a 429 is due to the day's limit: its headers describe the day's, or its Retry-After is too long
// for the minute's.
func (v *View) ofDay(r *record.Record) bool {
	if v.lane.PerDay > 0 && r.Limit == v.lane.PerDay && r.Limited() && r.Remaining == 0 {
		return true
	}
	return r.WaitsLong(v.window)
}

// history returns the key's requests as package limiter reads them, with the limit of the minute. The n-th phase, if it
// adds something to those before it, begins stage n.
func (v *View) history() *limiter.History {
	h := &limiter.History{Limit: v.limit, Window: v.window, Figures: []int64{v.lane.PerMinute},
		Events: make([]limiter.Event, 0, len(v.own))}
	if v.lane.PerDay > 0 {
		h.Figures = append(h.Figures, v.lane.PerDay)
	}
	stage := 0
	for _, r := range v.own {
		if i := slices.IndexFunc(v.known, func(p Phase) bool { return p.ID == r.Phase && p.Adds }); i >= stage {
			stage = i + 1
		}
		h.Events = append(h.Events, limiter.Event{Sent: r.Sent, Answered: r.Received(), Outcome: outcomeOf(r),
			Says: r.Headers, Stage: stage, Excused: v.ofDay(r)})
	}
	for _, b := range v.bursts {
		if b.fresh {
			h.Bursts = append(h.Bursts, b.at)
		}
	}
	return h
}

// outcome is that of a phase before anything is judged. Its check lasts from the first request to the last response.
func (v *View) outcome(p Phase) *Outcome {
	o := &Outcome{Phase: p, skipped: v.skipped[p.ID]}
	o.whole = verdict.Check{ID: record.CheckID(v.lane.Plan, p.ID), Kind: verdict.Phase, Title: p.Title,
		Operation: spec.ListPets, Requirements: slices.Clone(p.Proves), Exchanges: []int{}, Of: 1}
	if v.lane.Label != v.lane.Plan {
		o.key = v.lane.Label + ": "
	}
	all := v.Of(p.ID)
	if o.sent = len(all); o.sent > 0 {
		last := slices.MaxFunc(all, func(a, b *record.Record) int { return cmp.Compare(a.Ended(), b.Ended()) })
		o.whole.MS = (last.Ended() - all[0].Sent).Milliseconds()
	}
	for _, id := range p.Proves {
		o.each = append(o.each, verdict.Check{ID: o.whole.ID, Requirements: []spec.ID{id}, Decides: id,
			Verdict: verdict.NotRun, Reason: cmp.Or(o.skipped, noResponse)})
	}
	return o
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

// clockTolerance is how much the target's clock may move against this machine's monotonic clock: 2 s. NTP slews a clock
// by less than that in an hour, and servers cache Date for up to a second.
const clockTolerance = 2 * time.Second

// jumps returns the times at which the target's clock jumped, or this machine slept: from one response to the next, Date
// moved against the monotonic clock by more than clockTolerance, its rounding to seconds and the response times explain.
func jumps(own []*record.Record) (found []time.Duration) {
	var last *record.Record
	for _, r := range own {
		if r.Date == limiter.Absent {
			continue
		}
		if last != nil {
			moved := time.Duration(r.Date-last.Date)*time.Second - (r.Sent - last.Sent)
			if moved.Abs() > clockTolerance+time.Second+max(r.Done, last.Done) {
				found = append(found, r.Sent)
			}
		}
		last = r
	}
	return found
}
