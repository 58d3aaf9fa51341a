package judge

import (
	"fmt"

	"petconform/load/record"
)

// low is a 429 that came while less than the plan was spent, and that no lawful limiter explains.
type low struct {
	r *record.Record
	// within counts the requests of the window before it.
	within int
	// missing is how much less than the plan the headers said was left when the burst began; -1 when they didn't say.
	missing int64
}

// tooLow gives the 429s of a phase that came too early, one of each round.
func (v *view) tooLow(p record.Phase) (all []low, disturbed bool) {
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
		l := low{r: r, within: v.countWithin(r), missing: -1}
		if l.within >= v.limit { // no kind explains it, but it is not within the plan either
			continue
		}
		if b := v.burst(p, r.Round); b != nil && v.telling(b.first()) {
			l.missing = v.lane.PerMinute - 1 - int64(b.first().Remaining)
		}
		all = append(all, l)
	}
	return all, disturbed
}

// countWithin counts the requests that the target may have counted in the window before r.
func (v *view) countWithin(r *record.Record) int {
	n := 0
	for _, x := range v.own {
		if x != r && x.Received() >= r.Sent-v.window-v.window/edgeTolerance && x.Sent <= r.Received() {
			n++
		}
	}
	return n
}

// within judges that nothing within the plan is refused (RATE-7), over a phase.
func (v *view) within(o *outcome, p record.Phase) {
	all, disturbed := v.tooLow(p)
	switch {
	case len(all) == 0 && disturbed:
		o.doubt("RATE-7", "a clock moved while the requests were refused")
		return
	case len(all) == 0:
		return
	}
	if len(all) < 3 { // what was seen once in each of several phases was seen more than once
		for _, other := range []record.Phase{record.Fill, record.Under, record.Mixed} {
			if other != p {
				more, _ := v.tooLow(other)
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
		o.fail("RATE-7", all[0].r, fmt.Sprintf("a request within the plan, the %s in its minute", ordinal(all[0].within+1)),
			fmt.Sprintf("not refused: the plan %s has %d a minute", v.lane.Plan, v.limit),
			fmt.Sprintf("429 after %s", counts(all)))
	}
}

// sure says whether 429s that came early can't be someone else's doing. Where the headers said from the start that less
// was left, someone may have spent it: then it takes three, all missing the same, but for the look that may have come first.
func (v *view) sure(all []low) bool {
	for _, l := range all {
		if apart := l.missing - all[0].missing; l.missing > 0 && (len(all) < 3 || apart < -1 || apart > 1) {
			return false
		}
	}
	return true
}

func counts(all []low) string {
	s := ""
	for i, l := range all {
		switch {
		case i > 0 && i == len(all)-1:
			s += " and "
		case i > 0:
			s += ", "
		}
		s += fmt.Sprint(l.within)
	}
	return s + " requests in a window that was fresh"
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n) + suffix
}
