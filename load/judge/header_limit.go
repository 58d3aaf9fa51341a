package judge

import (
	"fmt"

	"petconform/load/record"
	"petconform/spec"
)

// figure judges that X-RateLimit-Limit is the plan's limit of the minute or of the day. The interface does not say
// which. right is the number of responses that have one of the two.
func (v *view) figure(o *outcome) (right int) {
	var wrong int
	var first *record.Record
	for _, r := range v.own {
		if !r.Limit.Known() || r.Status == 0 || r.Status == 401 {
			continue
		}
		if n := int64(r.Limit); n == v.lane.PerMinute || n == v.lane.PerDay && n > 0 {
			right++
			continue
		}
		if wrong++; first == nil {
			first = r
		}
	}
	if wrong > 0 {
		o.fail("RATE-15", first, spec.HeaderLimit, fmt.Sprintf("a limit of the plan %s: %s", v.lane.Plan, v.figures()),
			fmt.Sprintf("%d; wrong in %s of %s", first.Limit, spec.Number(wrong), spec.Count(wrong+right, "response")))
		return right
	}
	o.show("X-RateLimit-Limit is a limit of the plan in %s", spec.Count(right, "response"))
	return right
}

func (v *view) figures() string {
	if v.lane.PerDay > 0 {
		return spec.Number(v.lane.PerMinute) + " or " + spec.Number(v.lane.PerDay)
	}
	return spec.Number(v.lane.PerMinute)
}

// mostChanges is how often Limit may change between the minute's and the day's: 20 times in a run. It may change when
// less remains of the day than of the minute, and back in the next minute.
const mostChanges = 20

// changing fails RATE-15 if Limit changes more than mostChanges times, and after more than a quarter of the responses,
// so that a client can use neither figure.
func (v *view) changing(o *outcome) {
	changes, last := 0, (*record.Record)(nil)
	var at *record.Record
	n := 0
	for _, r := range v.own {
		if !r.Accepted() || !r.Limit.Known() {
			continue
		}
		if n++; last != nil && last.Limit != r.Limit {
			if changes++; at == nil {
				at = r
			}
		}
		last = r
	}
	if changes > mostChanges && changes*4 > n {
		o.fail("RATE-15", at, spec.HeaderLimit, "the limit of which less is left, the minute's or the day's",
			fmt.Sprintf("a change %s in %s", spec.Count(changes, "time"), spec.Count(n, "response")))
	}
}
