package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

// leftAndServed compares the Remaining of a response with the number of requests that were accepted after it, until the
// 429.
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
	// A Remaining that is too small is a finding if the probability that a bucket explains it is below unlikely, 1 in
	// 200. The requirement is inconclusive if the probability is below doubtful, 1 in 20.
	unlikely, doubtful = 0.005, 0.05
	// leastChance is used for smaller probabilities, since times are not exact to the nanosecond: 1 in 1,000. Of two
	// fills the probability is then 1 in a million, which is a finding.
	leastChance = 0.001
)

func wrongLeft(o *outcome, s *served, what string, times, of int) {
	o.fail("RATE-15", s.r, spec.HeaderRemaining+" is "+what, fmt.Sprintf("%d, the requests that were accepted before the 429", s.least),
		fmt.Sprintf("%d; wrong in %d of %d fills", s.r.Remaining, times, of))
}

// served is the number of requests that were accepted after r and before the burst's 429: from least to most. The
// number is not exact if requests were in flight together with r or with the 429. r is accepted[at] of the burst.
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

// understated returns a response after which more requests were accepted than its Remaining, or nil. chance is the
// probability that a bucket explains the difference: one with 0.9 tokens has Remaining 0, and soon accepts another
// request.
func (v *view) understated(b *burst, all []served) (found *served, chance float64) {
	for i := range all {
		s := &all[i]
		gain := v.refill(b.refused.Received() - s.r.Sent)
		over := float64(s.least) - float64(s.r.Remaining)
		if over > gain+1 {
			return s, leastChance
		}
		// The probability is that of one response, chosen before looking at Remaining: the one before the last accepted
		// one.
		if s.least == 1 && s.most == 1 && over >= 1 && gain < 0.5 && s.at+1 < len(b.accepted) {
			return s, max(v.refill(b.accepted[s.at+1].Sent-s.r.Sent), leastChance)
		}
	}
	return nil, 1
}

// overstated returns a response whose Remaining is larger than the number of requests accepted after it and before the
// 429, or nil.
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
		earliest := r.Sent + r.ResetIn() - headerRounding
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
