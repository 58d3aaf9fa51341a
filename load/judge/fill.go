package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

// fill judges that the plan's requests are accepted (RATE-7) and that one beyond it is answered 429 (RATE-6).
func (v *view) fill() outcome {
	var o outcome
	bursts := v.bursts(record.Fill)
	if len(bursts) == 0 {
		return o
	}
	v.withinPlan(&o, record.Fill)
	v.beyondPlan(&o, bursts)
	if !o.failed("RATE-7") && !slices.ContainsFunc(bursts, func(b *burst) bool { return b.refused == nil || len(b.accepted) >= v.limit }) {
		// A sliding counter may still count earlier requests and refuse a little early, but not in each fill.
		o.doubt("RATE-7", "no fill reached the plan: %s", v.describeAll(bursts))
	}
	for _, b := range bursts {
		o.exchanges = append(o.exchanges, b.first().N)
		if b.refused != nil {
			o.exchanges = append(o.exchanges, b.refused.N)
		}
		o.show("%s", v.describe(b))
	}
	return o.settle("RATE-6", "RATE-7")
}

// settle adds the requirements that are neither failed nor inconclusive to those that hold.
func (o outcome) settle(ids ...spec.ID) outcome {
	for _, id := range ids {
		doubted := slices.ContainsFunc(o.unsure, func(d doubt) bool { return d.requirement == id })
		if !doubted && !o.failed(id) {
			o.kept(id)
		}
	}
	return o
}

// describe describes a burst, as in "fill 1: 60 accepted in 1.2s, then a 429".
func (v *view) describe(b *burst) string {
	n, then := len(b.accepted), "and no 429"
	switch {
	case b.refused != nil:
		n, then = b.before, "then a 429"
	case b.cut:
		then = "and no 429 within the window"
	}
	took := b.tookFor(n)
	text := fmt.Sprintf("%s %d: %s accepted in %s, %s", b.phase, b.round, spec.Number(n), secs(took), then)
	if gain := int(v.perWindow(took)); b.refused != nil && gain > 0 && n > v.limit {
		text += fmt.Sprintf(" (a bucket may accept %s in that time)", spec.Number(v.limit+gain))
	}
	if later := len(b.accepted) - n; later > 0 {
		text += fmt.Sprintf(", and %s more accepted after it", spec.Number(later))
	}
	return text
}

// beyondPlan judges that requests beyond the plan are answered 429 (RATE-6) in bursts of one operation.
func (v *view) beyondPlan(o *outcome, bursts []*burst) {
	if v.otherwiseRefused(o, bursts) {
		return
	}
	over, a := v.beyond(bursts), v.account(record.Fill)
	switch {
	case a.bounded() && len(over) == 0 && !refusedIn(bursts): // the sender was too slow
		o.doubt("RATE-6", "the limit was not reached: %s", v.describeAll(bursts))
	case a.bounded() && len(over) == 0:
	case a.bounded():
		o.show("more than the plan was accepted, which is lawful for a %s", a.Kind.Name())
	case v.neverLimited(bursts):
		v.unlimited(o, bursts)
	case a.sightings() < 2:
		o.doubt("RATE-6", "more was accepted than any kind of limiter allows (exchange %d), but only once; the target may have restarted: %s",
			a.of[a.Over[0]].N, v.describeAll(bursts))
	case v.anyDisturbed(bursts):
		o.doubt("RATE-6", "more than the plan was accepted, but a clock jumped meanwhile")
	default:
		v.tooMany(o, a, bursts)
	}
}

// tooMany adds the finding that no kind of limiter explains what was accepted, described by the nearest kind.
func (v *view) tooMany(o *outcome, a *account, bursts []*burst) {
	at := a.of[a.Over[0]]
	o.fail("RATE-6", at, fmt.Sprintf("request %s within %s", spec.Number(v.acceptedBetween(at.Sent-v.window+1, at.Sent)), secs(v.window)),
		fmt.Sprintf("429: the plan %s has %s a minute", v.lane.Plan, spec.Number(v.limit)),
		fmt.Sprintf("accepted, %s; no kind of limiter explains it, and the nearest is a %s: %s%s",
			spec.Count(a.sightings(), "time"), a.Kind.Name(), v.describeAll(bursts), v.scaledHint()))
}

// scaledHint returns a clause with the length of a scaled target's minute, which may be given wrongly, or "".
func (v *view) scaledHint() string {
	if v.window == time.Minute {
		return ""
	}
	return fmt.Sprintf(" (with a minute of %s, as given by --minute)", v.window)
}

func (v *view) describeAll(all []*burst) string {
	var each []string
	for _, b := range all {
		each = append(each, v.describe(b))
	}
	return strings.Join(each, "; ")
}

// refusedIn reports whether one of the bursts has a 429.
func refusedIn(bursts []*burst) bool {
	return slices.ContainsFunc(bursts, func(b *burst) bool { return b.refused != nil })
}

// neverLimited reports whether more than the plan was accepted in each burst, and there is no 429 in any phase except
// the day.
func (v *view) neverLimited(bursts []*burst) bool {
	return !refusedIn(bursts) && len(v.beyond(bursts)) == len(bursts) &&
		!slices.ContainsFunc(v.own, func(r *record.Record) bool { return r.Limited() && r.Phase != record.Day })
}

// unlimited fails a plan that is never limited, unless the configuration says that limits are not expected. The
// interface does not show whether they apply to these operations (RATE-17).
func (v *view) unlimited(o *outcome, bursts []*burst) {
	if !v.rec.Settings.ExpectLimits {
		o.doubt("RATE-6", "the plan is not limited here, as the configuration expects")
		return
	}
	b := bursts[0]
	o.fail("RATE-6", b.accepted[v.limit], fmt.Sprintf("requests beyond the plan %s", v.lane.Plan),
		fmt.Sprintf("a 429 by request %d", v.limit+1+int(v.perWindow(b.took()))), v.describeAll(bursts)+"; no 429 in the whole run")
}

// otherwiseRefused fails RATE-6, and returns true, if requests beyond the plan have another response than a 429 in at
// least two bursts.
func (v *view) otherwiseRefused(o *outcome, bursts []*burst) bool {
	var seen []*burst
	for _, b := range bursts {
		if b.refused == nil && len(b.odd) >= 2 && len(b.accepted) >= v.limit {
			seen = append(seen, b)
		}
	}
	if len(seen) < 2 {
		return false
	}
	odd := seen[0].odd[0]
	o.fail("RATE-6", odd, fmt.Sprintf("the response to a request beyond the plan's %s a minute", spec.Number(v.limit)), "429",
		fmt.Sprintf("%s, after %d accepted requests; in %d of %d fills", v.answer(odd), len(seen[0].accepted), len(seen), len(bursts)))
	return true
}

// answer returns the status of a response, or the reason why there is none.
func (v *view) answer(r *record.Record) string {
	if r.Status > 0 {
		return fmt.Sprint(r.Status)
	}
	if f := r.Like.Failure; f != nil {
		return "no response (" + string(f.Kind) + ")"
	}
	return "no response"
}

func (v *view) anyDisturbed(all []*burst) bool {
	return slices.ContainsFunc(all, func(b *burst) bool { return v.disturbed(b.first().Sent, b.all[len(b.all)-1].Ended()) })
}
