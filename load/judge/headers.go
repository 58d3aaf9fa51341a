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
	v.neverFalls(&o)
	return o
}

// figure judges that X-RateLimit-Limit is the plan's limit of the minute or of the day. The interface does not say which. right is the
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
		o.fail("RATE-15", wrong[0], "X-RateLimit-Remaining of the first 429 of a fill", "0, since no request of the minute remains",
			fmt.Sprintf("%d; not 0 in %d of %d fills", wrong[0].Remaining, len(wrong), of))
	} else if len(wrong) == 1 {
		o.doubt("RATE-15", "one 429 has X-RateLimit-Remaining %d (exchange %d); the others have 0", wrong[0].Remaining, wrong[0].N)
	}
}

// mostRises is how often Remaining may rise by more than a Bucket gains within 1/riseSpan of a window: 8 times in 7.5 s of a minute. It
// rises at the end of a window, and with each step of a timer that refills a bucket every second.
const mostRises, riseSpan = 8, 8

// leftRises judges that Remaining goes down in the first 1/riseSpan of a window of each fill.
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
		} else if len(all) > 0 && (exact || v.perWindow(medianTime(b.accepted)) < 0.5) { // else the gain of a bucket hides the difference
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
		wrongLeft(o, few[0], "smaller than the number of requests accepted after it", len(few), bursts)
	case len(few) >= 2 && len(few) == bursts && chance < doubtful:
		o.doubt("RATE-15", "in each fill one more request was accepted than X-RateLimit-Remaining said (exchange %d); a bucket may have gained a token for it", few[0].r.N)
	case len(many) >= 2 && v.foreign != nil:
		o.doubt("RATE-15", "%s", v.whoElse())
	case len(many) >= 2:
		wrongLeft(o, many[0], "larger than the number of requests accepted after it", len(many), bursts)
	case blurred > 0 && compared == 0:
		o.doubt("RATE-15", "responses took too long to send the last requests of a fill one at a time, so X-RateLimit-Remaining can't be compared with what was accepted")
	}
}

const (
	// A Remaining that is too small is a finding if the probability that a bucket explains it is below unlikely, 1 in 200. The requirement
	// is inconclusive if the probability is below doubtful, 1 in 20.
	unlikely, doubtful = 0.005, 0.05
	// leastChance is used for smaller probabilities, since times are not exact to the nanosecond: 1 in 1,000. Of two fills the probability
	// is then 1 in a million, which is a finding.
	leastChance = 0.001
)

func wrongLeft(o *outcome, s *served, what string, times, of int) {
	o.fail("RATE-15", s.r, spec.HeaderRemaining+" is "+what, fmt.Sprintf("%d, the requests that were accepted before the 429", s.least),
		fmt.Sprintf("%d; wrong in %d of %d fills", s.r.Remaining, times, of))
}

// served is the number of requests that were accepted after r and before the burst's 429: from least to most. The number is not exact if
// requests were in flight together with r or with the 429. r is accepted[at] of the burst.
type served struct {
	r           *record.Record
	at          int
	least, most int
}

// servedAfter returns served for the responses whose Remaining is of the same window as the burst's 429.
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

// understated returns a response after which more requests were accepted than its Remaining, or nil. chance is the probability that a
// bucket explains the difference: one with 0.9 tokens has Remaining 0, and soon accepts another request.
func (v *view) understated(b *burst, all []served) (found *served, chance float64) {
	for i := range all {
		s := &all[i]
		gain := v.refill(b.refused.Received() - s.r.Sent)
		over := float64(s.least) - float64(s.r.Remaining)
		if over > gain+1 {
			return s, leastChance
		}
		// The probability is that of one response, chosen before looking at Remaining: the one before the last accepted one.
		if s.least == 1 && s.most == 1 && over >= 1 && gain < 0.5 && s.at+1 < len(b.accepted) {
			return s, max(v.refill(b.accepted[s.at+1].Sent-s.r.Sent), leastChance)
		}
	}
	return nil, 1
}

// overstated returns a response whose Remaining is larger than the number of requests accepted after it and before the 429, or nil.
func overstated(all []served) *served {
	for i, s := range all {
		if int64(s.r.Remaining) > int64(s.most) {
			return &all[i]
		}
	}
	return nil
}

// mayReset reports whether the limit may have been reset between r and the burst's 429.
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

// medianTime returns the median time of the responses.
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
