package judge

import (
	"time"

	"petconform/load/record"
)

// clockTolerance is how much the target's clock may move against the monotonic one of this machine: 2 s. NTP slews a clock by less than
// that in an hour, and servers cache Date for a second.
const clockTolerance = 2 * time.Second

// targetJumps finds the times at which the target's clock jumped: Date moved more against the monotonic clock than whole seconds and
// the times of the responses explain.
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
	// systematic is the part of the steps, 0.6, from which on a fall by more than one is the target's way of counting. Someone else's
	// requests do not fall between each two of ours.
	systematic = 0.6
	// leastSteps is the smallest number of steps that can be systematic.
	leastSteps = 5
	// mostWindows is more windows than a run takes. Remaining may rise at the beginning of each.
	mostWindows = 20
)

// foreignUse finds the first response that shows that someone else used the key: X-RateLimit-Remaining fell by more than one between two
// requests of ours that followed each other. It is nil if there is none.
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
	if rises > mostWindows && rises*10 > steps { // Remaining goes up and down without a reason
		return nil
	}
	return first
}
