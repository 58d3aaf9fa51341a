package judge

import (
	"fmt"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

// promise is a response whose Reset was still to come when y, a later response, had the whole limit again.
type promise struct{ x, y *record.Record }

// backBeforeReset fails RATE-9 if the whole limit is available before a Reset that an earlier response named, in at
// least two windows. A bucket is full at its Reset, so this holds for every kind of limiter. Example: each response
// names a window from now. At 50 s of the window it names 110 s, and at 61 s Remaining is 59 of 60.
func (v *view) backBeforeReset(o *outcome) {
	var found []promise
	var latest *record.Record
	reset := func(r *record.Record) time.Duration { return r.Sent + r.ResetIn() - headerRounding }
	for _, r := range v.own {
		if !r.Served() || !v.ofMinute(r) || v.ofDay(r) || !r.Reset.Known() || !r.Date.Known() {
			continue
		}
		if r.Accepted() && r.Remaining >= r.Limit-1 {
			if x := latest; x != nil && x.Received() <= r.Sent && r.Received() < reset(x) && !v.disturbed(x.Sent, r.Ended()) {
				found = append(found, promise{x, r})
			}
			latest = nil
			continue
		}
		if latest == nil || reset(r) > reset(latest) {
			latest = r
		}
	}
	if len(found) < 2 {
		return
	}
	x, y := found[1].x, found[1].y // a run that ends with them has both
	o.fail("RATE-9", y, fmt.Sprintf("%s of exchange %d", spec.HeaderReset, x.N),
		"the time at which the limit resets",
		fmt.Sprintf("%d s after Date, but %d of %d were available %s later, %s", x.Reset-x.Date, y.Remaining, y.Limit,
			secs(y.Received()-x.Sent), spec.Count(len(found), "time")))
}
