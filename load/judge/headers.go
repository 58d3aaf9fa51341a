package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

// headers compares the headers with what was accepted and refused (RATE-15).
func (v *view) headers() outcome {
	var o outcome
	right := v.figure(&o)
	var rules []func(*outcome)
	if v.exact() {
		rules = append(rules, v.leftWhenRefused, v.leftRises, v.leftAndServed)
	}
	for _, rule := range append(rules, v.countsUp, v.oneWindow, v.backBeforeReset, v.changing) {
		if !o.failed("RATE-15") {
			rule(&o)
		}
	}
	if right > 0 && len(o.findings) == 0 && len(o.unsure) == 0 {
		o.kept("RATE-15")
	}
	v.standing(&o)
	return o
}

// figure judges that X-RateLimit-Limit is the plan's limit of the minute or of the day. The interface does not show which. right is the
// number of responses that have one of the two.
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

// leftWhenRefused judges that Remaining is 0 when a request is refused.
func (v *view) leftWhenRefused(o *outcome) {
	var wrong []*record.Record
	of := 0
	for _, r := range v.firstRefusals(record.Fill) {
		if v.ofMinute(r) {
			if of++; r.Remaining > 0 {
				wrong = append(wrong, r)
			}
		}
	}
	if len(wrong) >= 2 {
		o.fail("RATE-15", wrong[0], "X-RateLimit-Remaining of the first 429 of a fill", "0, since nothing is left of the minute",
			fmt.Sprintf("%d; not 0 in %d of %d fills", wrong[0].Remaining, len(wrong), of))
	} else if len(wrong) == 1 {
		o.doubt("RATE-15", "one 429 has X-RateLimit-Remaining %d (exchange %d); the others have 0", wrong[0].Remaining, wrong[0].N)
	}
}

// mostRises is how often Remaining may rise by more than a bucket gains within 1/riseSpan of a window: 8 times, at the edge of a window
// and by the steps of a timer that refills a bucket each second.
const mostRises, riseSpan = 8, 8

// leftRises judges that Remaining goes down within a quick fill.
func (v *view) leftRises(o *outcome) {
	var found []*record.Record
	for _, b := range v.bursts(record.Fill) {
		rises := 0
		var at *record.Record
		for i := 1; i < len(b.accepted); i++ {
			x, y := b.accepted[i-1], b.accepted[i]
			if y.Received()-b.first().Sent > v.window/riseSpan {
				break
			}
			if y.Sent >= x.Ended() && v.ofMinute(x) && v.ofMinute(y) && float64(y.Remaining-x.Remaining) > v.perWindow(y.Received()-x.Sent) {
				if rises++; at == nil {
					at = y
				}
			}
		}
		if rises > mostRises {
			found = append(found, at)
		}
	}
	if len(found) >= 2 {
		o.fail("RATE-15", found[0], spec.HeaderRemaining+" within a fill", "one less with each request", fmt.Sprintf("up and down, first up to %d, in %d fills", found[0].Remaining, len(found)))
	}
}

// leftAndServed compares the Remaining of a response with the number of requests that were accepted after it, until the 429.
func (v *view) leftAndServed(o *outcome) {
	var few, many []*served
	chance := 1.0
	bursts, compared, blurred := 0, 0, 0
	exact := len(v.beyond(v.bursts(record.Fill))) == 0
	for _, b := range v.bursts(record.Fill) {
		if b.refused == nil || !v.ofMinute(b.refused) {
			continue
		}
		bursts++
		all := v.servedAfter(b)
		if slices.ContainsFunc(all, func(s served) bool { return s.least == s.most && s.least > 0 }) {
			compared++
		} else if len(all) > 0 && (exact || v.perWindow(medianTime(b.accepted)) < 0.5) { // else a bucket gains more than what is compared
			blurred++
		}
		if s, p := v.understated(b, all); s != nil {
			few, chance = append(few, s), chance*p
		}
		if s := overstated(all); s != nil {
			many = append(many, s)
		}
	}
	switch {
	case len(few) >= 2 && chance < unlikely:
		wrongLeft(o, few[0], "less than was served", len(few), bursts)
	case len(few) >= 2 && len(few) == bursts && chance < doubtful:
		o.doubt("RATE-15", "in each fill one request more was accepted than X-RateLimit-Remaining said (exchange %d); a bucket may have gained it", few[0].r.N)
	case len(many) >= 2 && v.foreign != nil:
		o.doubt("RATE-15", "%s", v.whoElse())
	case len(many) >= 2:
		wrongLeft(o, many[0], "more than was served", len(many), bursts)
	case blurred > 0 && compared == 0:
		o.doubt("RATE-15", "responses took too long to send the last requests of a fill one at a time, so X-RateLimit-Remaining can't be compared with what was accepted")
	}
}

