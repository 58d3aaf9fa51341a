package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Outcome is the result of one phase for one key: the requirements that it proves and that nothing contradicts, if it
// reached them, and else why they are inconclusive.
type Outcome struct {
	phase    record.Phase
	findings []verdict.Finding
	unsure   []doubt
	// shown are the requirements that hold.
	shown    []spec.ID
	evidence []string
	// seen are observations of what the interface does not specify.
	seen []verdict.Observation
	// exchanges are the numbers of the exchanges that show the result.
	exchanges []int
}

// doubt is the reason why a requirement is inconclusive.
type doubt struct {
	requirement spec.ID
	why         string
}

// Fail adds a finding, unless the requirement has one.
func (o *Outcome) Fail(id spec.ID, at *record.Record, message, expected, actual string) {
	o.exchanges = append(o.exchanges, at.N)
	if !verdict.Names(o.findings, id) {
		o.findings = append(o.findings, verdict.Finding{Requirement: id, Message: message, Expected: expected, Actual: actual, Exchange: at.N})
	}
}

func (o *Outcome) Doubt(id spec.ID, format string, args ...any) {
	o.unsure = append(o.unsure, doubt{id, fmt.Sprintf(format, args...)})
}

func (o *Outcome) Show(format string, args ...any) {
	o.evidence = append(o.evidence, fmt.Sprintf(format, args...))
}

// Settle adds the requirements that are neither failed nor inconclusive in the phase to those that hold.
func (o *Outcome) Settle(ids ...spec.ID) {
	for _, id := range ids {
		if !o.Open(id) {
			o.shown = append(o.shown, id)
		}
	}
}

// Open reports whether a requirement failed or is inconclusive.
func (o *Outcome) Open(id spec.ID) bool {
	return verdict.Names(o.findings, id) || slices.ContainsFunc(o.unsure, func(d doubt) bool { return d.requirement == id })
}

// Filled shows the bursts of a phase, and reports whether there are any. limit is the requirement that needs a 429.
func (v *View) Filled(o *Outcome, limit spec.ID) bool {
	bursts := v.burstsOf(o.phase)
	for _, b := range bursts {
		o.Show("%s", v.describe(b))
		if o.exchanges = append(o.exchanges, v.own[b.at[0]].N); b.refused != nil {
			o.exchanges = append(o.exchanges, b.refused.N)
		}
	}
	reached := slices.ContainsFunc(bursts, func(b *burst) bool { return b.refused != nil || b.accepted > v.limit })
	over := slices.ContainsFunc(v.minute.Found, func(c limiter.Contradiction) bool { return c.What == limiter.Over })
	switch {
	case len(bursts) == 0 || o.Open(limit):
	case v.expectedOpen():
		o.Doubt(limit, "the plan is not limited here, as the configuration expects")
	case !reached:
		o.Doubt(limit, "the limit was not reached within a window: %s", v.describeAll(bursts))
	case over && o.phase != record.Fill && slices.ContainsFunc(bursts, v.beyond):
		o.Doubt(limit, "more than the plan was accepted, and another finding says why: %s", v.describeAll(bursts))
	}
	return len(bursts) > 0
}

func (v *View) Fill(o *Outcome) {
	if !v.Filled(o, "RATE-6") {
		return
	}
	bursts := v.burstsOf(record.Fill)
	if !o.Open("RATE-7") && !slices.ContainsFunc(bursts, func(b *burst) bool { return b.refused == nil || b.accepted >= v.limit }) {
		// A sliding counter may still count earlier requests and refuse a little early, but not in each fill.
		o.Doubt("RATE-7", "no fill reached the plan: %s", v.describeAll(bursts))
	}
	o.Settle("RATE-6", "RATE-7")
}

func (v *View) Mixed(o *Outcome) {
	if !v.Filled(o, "RATE-11") {
		return
	}
	if !slices.ContainsFunc(v.Of(record.Mixed), func(r *record.Record) bool {
		q := &r.Like.Request
		return spec.OperationOf(q.Method, q.Path) == spec.GetPet
	}) {
		o.Show("without getPet: the target has no animal")
	}
	o.Settle("RATE-11", "RATE-7")
}

func (v *View) Overload(o *Outcome) {
	all := v.Of(record.Overload, record.Spend, record.Press)
	if !v.Filled(o, "RATE-14") {
		return
	}
	if lost := slices.DeleteFunc(slices.Clone(all), func(r *record.Record) bool { return r.Status != 0 || v.closed(r) }); len(lost) > 0 && !o.Open("RATE-14") {
		o.Doubt("RATE-14", "%d of %d requests got no response (the first is exchange %d); the network may be the cause", len(lost), len(all), lost[0].N)
	}
	o.Show("%s of %s were answered 429", spec.Number(count(all, (*record.Record).Limited)), spec.Count(len(all), "request"))
	o.exchanges = append(o.exchanges, all[0].N, all[len(all)-1].N)
	o.Settle("RATE-14")
}

// describe describes a burst, as in "fill 1: 60 accepted in 1.2s, then a 429".
func (v *View) describe(b *burst) string {
	n, then := b.accepted, "and no 429"
	switch {
	case b.refused != nil:
		n, then = b.before, "then a 429"
	case b.cut:
		then = "and no 429 within the window"
	}
	took := max(0, b.last-v.own[b.at[0]].Sent)
	text := fmt.Sprintf("%s %d: %s accepted in %s, %s", b.phase, b.round, spec.Number(n), took.Round(time.Millisecond), then)
	if gain := int(v.perWindow(took)); b.refused != nil && gain > 0 && n > v.limit {
		text += fmt.Sprintf(" (a bucket may accept %s in that time)", spec.Number(v.limit+gain))
	}
	if later := b.accepted - n; later > 0 {
		text += fmt.Sprintf(", and %s more accepted after it", spec.Number(later))
	}
	return text
}

