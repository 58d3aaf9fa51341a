package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/record"
)

// fill judges that the plan is what is served (RATE-7) and that what is beyond it is answered 429 (RATE-6).
func (v *view) fill() outcome {
	var o outcome
	bursts := v.bursts(record.Fill)
	if len(bursts) == 0 {
		return o
	}
	v.within(&o, record.Fill)
	v.beyondPlan(&o, bursts)
	if !o.failed("RATE-7") && !slices.ContainsFunc(bursts, func(b *burst) bool { return b.refused == nil || len(b.accepted) >= v.limit }) {
		// A sliding counter may remember enough to refuse a little early, but not each time.
		o.doubt("RATE-7", "no fill reached the plan: %s", v.tellAll(bursts))
	}
	for _, b := range bursts {
		o.exchanges = append(o.exchanges, b.first().N)
		if b.refused != nil {
			o.exchanges = append(o.exchanges, b.refused.N)
		}
		o.show("%s", v.told(b))
	}
	return o.settle("RATE-6", "RATE-7")
}

// settle marks what was neither failed nor doubted as kept.
func (o outcome) settle(ids ...specID) outcome {
next:
	for _, id := range ids {
		for _, d := range o.unsure {
			if d.requirement == id {
				continue next
			}
		}
		if !o.failed(id) {
			o.kept(id)
		}
	}
	return o
}

func (v *view) told(b *burst) string {
	took := b.took()
	switch {
	case b.refused == nil && b.cut:
		return fmt.Sprintf("%s %d: %d accepted in %s, and no 429 within the window", b.phase, b.round, len(b.accepted), secs(took))
	case b.refused == nil:
		return fmt.Sprintf("%s %d: %d accepted in %s, and no 429", b.phase, b.round, len(b.accepted), secs(took))
	}
	text := fmt.Sprintf("%s %d: %d accepted in %s, then a 429", b.phase, b.round, b.before, secs(took))
	if gain := int(v.perWindow(took)); gain > 0 && b.before > v.limit {
		text += fmt.Sprintf(" (a bucket may let %d through in that time)", v.limit+gain)
	}
	return text
}

// beyondPlan judges RATE-6 over bursts of one operation.
func (v *view) beyondPlan(o *outcome, bursts []*burst) {
	if v.otherwiseRefused(o, bursts) {
		return
	}
	over := v.beyond(bursts)
	switch {
	case v.plain.bounded() && len(over) == 0:
		v.reached(o, bursts)
	case v.plain.bounded():
		o.show("more than the plan was accepted, which is lawful for a %s", v.plain.Kind.Name())
	case v.never(bursts):
		v.unlimited(o, bursts)
	case v.plain.sightings() < 2:
		o.doubt("RATE-6", "once more was accepted than any limiter of the plan allows (exchange %d); the target may have restarted: %s",
			v.plain.of[v.plain.Over[0]].N, v.tellAll(bursts))
	case v.anyDisturbed(bursts):
		o.doubt("RATE-6", "more than the plan was accepted, but a clock moved meanwhile")
	default:
		v.tooMany(o, v.plain, bursts)
	}
}

// tooMany tells what no kind of limiter explains, by the kind that comes nearest.
func (v *view) tooMany(o *outcome, a *account, bursts []*burst) {
	at := a.of[a.Over[0]]
	o.fail("RATE-6", at, fmt.Sprintf("request %d within %s", v.acceptedBetween(at.Sent-v.window+1, at.Sent), secs(v.window)),
		fmt.Sprintf("429: the plan %s has %d a minute", v.lane.Plan, v.limit),
		fmt.Sprintf("accepted, %d times; no kind of limiter explains it, and the nearest is a %s: %s%s",
			a.sightings(), a.Kind.Name(), v.tellAll(bursts), v.scaledHint()))
}

// scaledHint: what a scaled target's minute is, only its owner knows.
func (v *view) scaledHint() string {
	if v.window == time.Minute {
		return ""
	}
	return fmt.Sprintf(" (with a minute of %s, as given by --minute)", v.window)
}

func (v *view) tellAll(all []*burst) string {
	s := ""
	for i, b := range all {
		if i > 0 {
			s += "; "
		}
		s += v.told(b)
	}
	return s
}

// tooSlow says whether no burst came to the limit before its window was over.
func tooSlow(bursts []*burst) bool {
	for _, b := range bursts {
		if b.refused != nil || !b.cut {
			return false
		}
	}
	return true
}

// reached: without a 429 and without too many, the sender was too slow to reach the limit, or was kept from it.
func (v *view) reached(o *outcome, bursts []*burst) {
	for _, b := range bursts {
		if b.refused != nil {
			return
		}
	}
	o.doubt("RATE-6", "the limit was not reached: %s", v.tellAll(bursts))
}

// never says whether no burst met a 429 although each got more than any lawful limiter lets through.
func (v *view) never(bursts []*burst) bool {
	for _, b := range bursts {
		if b.refused != nil || b.excess(v.limit) <= 0 {
			return false
		}
	}
	for _, r := range v.own {
		if r.Limited() && r.Phase != record.Day {
			return false
		}
	}
	return true
}

// unlimited: a plan that is never limited deviates when limits are expected here. Whether they apply to these endpoints is
// not shown (RATE-17).
func (v *view) unlimited(o *outcome, bursts []*burst) {
	if !v.rec.Settings.ExpectLimits {
		o.doubt("RATE-6", "the plan is not limited here, as the configuration expects")
		return
	}
	b := bursts[0]
	o.fail("RATE-6", b.accepted[v.limit], fmt.Sprintf("requests beyond the plan %s", v.lane.Plan),
		fmt.Sprintf("a 429 by request %d", v.limit+1+int(v.perWindow(b.took()))), v.tellAll(bursts)+"; no 429 in the whole run")
}

// otherwiseRefused finds a target that refuses what is beyond the plan with something else than a 429.
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
	o.fail("RATE-6", odd, fmt.Sprintf("the answer to a request beyond the plan's %d a minute", v.limit), "429",
		fmt.Sprintf("%s, after %d accepted requests; in %d of %d fills", v.answer(odd), len(seen[0].accepted), len(seen), len(bursts)))
	return true
}

// answer tells an answer in a word.
func (v *view) answer(r *record.Record) string {
	if r.Status > 0 {
		return fmt.Sprint(r.Status)
	}
	if f := v.rec.Shapes[r.Shape].Failure; f != nil {
		return "no answer (" + string(f.Kind) + ")"
	}
	return "no answer"
}

func (v *view) anyDisturbed(all []*burst) bool {
	for _, b := range all {
		if v.disturbed(b.first().Sent, b.all[len(b.all)-1].Ended()) {
			return true
		}
	}
	return false
}
