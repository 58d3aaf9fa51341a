package judge

import (
	"fmt"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

// earlyRefusal is a 429 before the plan was spent, which no kind of limiter explains.
type earlyRefusal struct {
	r *record.Record
	// within is the number of requests in the window before it.
	within int
	// missing is how much less Remaining was at the beginning of the burst than in a fresh allowance; -1 if the headers
	// are not the minute's.
	missing int64
}

// earlyRefusals returns the first early 429 of each round of a phase. disturbed says that there are others, near a jump
// of a clock.
func (v *view) earlyRefusals(p record.Phase) (all []earlyRefusal, disturbed bool) {
	seen := map[int]bool{}
	for _, r := range v.account(p).early(p) {
		if seen[r.Round] {
			continue
		}
		seen[r.Round] = true
		if v.disturbed(r.Sent, r.Ended()) {
			disturbed = true
			continue
		}
		l := earlyRefusal{r: r, within: v.countWithin(r), missing: -1}
		if l.within >= v.limit { // the plan was spent
			continue
		}
		if b := v.burst(p, r.Round); b != nil && v.ofMinute(b.first()) {
			l.missing = v.lane.PerMinute - 1 - int64(b.first().Remaining)
		}
		all = append(all, l)
	}
	return all, disturbed
}

// countWithin returns the number of requests in the window before r that the limiter may have counted.
func (v *view) countWithin(r *record.Record) int {
	from := r.Sent - v.window - limiter.EdgeTolerance(v.window)
	return count(v.own, func(x *record.Record) bool { return x != r && x.Received() >= from && x.Sent <= r.Received() })
}

// withinPlan judges that no request within the plan is refused (RATE-7) in a phase.
func (v *view) withinPlan(o *outcome, p record.Phase) {
	all, disturbed := v.earlyRefusals(p)
	switch {
	case len(all) == 0 && disturbed:
		o.doubt("RATE-7", "a clock jumped while the requests were refused")
		return
	case len(all) == 0:
		return
	}
	if len(all) < 3 { // an early 429 in another phase counts too
		for _, other := range []record.Phase{record.Fill, record.Under, record.Mixed} {
			if other != p {
				more, _ := v.earlyRefusals(other)
				all = append(all, more...)
			}
		}
	}
	switch {
	case v.foreign != nil:
		o.doubt("RATE-7", "a 429 came after %d of %d requests in a window (exchange %d), but %s", all[0].within, v.limit, all[0].r.N, v.whoElse())
	case len(all) < 2 || !v.sure(all):
		o.doubt("RATE-7", "a 429 came after %d of %d requests in a window (exchange %d), once; someone else may have used the key", all[0].within, v.limit, all[0].r.N)
	default:
		o.fail("RATE-7", all[0].r, fmt.Sprintf("a request within the plan, the %s in its minute", spec.Ordinal(all[0].within+1)),
			fmt.Sprintf("not refused: the plan %s has %s a minute", v.lane.Plan, spec.Number(v.limit)),
			fmt.Sprintf("429 after %s", counts(all)))
	}
}

// sure reports whether early 429s can't be due to someone else who used the key. If Remaining was too low from the
// beginning, someone else may have sent requests. Then sure needs three 429s whose numbers of missing requests differ
// by at most one from the first, since a burst may or may not begin with the request that showed the fresh allowance.
func (v *view) sure(all []earlyRefusal) bool {
	for _, l := range all {
		if apart := l.missing - all[0].missing; l.missing > 0 && (len(all) < 3 || apart < -1 || apart > 1) {
			return false
		}
	}
	return true
}

// counts formats the numbers of requests before early 429s, as in "59, 59 and 58 requests in a fresh window".
func counts(all []earlyRefusal) string {
	var each []string
	for _, l := range all {
		each = append(each, fmt.Sprint(l.within))
	}
	return spec.List(each) + " requests in a fresh window"
}
