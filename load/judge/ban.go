package judge

import (
	"fmt"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

const (
	// longestBan is the longest Retry-After of a ban that is called temporary: a year, the term of a contract.
	longestBan = 366 * 24 * time.Hour
	// mostOverstays is how often a ban may last longer than its Retry-After: 4 times. A target may extend a ban with
	// each request.
	mostOverstays = 4
)

// Ban judges that a provoked ban ends (RATE-16).
func (v *View) Ban(o *Outcome) {
	pressed := v.Of(record.Ban, record.Press)
	if len(pressed) == 0 {
		return
	}
	last := pressed[len(pressed)-1]
	o.exchanges = append(o.exchanges, pressed[0].N, last.N)
	probes := v.Of(record.Ban, record.Probe)
	if !last.Bans(v.window) && len(probes) > 0 && probes[0].Accepted() {
		o.Settle("RATE-16")
		o.Show("no ban after %s, repeated after a 429", spec.Count(len(pressed), "request"))
		o.seen = append(o.seen, verdict.Observation{Requirement: "RATE-20", Key: "ban after repeated 429s",
			Value: "none within " + spec.Count(len(pressed), "request")})
		return
	}
	if wait, ok := last.Wait(); ok && wait > longestBan {
		o.Fail("RATE-16", last, "the ban of the key", "one that ends", fmt.Sprintf("Retry-After asks to wait %.0f years", wait.Hours()/24/365))
		return
	}
	for i, r := range probes {
		if r.Accepted() {
			o.Settle("RATE-16")
			d := r.Sent - last.Received()
			o.Show("banned after %s; accepted again %s later, at try %d", spec.Count(len(pressed), "repeated request"),
				d.Round(time.Millisecond), i+1)
			o.seen = append(o.seen, verdict.Observation{Requirement: "RATE-20", Key: "length of a ban", Value: d.Round(time.Second).String()})
			return
		}
	}
	overstays := 0
	for _, w := range v.minute.Waits {
		if r := v.own[w.Next]; !w.FromReset && r.Phase == record.Ban && r.Limited() {
			overstays++
		}
	}
	if overstays > mostOverstays {
		o.Fail("RATE-16", probes[len(probes)-1], "the ban of the key", "an end when Retry-After has passed",
			fmt.Sprintf("refused %s after Retry-After had passed", spec.Count(overstays, "time")))
		return
	}
	o.Doubt("RATE-16", "the ban had not ended by the end of the run, after %d tries", len(probes))
}
