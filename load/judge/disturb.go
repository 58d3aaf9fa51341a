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

const (
	// If Remaining falls by more than one in at least systematic, 0.6, of the steps between two requests, the target
	// counts in that way. Someone else would not send requests between most of ours.
	systematic = 0.6
	// leastSteps is the smallest number of steps for that: 5.
	leastSteps = 5
	// mostWindows is about the number of windows of a run without the day phase: 20. Remaining may rise at the
	// beginning of each. If it rises more often, and more than a tenth as often as it falls, its falls show nothing.
	mostWindows = 20
)

// foreignUse returns the first response that shows that someone else used the key, or nil: X-RateLimit-Remaining fell
// by more than one between two consecutive requests, and no other was in flight.
func (v *view) foreignUse() *record.Record {
	own := v.own
	steps, extra, rises := 0, 0, 0
	var first *record.Record
	var ended time.Duration // the end of the last response up to own[i-2]
	for i := 1; i < len(own); i++ {
		a, b := own[i-1], own[i]
		alone := a.Sent >= ended && b.Sent >= max(ended, a.Ended())
		ended = max(ended, a.Ended())
		alone = alone && (i+1 == len(own) || own[i+1].Sent >= b.Ended())
		if !alone || !a.Accepted() || !b.Accepted() || !a.Remaining.Known() || !b.Remaining.Known() || a.Limit != b.Limit {
			continue
		}
		switch fell := a.Remaining - b.Remaining; {
		case fell > 1:
			steps++
			if extra++; first == nil {
				first = b
			}
		case fell == 1:
			steps++
		case float64(-fell) > v.perWindow(b.Received()-a.Sent)+1: // more than a bucket gains
			rises++
		}
	}
	if steps >= leastSteps && float64(extra) >= systematic*float64(steps) {
		return nil
	}
	if rises > mostWindows && rises*10 > steps {
		return nil
	}
	return first
}