const (
	// unlikely is the probability that a bucket explains a Remaining that is too small, below which that is a finding: 1 in 200. Below
	// doubtful, 1 in 20, there is no verdict.
	unlikely, doubtful = 0.005, 0.05
	// leastChance stands for a probability of 0, since clocks are not exact to the nanosecond. Two fills still make a finding.
	leastChance = 0.001
)

func wrongLeft(o *outcome, s *served, what string, times, of int) {
	o.fail("RATE-15", s.r, spec.HeaderRemaining+" tells "+what, fmt.Sprintf("%d, the requests that were accepted before the 429", s.least),
		fmt.Sprintf("%d; wrong in %d of %d fills", s.r.Remaining, times, of))
}

// served is how many requests were accepted after r and before the burst's 429. The limiter may have counted requests that were in
// flight with one of the two before it or after it, so there is a smallest and a largest number.
type served struct {
	r           *record.Record
	at          int
	least, most int
}

// servedAfter gives that number for the responses whose Remaining is of the same window as the burst's 429.
func (v *view) servedAfter(b *burst) []served {
	if b.refused == nil {
		return nil
	}
	var out []served
	for i, r := range b.accepted {
		if !v.ofMinute(r) || r.Sent >= b.refused.Sent || v.mayReset(b, r) {
			continue
		}
		s := served{r: r, at: i}
		for _, x := range b.all {
			switch {
			case x == r || x.Limited() || x.Sent >= b.refused.Received() || x.Received() <= r.Sent:
			case x.Accepted() && x.Sent >= r.Received() && x.Received() <= b.refused.Sent:
				s.least, s.most = s.least+1, s.most+1
			default:
				s.most++
			}
		}
		out = append(out, s)
	}
	return out
}

// understated finds a response after which more requests were accepted than its Remaining. A bucket that has 0.9 of a token says 0 and
// accepts another request soon, so the probability of that is given.
func (v *view) understated(b *burst, all []served) (found *served, chance float64) {
	for i := range all {
		s := &all[i]
		gain := v.refill(b.refused.Received() - s.r.Sent)
		over := float64(s.least) - float64(s.r.Remaining)
		if over > gain+1 {
			return s, leastChance
		}
		// The probability holds for one response that is chosen beforehand: the last one but one.
		if s.least == 1 && s.most == 1 && over >= 1 && gain < 0.5 && s.at+1 < len(b.accepted) {
			return s, max(v.refill(b.accepted[s.at+1].Sent-s.r.Sent), leastChance)
		}
	}
	return nil, 1
}

// overstated finds a response whose Remaining is larger than the number of requests that were accepted before the 429.
func overstated(all []served) *served {
	for i, s := range all {
		if int64(s.r.Remaining) > int64(s.most) {
			return &all[i]
		}
	}
	return nil
}

// mayReset says whether the limit may have been reset between r and the burst's 429.
func (v *view) mayReset(b *burst, r *record.Record) bool {
	if r.Reset.Known() && r.Date.Known() && r.Reset >= r.Date {
		earliest := r.Sent + time.Duration(r.Reset-r.Date)*time.Second - headerRounding
		if earliest > b.refused.Received() {
			return false
		}
	}
	last := r.Remaining
	for _, x := range b.accepted {
		if x.Sent > r.Sent && x.Remaining.Known() {
			if x.Remaining > last+1 {
				return true
			}
			last = x.Remaining
		}
	}
	return false
}

// medianTime is the median time of the responses.
func medianTime(all []*record.Record) time.Duration {
	if len(all) == 0 {
		return 0
	}
	took := make([]time.Duration, len(all))
	for i, r := range all {
		took[i] = r.Done
	}
	slices.Sort(took)
	return took[len(took)/2]
}
