package judge

import (
	"fmt"

	"petconform/load/record"
	"petconform/spec"
)

// isolation judges that the overload of one key does not affect another key (RATE-10). The run also sends requests with
// the other key before the overload: if its Remaining falls by more than these, someone else uses it, and RATE-10 is
// inconclusive.
func (v *view) isolation(o *outcome) {
	var control, beside []*record.Record
	for _, r := range v.side {
		switch r.Role {
		case record.Control:
			control = append(control, r)
		case record.Beside:
			beside = append(beside, r)
		}
	}
	if len(control) == 0 || len(beside) == 0 {
		return
	}
	o.exchanges = append(o.exchanges, control[0].N, beside[len(beside)-1].N)
	for _, r := range control {
		if !r.Accepted() {
			o.doubt("RATE-10", "the response to the other key was %s before the overload (exchange %d)", answered(r), r.N)
			return
		}
	}
	var hit []*record.Record
	last := control[len(control)-1]
	for _, r := range beside {
		if r.Limited() || v.drained(last, r, len(control)+len(beside)) {
			hit = append(hit, r)
		}
	}
	switch {
	case len(hit) == 0:
		o.kept("RATE-10")
		o.show("the other key was accepted %s during and after %s with this one", spec.Count(len(beside), "time"),
			spec.Count(len(v.of(record.Overload, 0)), "request"))
	case v.moves(control):
		o.doubt("RATE-10", "someone else uses the other key: its allowance fell by more than our requests before the overload (exchange %d)", last.N)
	case len(hit) < 2:
		o.doubt("RATE-10", "the other key was affected in one of %d reads (exchange %d); someone else may have used it", len(beside), hit[0].N)
	case v.outcomes[record.Fill] != nil && v.outcomes[record.Fill].failed("RATE-7"):
		o.doubt("RATE-10", "the other key was refused in %d of %d reads (exchange %d), but this one was refused within its plan in the fills too", len(hit), len(beside), hit[0].N)
	default:
		o.fail("RATE-10", hit[0], "the other key while this one was overloaded",
			fmt.Sprintf("accepted; this run sent only %s with it", spec.Count(len(control)+len(beside), "request")),
			fmt.Sprintf("%s; affected in %d of %d reads", v.state(hit[0]), len(hit), len(beside)))
	}
}

func (v *view) state(r *record.Record) string {
	if r.Limited() || !r.Remaining.Known() {
		return answered(r)
	}
	return fmt.Sprintf("%s with %d left", answered(r), r.Remaining)
}

// mostDrained says how much of the other key's allowance others may spend during the overload without a finding: less
// than 1/4 of the plan.
const mostDrained = 4

// drained reports whether the other key's Remaining fell by more than our requests, and by at least 1/mostDrained of
// the plan.
func (v *view) drained(before, after *record.Record, looks int) bool {
	if !before.Remaining.Known() || !after.Remaining.Known() || before.Limit != after.Limit {
		return false
	}
	lost := int64(before.Remaining - after.Remaining)
	return lost > int64(looks) && lost >= v.lane.PerMinute/mostDrained
}

// moves reports whether the other key's Remaining fell by more than one between two of our requests before the
// overload.
func (v *view) moves(control []*record.Record) bool {
	for i := 1; i < len(control); i++ {
		a, b := control[i-1], control[i]
		if a.Limit == b.Limit && a.Remaining.Known() && b.Remaining.Known() && a.Remaining-b.Remaining > 1 {
			return true
		}
	}
	return false
}
