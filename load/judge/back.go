package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

type specID = spec.ID

// met is a request that followed a 429 whose time had come.
type met struct {
	refused, next *record.Record
	waited        time.Duration
	told          time.Duration
	ofReset       bool
}

// comebacks pairs each 429 with the lane's next request, where that one had waited for Retry-After, or for Reset.
func (v *view) comebacks() (byWait, byReset []met) {
	for i := 1; i < len(v.own); i++ {
		b := v.own[i]
		if b.Role != record.Probe && b.Role != record.AtReset {
			continue
		}
		a := v.lastRefusal(i)
		if a == nil {
			continue
		}
		waited := b.Sent - a.Received()
		if wait, ok := v.wait(a); ok && waited >= wait && b.Role == record.Probe {
			byWait = append(byWait, met{a, b, waited, wait, false})
		}
		// Reset and Date are whole seconds.
		if a.Reset.Known() && a.Date.Known() && a.Reset >= a.Date {
			if told := time.Duration(a.Reset-a.Date) * time.Second; waited >= told+time.Second-time.Millisecond {
				byReset = append(byReset, met{a, b, waited, told, true})
			}
		}
	}
	return byWait, byReset
}

// lastRefusal is the 429 that own[i] comes back from. Requests that were under way with it may have been accepted after
// it, by a bucket that gained a token; what they took of it the 429 could not know, so that a second refusal proves nothing.
func (v *view) lastRefusal(i int) *record.Record {
	if v.own[i-1].Limited() {
		return v.own[i-1]
	}
	for j := i - 1; j >= 0 && v.own[i].Accepted() && v.own[j].Role == record.Spend; j-- {
		if v.own[j].Limited() {
			return v.own[j]
		}
	}
	return nil
}

// back judges that a client which waits gets through, after Retry-After (RATE-8) and at Reset (RATE-9), over the phases
// that came back.
func (v *view) back() outcome {
	var o outcome
	v.inMilliseconds(&o)
	byWait, byReset := v.comebacks()
	v.throughAfter(&o, "RATE-8", spec.HeaderRetryAfter, byWait)
	if o.failed("RATE-8") && len(byReset) > 0 && len(v.refusedOf(byReset)) == 0 {
		o.kept("RATE-9")
	} else {
		v.throughAfter(&o, "RATE-9", spec.HeaderReset, byReset)
		v.resetOver(&o)
	}
	return o
}

// resetOver: a request that is refused after the time in its own X-RateLimit-Reset. Both that and Date are whole seconds, and
// one of them may be old by one; what lies further back is no time to come at all, and a rule of every answer says so.
func (v *view) resetOver(o *outcome) {
	var over []*record.Record
	refusals := v.firstRefusals(record.Fill)
	for _, r := range refusals {
		if r.Reset.Known() && r.Date.Known() && r.Reset <= r.Date-3 && r.Reset >= r.Date-5 {
			over = append(over, r)
		}
	}
	if len(over) >= 2 && !o.failed("RATE-9") {
		o.fail("RATE-9", over[0], spec.HeaderReset+" of a 429", "a time to come, at which requests are accepted again",
			fmt.Sprintf("%d s before the response; and so in %d of %d fills", over[0].Date-over[0].Reset, len(over), len(refusals)))
	}
}

// inMilliseconds: a Retry-After that is a thousand times the time until X-RateLimit-Reset, in each fill (RATE-5).
func (v *view) inMilliseconds(o *outcome) {
	var found []*record.Record
	refusals := v.firstRefusals(record.Fill)
	for _, r := range refusals {
		wait, ok := v.wait(r)
		if !ok || wait <= 2*v.window+2*time.Second || !r.Reset.Known() || !r.Date.Known() {
			return
		}
		until := time.Duration(r.Reset-r.Date) * time.Second
		if off := wait/1000 - until; off < -time.Second || off > time.Second {
			return
		}
		found = append(found, r)
	}
	if len(found) < 2 {
		return
	}
	wait, _ := v.wait(found[0])
	o.fail("RATE-5", found[0], spec.HeaderRetryAfter+" of a 429", fmt.Sprintf("%d, in seconds, as %s tells", found[0].Reset-found[0].Date, spec.HeaderReset),
		fmt.Sprintf("%d, which are milliseconds; and so in %d of %d fills", wait/time.Second, len(found), len(refusals)))
}

func (v *view) refusedOf(all []met) []met {
	var out []met
	for _, m := range all {
		waited := m.refused.Role == record.Probe || m.refused.Role == record.AtReset // whatever came before, it told a time to one who had waited
		if m.next.Limited() && !v.disturbed(m.refused.Sent, m.next.Ended()) && (waited || v.refusals(m.refused) <= mostRefusals) {
			out = append(out, m)
		}
	}
	return out
}

// mostRefusals is how many 429s to requests that did not wait leave no doubt of a ban. Of more, "repeated requests after a
// 429", the interface says that they may lead to one, which outlasts what they told.
const mostRefusals = 2

// refusals counts the 429s in a row up to r, but for those to requests that had waited.
func (v *view) refusals(r *record.Record) int {
	n := 0
	for i := slices.Index(v.own, r); i >= 0 && v.own[i].Limited(); i-- {
		if role := v.own[i].Role; role == record.Spend || role == record.Press {
			n++
		}
	}
	return n
}

func (v *view) throughAfter(o *outcome, id specID, header string, all []met) {
	if len(all) == 0 {
		// Where it can't be read, a rule has failed it; where it lies far ahead, it speaks of the day.
		o.show("no %s ended within the run", header)
		return
	}
	refused := v.refusedOf(all)
	for _, m := range all {
		o.exchanges = append(o.exchanges, m.next.N)
	}
	switch {
	case len(refused) == 0:
		o.kept(id)
		o.show("%d of %d requests were accepted after %s", len(all), len(all), header)
	case v.foreign != nil:
		o.doubt(id, "a request was refused after %s (exchange %d), but %s", header, refused[0].next.N, v.whoElse())
	case len(refused) == 1:
		o.doubt(id, "one of %d requests was refused after %s (exchange %d); someone else may have used the key", len(all), header, refused[0].next.N)
	default:
		m := refused[0]
		o.fail(id, m.next, fmt.Sprintf("the request %s after the 429 of exchange %d", secs(m.waited), m.refused.N),
			fmt.Sprintf("accepted: its %s asked to wait %s", header, secs(m.told)),
			fmt.Sprintf("429; and so %d of %d times", len(refused), len(all)))
	}
}
