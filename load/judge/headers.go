package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

// headers judges what the headers say against what came (RATE-15).
func (v *view) headers() outcome {
	var o outcome
	v.figure(&o)
	if !o.failed("RATE-15") && v.counts() {
		v.leftWhenRefused(&o)
	}
	if !o.failed("RATE-15") && v.counts() {
		v.leftRises(&o)
	}
	if !o.failed("RATE-15") && v.counts() {
		v.leftAndServed(&o)
	}
	for _, more := range []func(*outcome){v.countsUp, v.oneWindow, v.backBeforeReset, v.changing} {
		if !o.failed("RATE-15") {
			more(&o)
		}
	}
	if len(o.findings) == 0 && len(o.unsure) == 0 {
		o.kept("RATE-15")
	}
	v.standing(&o)
	return o
}

// figure: X-RateLimit-Limit is a figure of the plan, the minute's or the day's; which of them is not shown.
func (v *view) figure(o *outcome) {
	var wrong, right int
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
		o.fail("RATE-15", first, spec.HeaderLimit, fmt.Sprintf("a figure of the plan %s: %s", v.lane.Plan, v.figures()),
			fmt.Sprintf("%d, and so in %d of %d answers", first.Limit, wrong, wrong+right))
		return
	}
	o.show("X-RateLimit-Limit is a figure of the plan in %d answers", right)
}

func (v *view) figures() string {
	if v.lane.PerDay > 0 {
		return fmt.Sprintf("%d or %d", v.lane.PerMinute, v.lane.PerDay)
	}
	return fmt.Sprint(v.lane.PerMinute)
}

// leftWhenRefused: a request is refused because nothing is left.
func (v *view) leftWhenRefused(o *outcome) {
	var wrong []*record.Record
	of := 0
	for _, r := range v.firstRefusals(record.Fill) {
		if v.telling(r) {
			if of++; r.Remaining > 0 {
				wrong = append(wrong, r)
			}
		}
	}
	if len(wrong) >= 2 {
		o.fail("RATE-15", wrong[0], "X-RateLimit-Remaining of the first 429 of a fill", "0, since nothing is left of the minute",
			fmt.Sprintf("%d; and not 0 in %d of %d fills", wrong[0].Remaining, len(wrong), of))
	} else if len(wrong) == 1 {
		o.doubt("RATE-15", "one 429 said that %d were left (exchange %d), and it was not seen again", wrong[0].Remaining, wrong[0].N)
	}
}

// mostRises is how often what is left may go up within an eighth of a minute: at the edge of a window, or by the steps in
// which a timer refills a bucket.
const mostRises = 8

// leftRises: within a quick fill what is left goes down only.
func (v *view) leftRises(o *outcome) {
	var found []*record.Record
	for _, b := range v.bursts(record.Fill) {
		rises := 0
		var at *record.Record
		for i := 1; i < len(b.accepted); i++ {
			x, y := b.accepted[i-1], b.accepted[i]
			if y.Received()-b.first().Sent > v.window/8 {
				break
			}
			if y.Sent >= x.Ended() && v.telling(x) && v.telling(y) && y.Remaining > x.Remaining {
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
		o.fail("RATE-15", found[0], spec.HeaderRemaining+" within a fill", "one less with each request", fmt.Sprintf("up and down, to %d; and so in %d fills", found[0].Remaining, len(found)))
	}
}

// leftAndServed compares what an answer says is left with how many more were accepted until the 429 came.
func (v *view) leftAndServed(o *outcome) {
	var few, many []*record.Record
	chance := 1.0
	bursts, compared, blurred := 0, 0, 0
	exact := len(v.beyond(v.bursts(record.Fill))) == 0
	for _, b := range v.bursts(record.Fill) {
		if b.refused == nil || !v.telling(b.refused) {
			continue
		}
		bursts++
		all := v.servedAfter(b)
		if slices.ContainsFunc(all, func(s served) bool { return s.least == s.most && s.least > 0 }) {
			compared++
		} else if len(all) > 0 && (exact || v.perWindow(usually(b.accepted)) < 0.5) { // a bucket gains more than what is compared
			blurred++
		}
		if r, p := v.understated(b, all, v.plain.Gain); r != nil {
			few, chance = append(few, r), chance*p
		}
		if r := overstated(all); r != nil {
			many = append(many, r)
		}
	}
	switch {
	case len(few) >= 2 && chance < 0.005:
		v.wrongLeft(o, few[0], "less than was served", len(few), bursts)
	case len(few) >= 2 && len(few) == bursts && chance < 0.05:
		o.doubt("RATE-15", "each fill was served one request more than X-RateLimit-Remaining said was left (exchange %d); a bucket may have gained it", few[0].N)
	case len(many) >= 2 && v.foreign != nil:
		o.doubt("RATE-15", "%s", v.whoElse())
	case len(many) >= 2:
		v.wrongLeft(o, many[0], "more than was served", len(many), bursts)
	case blurred > 0 && compared == 0:
		o.doubt("RATE-15", "responses took too long to send the last requests of a fill one at a time, so X-RateLimit-Remaining can't be compared with what was accepted")
	}
}

func (v *view) wrongLeft(o *outcome, r *record.Record, what string, times, of int) {
	count := 0
	for _, b := range v.bursts(r.Phase) {
		for _, s := range v.servedAfter(b) {
			if s.r == r {
				count = s.least
			}
		}
	}
	o.fail("RATE-15", r, spec.HeaderRemaining+" tells "+what, fmt.Sprintf("%d, the requests that were accepted before the 429", count),
		fmt.Sprintf("%d; and so in %d of %d fills", r.Remaining, times, of))
}

// served is how many requests were accepted after r and before the burst's 429. Requests that were under way with one of
// the two may have been counted before it or after.
type served struct {
	r           *record.Record
	at          int
	least, most int
}

// servedAfter gives it for the answers that speak of the same allowance as the burst's 429.
func (v *view) servedAfter(b *burst) []served {
	if b.refused == nil {
		return nil
	}
	var out []served
	for i, r := range b.accepted {
		if !v.telling(r) || r.Sent >= b.refused.Sent || v.mayReset(b, r) {
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

// understated finds an answer after which more came through than it said was left. A bucket may hold the better part of
// another token when it says 0, so the chance is given that it gained the rest in the time.
func (v *view) understated(b *burst, all []served, step int) (found *record.Record, chance float64) {
	for _, s := range all {
		gain := v.perWindow(b.refused.Received()-s.r.Sent) + float64(step)
		over := float64(s.least) - float64(s.r.Remaining)
		if over > gain+1 {
			return s.r, 0.001
		}
		// Only the last but one may show it by chance: to look for the best one would be to find one.
		if s.least == 1 && s.most == 1 && over >= 1 && gain < 0.5 && s.at+1 < len(b.accepted) {
			return s.r, max(v.perWindow(b.accepted[s.at+1].Sent-s.r.Sent), 0.001)
		}
	}
	return nil, 1
}

// overstated finds an answer that promised more than came through before the 429.
func overstated(all []served) *record.Record {
	for _, s := range all {
		if int64(s.r.Remaining) > int64(s.most) {
			return s.r
		}
	}
	return nil
}

// mayReset says whether the limit may have been reset between r and the burst's 429: then what r says of it is over.
func (v *view) mayReset(b *burst, r *record.Record) bool {
	if r.Reset.Known() && r.Date.Known() && r.Reset >= r.Date {
		earliest := r.Sent + time.Duration(r.Reset-r.Date-2)*time.Second
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

// usually is how long an answer takes, in the median.
func usually(all []*record.Record) time.Duration {
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
