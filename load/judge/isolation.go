package judge

import (
	"fmt"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
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
	last, looks := control[len(control)-1], int64(len(control)+len(beside))
	for _, r := range beside {
		if lost := fell(last, r); r.Limited() || lost > looks && lost >= v.lane.PerMinute/mostDrained {
			hit = append(hit, r)
		}
	}
	moves := false
	for i := 1; i < len(control); i++ {
		moves = moves || fell(control[i-1], control[i]) > 1
	}
	switch {
	case len(hit) == 0:
		o.settle("RATE-10")
		o.show("the other key was accepted %s during and after %s with this one", spec.Count(len(beside), "time"),
			spec.Count(len(v.of(record.Overload)), "request"))
	case moves:
		o.doubt("RATE-10", "someone else uses the other key: its allowance fell by more than our requests before the overload (exchange %d)", last.N)
	case len(hit) < 2:
		o.doubt("RATE-10", "the other key was affected in one of %d reads (exchange %d); someone else may have used it", len(beside), hit[0].N)
	case v.outcomes[record.Fill] != nil && verdict.Names(v.outcomes[record.Fill].findings, "RATE-7"):
		o.doubt("RATE-10", "the other key was refused in %d of %d reads (exchange %d), but this one was refused within its plan in the fills too", len(hit), len(beside), hit[0].N)
	default:
		got := answered(hit[0])
		if !hit[0].Limited() {
			got = fmt.Sprintf("%s with %d left", got, hit[0].Remaining)
		}
		o.fail("RATE-10", hit[0], "the other key while this one was overloaded", fmt.Sprintf("accepted; this run sent only %s with it", spec.Count(int(looks), "request")),
			fmt.Sprintf("%s; affected in %d of %d reads", got, len(hit), len(beside)))
	}
}

// mostDrained says how much of the other key's allowance others may spend during the overload without a finding: less
// than 1/4 of the plan.
const mostDrained = 4

// fell returns by how much Remaining fell between two requests, or 0 if that is not known.
func fell(before, after *record.Record) int64 {
	if !before.Remaining.Known() || !after.Remaining.Known() || before.Limit != after.Limit {
		return 0
	}
	return int64(before.Remaining - after.Remaining)
}
