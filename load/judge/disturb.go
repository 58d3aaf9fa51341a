package judge

import (
	"time"

	"petconform/load/record"
)

// targetJumps finds when the target's clock moved: its Date headers leave the pace of the steady clock by more than
// their whole seconds, and the time on the way, can explain.
func targetJumps(own []*record.Record) []time.Duration {
	const allowed = 2 * time.Second
	var jumps []time.Duration
	var low, high time.Duration
	known := false
	for _, r := range own {
		if !r.Date.Known() || r.Status == 0 {
			continue
		}
		date := time.Duration(r.Date) * time.Second
		// The target's clock minus ours lies between these two, since Date is rounded down.
		least, most := date-r.Ended(), date+time.Second-r.Sent
		if known && (least > high+allowed || most < low-allowed) {
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
	// systematic is the part of the steps from which on a fall of more than one is the target's way of counting, and not
	// someone else's requests, which would not come each time.
	systematic = 0.6
	// oftenRises is more often than windows begin within a run.
	oftenRises = 20
	// fewSteps is below which nothing is called systematic.
	fewSteps = 5
)

// foreignUse finds the first answer that shows requests which were not ours: between two of ours that followed each other,
// X-RateLimit-Remaining fell by more than the one. No lawful limiter does that by itself.
func (v *view) foreignUse() *record.Record {
	own := v.own
	steps, extra, rises := 0, 0, 0
	var first *record.Record
	var ended time.Duration // when all up to own[i-2] were answered
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
	if steps >= fewSteps && float64(extra) >= systematic*float64(steps) {
		return nil
	}
	if rises > oftenRises && rises*10 > steps { // it goes up and down by itself
		return nil
	}
	return first
}
