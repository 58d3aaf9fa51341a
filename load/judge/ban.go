package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// mostOverstays is how often a ban may last longer than its Retry-After: 4 times. A target may extend a ban with each
// request.
const mostOverstays = 4

// Ban judges that a provoked ban ends (RATE-16).
func (v *View) Ban(o *Outcome) {
	pressed, probes := v.Of(o.ID, record.Press), v.Of(o.ID, record.Probe)
	if len(pressed) == 0 {
		return
	}
	last := pressed[len(pressed)-1]
	o.Cite(pressed[0], last)
	observe := func(key, value string) {
		o.Settle("RATE-16")
		v.observed = append(v.observed, verdict.Observation{Requirement: "RATE-20", Key: key, Value: value})
	}
	overstays := 0
	for _, w := range v.minute.Waits {
		if r := v.own[w.Next]; w.Header == spec.HeaderRetryAfter && r.Phase == o.ID && r.Limited() {
			overstays++
		}
	}
	i := slices.IndexFunc(probes, (*record.Record).Accepted)
	switch wait := last.RetryAfter; {
	case !last.Bans(v.window) && i == 0:
		observe("ban after repeated 429s", "none within "+spec.Count(len(pressed), "request"))
		o.Show("no ban after %s, repeated after a 429", spec.Count(len(pressed), "request"))
	case wait > rules.LongestBan:
		o.Fail("RATE-16", last, "the ban of the key", "one that ends", fmt.Sprintf("Retry-After asks to wait %.0f years", wait.Hours()/24/365))
	case i >= 0:
		d := probes[i].Sent - last.Received()
		observe("length of a ban", d.Round(time.Second).String())
		o.Show("banned after %s; accepted again %s later, at try %d", spec.Count(len(pressed), "repeated request"), d.Round(time.Millisecond), i+1)
	case overstays > mostOverstays:
		o.Fail("RATE-16", probes[len(probes)-1], "the ban of the key", "an end when Retry-After has passed",
			fmt.Sprintf("refused %s after Retry-After had passed", spec.Count(overstays, "time")))
	default:
		o.Doubt("RATE-16", "the ban had not ended by the end of the run, after %d tries", len(probes))
	}
}
