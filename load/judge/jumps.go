package judge

import (
	"time"

	"petconform/load/record"
)

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
