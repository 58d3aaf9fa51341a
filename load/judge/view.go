// Package judge says what a load run found. It reads a recording and nothing else: no clock, no network, no limiter. It assumes no
// kind of limiter; it asks whether one lawful kind explains every response.
//
// Two rules keep a noisy machine from making a verdict. A finding is seen at least twice, independently. And every time is read in
// the target's favor: the limiter saw a request at some moment between its sending and the first byte of its response.
package judge

import (
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

// view has the requests of one key, in the order of sending, and what the judges of the phases need to know of them.
type view struct {
	rec  *record.Recording
	lane *record.Lane
	// limit is the plan's requests per minute, window how long the target's minute is.
	limit  int
	window time.Duration
	// own are the key's requests, and side those that the lane sent with the run's other key.
	own, side []*record.Record
	// sent and received are the times at which the accepted requests were sent and answered, each in ascending order.
	sent, received []time.Duration
	notes          []record.Note
	// resent has the numbers of the requests that were sent again; see record.Record.Repeats.
	resent map[int]bool
	// jumps are the times at which a clock jumped, this machine's or the target's.
	jumps []time.Duration
	// foreign is the response that shows that someone else used the key; nil if none does.
	foreign *record.Record
	// whole is the account of everything that the key got. plain is that of what one operation got alone, and shared and pressed
	// are those of it with the mixed phase and with the overload; see accounts.
	whole, plain, shared, pressed *account
}

func views(rec *record.Recording) []*view {
	all := make([]*view, len(rec.Lanes))
	for i := range rec.Lanes {
		all[i] = &view{rec: rec, lane: &rec.Lanes[i], limit: int(rec.Lanes[i].PerMinute), window: rec.Settings.Minute,
			resent: map[int]bool{}}
	}
	for i := range rec.Records {
		r := &rec.Records[i]
		v := all[r.Lane]
		if r.Repeats > 0 {
			v.resent[r.Repeats] = true
		}
		if r.Other {
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
		if v.exact() {
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

// count counts the requests for which something is so.
func count(all []*record.Record, is func(*record.Record) bool) int {
	n := 0
	for _, r := range all {
		if is(r) {
			n++
		}
	}
	return n
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

// skipped says why a phase did not run; "" if it ran, perhaps later: the overload may have the first 429 that a request can wait for.
func (v *view) skipped(p record.Phase) string {
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

// perWindow is the plan's number of requests in d: 6 in 6 s with 60 a minute. A bucket gains as many.
func (v *view) perWindow(d time.Duration) float64 {
	return float64(v.limit) * float64(d) / float64(v.window)
}

// mostExact is the largest limit, in requests per minute, whose Remaining has to be exact. A larger counter is spread over servers and
// may be rounded, to thousands for example. The largest plan but Enterprise has 1,000.
const mostExact = 3000

// exact says whether X-RateLimit-Remaining has to be exact to the request.
func (v *view) exact() bool { return v.limit <= mostExact }

// disturbed says whether a clock jumped between from and to or in the two windows before, which is as long as a limiter remembers.
func (v *view) disturbed(from, to time.Duration) bool {
	return slices.ContainsFunc(v.jumps, func(at time.Duration) bool { return at >= from-2*v.window && at <= to })
}

// operation is the operation of a request.
func (v *view) operation(r *record.Record) spec.Operation {
	q := &v.rec.Shapes[r.Shape].Request
	return spec.OperationOf(q.Method, q.Path)
}

// wait is how long the Retry-After of a 429 asks to wait. It is false if that can't be read.
func (v *view) wait(r *record.Record) (time.Duration, bool) { return r.Wait(v.rec.Meta.Started) }

// ofMinute says whether r's headers speak of the minute's limit.
func (v *view) ofMinute(r *record.Record) bool {
	return r.Limit.Known() && r.Remaining.Known() && int64(r.Limit) == v.lane.PerMinute
}

// longestWait is the longest Retry-After of a limit of the minute: two windows, since a sliding counter may remember a burst for so
// long, and 2 s, since it is a whole number of seconds by a clock of whole seconds.
func (v *view) longestWait() time.Duration { return 2*v.window + 2*time.Second }

// ofDay says whether a 429 comes from the day's limit: its headers speak of the day, or its Retry-After is too long for the minute.
func (v *view) ofDay(r *record.Record) bool {
	if v.lane.PerDay > 0 && r.Limit.Known() && int64(r.Limit) == v.lane.PerDay && r.Limited() && r.Remaining == 0 {
		return true
	}
	wait, ok := v.wait(r)
	return ok && wait > v.longestWait()
}