func (v *View) describeAll(all []*burst) string {
	var each []string
	for _, b := range all {
		each = append(each, v.describe(b))
	}
	return strings.Join(each, "; ")
}

// answered returns the status of a response, or the reason why there is none.
func answered(r *record.Record) string {
	if f := r.Like.Failure; r.Status == 0 && f != nil {
		return "no response (" + string(f.Kind) + ")"
	}
	return fmt.Sprintf("%d", r.Status)
}

// Headers shows that the headers describe what was accepted and refused. A rule for all responses judges that Remaining
// falls (RATE-4).
func (v *View) Headers(o *Outcome) {
	right, ofMinute := 0, 0
	for _, r := range v.own {
		if n := int64(r.Limit); r.Accepted() && (n == v.lane.PerMinute || n == v.lane.PerDay && n > 0) {
			right++
		}
	}
	for _, b := range v.bursts {
		for _, i := range b.at {
			if v.own[i].Accepted() && v.ofMinute(v.own[i]) {
				ofMinute++
			}
		}
	}
	o.Show("X-RateLimit-Limit is a limit of the plan in %s", spec.Count(right, "response"))
	o.Show("%s", v.whoElse())
	if right > 0 && ofMinute > 0 && v.minute.Compared == 0 && v.limit <= limiter.MostExact && !o.Open("RATE-15") {
		o.Doubt("RATE-15", "responses took too long to send the requests of a fill one at a time, so X-RateLimit-Remaining can't be compared with what was accepted")
	}
	if right > 0 {
		o.Settle("RATE-15")
	}
}

// Recover shows that a client which waits is accepted, after Retry-After (RATE-8) and at Reset (RATE-9), in every phase.
func (v *View) Recover(o *Outcome) {
	for _, fromReset := range []bool{false, true} {
		id, header := spec.ID("RATE-8"), spec.HeaderRetryAfter
		if fromReset {
			id, header = "RATE-9", spec.HeaderReset
		}
		all, accepted := 0, 0
		for _, w := range v.minute.Waits {
			if w.FromReset == fromReset && v.own[w.Next].Phase != record.Ban {
				o.exchanges = append(o.exchanges, v.own[w.Next].N)
				if all++; v.own[w.Next].Accepted() {
					accepted++
				}
			}
		}
		early := "the run did not wait until " + header + " had passed"
		switch {
		case o.Open(id):
		case all == 0 && !fromReset && v.askedToWait():
			o.Doubt(id, "%s", early)
		case all == 0: // a rule for all responses fails a malformed header; a Reset that is hours ahead is that of the day
			o.Show("%s", early)
		case accepted == 0:
			o.Doubt(id, "no request was accepted after %s, and a ban, an outage or a clock that jumped may be the cause", header)
		default:
			o.Settle(id)
			o.Show("%d of %s accepted after %s", accepted, spec.Count(all, "request"), header)
		}
	}
}

// askedToWait reports whether the 429 of a fill has a valid Retry-After.
func (v *View) askedToWait() bool {
	return slices.ContainsFunc(v.burstsOf(record.Fill), func(b *burst) bool {
		if b.refused == nil {
			return false
		}
		_, ok := b.refused.Wait()
		return ok
	})
}

// Backoff shows that a client with exponential backoff is accepted in the end (RATE-8). A request at X-RateLimit-Reset
// does not test Retry-After, so another request must have waited for it: Recover says if none did.
func (v *View) Backoff(o *Outcome) {
	all := v.Of(record.Backoff)
	if len(all) == 0 {
		return
	}
	for _, r := range all {
		o.exchanges = append(o.exchanges, r.N)
	}
	if !all[len(all)-1].Accepted() {
		o.Doubt("RATE-8", "a client with backoff was still refused after %s", spec.Count(len(all), "wait"))
		return
	}
	o.Show("accepted after %s", spec.Count(len(all), "wait"))
	if slices.ContainsFunc(v.minute.Waits, func(w limiter.Wait) bool { return !w.FromReset && v.own[w.Next].Accepted() }) {
		o.Settle("RATE-8")
	}
}

// leastRate is the part of the plan's rate at which the sender must have sent just under it: 3/4.
const leastRate = 0.75

// Under shows that no request is refused at just under the plan's rate (RATE-7). It is inconclusive if the fastest round
// from a fresh allowance is below leastRate.
func (v *View) Under(o *Outcome) {
	sent := v.Of(record.Under, record.Spend, record.Steady)
	if len(sent) == 0 {
		return
	}
	o.exchanges = append(o.exchanges, sent[0].N, sent[len(sent)-1].N)
	best, limited, first := 0.0, false, 0
	for i, r := range sent {
		if i+1 < len(sent) && sent[i+1].Round == r.Round {
			continue
		}
		if n, span := i-first, max(r.Sent-sent[first].Sent, time.Nanosecond); n > 0 && r.Role == record.Spend {
			best, limited = max(best, float64(n)/(float64(span)/float64(v.window))), limited || r.Limited()
		}
		first = i + 1
	}
	if !o.Open("RATE-7") {
		if best < leastRate*float64(v.limit) && !limited {
			o.Doubt("RATE-7", "the sender was too slow: it sent %s requests a minute instead of just under %s", spec.Number(int(best)), spec.Number(v.limit))
		}
		o.Show("%s at %s a minute without an early 429", spec.Count(len(sent), "request"), spec.Number(int(best)))
	}
	o.Settle("RATE-7")
}
