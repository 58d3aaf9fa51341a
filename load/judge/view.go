// Package judge judges a load run. Its only input is the recording: it uses no clock and no network. It assumes no kind
// of limiter, and finds out whether some lawful kind explains every response.
//
// Two rules prevent findings that a slow or busy machine causes. A finding that one slow response could cause needs at
// least two independent cases. And every time is interpreted in the target's favor: the limiter saw a request at some
// moment between its sending and the first byte of its response.
package judge

import (
	"slices"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
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
	notes     []record.Note
	// jumps are the times at which a clock jumped, this machine's or the target's.
	jumps []time.Duration
	// bursts are in the order of sending.
	bursts []*burst
	// minute is what the key's requests say of the limit of the minute.
	minute limiter.Result
	// outcomes are the results of the phases.
	outcomes map[record.Phase]*Outcome
}

func views(rec *record.Recording, known []Phase) []*View {
	all := make([]*View, len(rec.Lanes))
	for i := range rec.Lanes {
		all[i] = &View{rec: rec, lane: &rec.Lanes[i], known: known, limit: int(rec.Lanes[i].PerMinute), window: rec.Settings.Minute}
	}
	for i := range rec.Records {
		r := &rec.Records[i]
		v := all[r.Lane]
		switch {
		case !r.Other:
			v.own = append(v.own, r)
		case !r.Reused: // else the target closed a kept connection, and the request was sent again
			v.side = append(v.side, r)
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
		for _, n := range rec.Notes {
			if n.Kind == record.Jumped {
				v.jumps = append(v.jumps, n.At)
			}
		}
		v.jumps = append(v.jumps, targetJumps(v.own)...)
		v.findBursts()
		v.minute = limiter.Judge(v.history())
	}
	return all
}

// Of returns the requests of a phase, and with one of roles if there are any.
func (v *View) Of(p record.Phase, roles ...record.Role) []*record.Record {
	var out []*record.Record
	for _, r := range v.own {
		if r.Phase == p && (len(roles) == 0 || slices.Contains(roles, r.Role)) {
			out = append(out, r)
		}
	}
	return out
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

// skipped returns the reason why a phase did not run, or "" if it ran. It may have run after the note: the recovery, if
// the first 429 was in the overload.
func (v *View) skipped(p record.Phase) string {
	for _, n := range v.notes {
		ran := func(r *record.Record) bool {
			return r.Sent >= n.At && (r.Phase == p || p == record.Recover && r.Phase == record.Backoff)
		}
		if n.Kind == record.Skipped && n.Phase == p && !slices.ContainsFunc(v.own, ran) {
			return n.Why
		}
	}
	return ""
}

// perWindow returns the plan's number of requests in d: 6 in 6 s with 60 a minute. A bucket gains as many.
func (v *View) perWindow(d time.Duration) float64 {
	return float64(v.limit) * float64(d) / float64(v.window)
}

// disturbed reports whether a clock jumped between from and to, or in the two windows before from: a sliding counter
// still counts requests of that time.
func (v *View) disturbed(from, to time.Duration) bool {
	return slices.ContainsFunc(v.jumps, func(at time.Duration) bool { return at >= from-2*v.window && at <= to })
}

func (v *View) ofMinute(r *record.Record) bool { return r.Of(v.lane.PerMinute) }

// ofDay reports whether a 429 is due to the day's limit: its headers describe the day's, or its Retry-After is too long
// for the minute's.
func (v *View) ofDay(r *record.Record) bool {
	if v.lane.PerDay > 0 && r.Limit.Known() && int64(r.Limit) == v.lane.PerDay && r.Limited() && r.Remaining == 0 {
		return true
	}
	return r.WaitsLong(v.window)
}

// clockTolerance is how much the target's clock may move against this machine's monotonic clock: 2 s. NTP slews a clock
// by less than that in an hour, and servers cache Date for up to a second.
const clockTolerance = 2 * time.Second

// targetJumps returns the times at which the target's clock jumped: Date moved against the monotonic clock by more than
// clockTolerance, its rounding to seconds and the response times explain.
func targetJumps(own []*record.Record) []time.Duration {
	var jumps []time.Duration
	var low, high time.Duration
	known := false
	for _, r := range own {
		if !r.Date.Known() || r.Status == 0 {
			continue
		}
		date := time.Duration(r.Date) * time.Second
		// The target's clock minus ours is between these two, since Date is rounded down.
		least, most := date-r.Ended(), date+time.Second-r.Sent
		if known && (least > high+clockTolerance || most < low-clockTolerance) {
			jumps = append(jumps, r.Sent)
			known = false
		}
		if !known {
			low, high, known = least, most, true
			continue
		}
		if l, h := max(low, least), min(high, most); l <= h {
			low, high = l, h
		}
	}
	return jumps
}
