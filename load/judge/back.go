package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

// comeback is the first request after a 429 that waited as long as the 429 asked.
type comeback struct {
	refused, next *record.Record
	waited, asked time.Duration
	// fromReset says that X-RateLimit-Reset asked for the wait, not Retry-After.
	fromReset bool
}

// headerRounding is how much Reset minus Date may be off: 2 s. Both are whole seconds, and each may be rounded up or
// down.
const headerRounding = 2 * time.Second

// comebacks pairs each 429 with the key's next request, if that waited for Retry-After or for Reset.
func (v *view) comebacks() (byWait, byReset []comeback) {
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
		if wait, ok := a.Wait(); ok && waited >= wait {
			byWait = append(byWait, comeback{a, b, waited, wait, false})
		}
		if a.Reset.Known() && a.Date.Known() && a.Reset >= a.Date {
			// Date is rounded down, so the wait until Reset may be up to a second longer than the difference.
			if asked := a.ResetIn(); waited >= asked+time.Second {
				byReset = append(byReset, comeback{a, b, waited, asked, true})
			}
		}
	}
	return byWait, byReset
}

// lastRefusal returns the 429 for which own[i] waited, or nil if there is none. Up to four requests were in flight with
// the 429, and a bucket that gained a token may have accepted one of them later. Retry-After did not allow for that
// request. So if own[i] is refused, lastRefusal returns nil unless the 429 is right before own[i].
func (v *view) lastRefusal(i int) *record.Record {
	for j := i - 1; j >= 0; j-- {
		if v.own[j].Limited() {
			return v.own[j]
		}
		if !v.own[i].Accepted() {
			return nil
		}
	}
	return nil
}

// back judges that a client which waits is accepted, after Retry-After (RATE-8) and at Reset (RATE-9), in every phase.
func (v *view) back() outcome {
	var o outcome
	v.inMilliseconds(&o)
	byWait, byReset := v.comebacks()
	v.throughAfter(&o, "RATE-8", spec.HeaderRetryAfter, byWait)
	v.throughAfter(&o, "RATE-9", spec.HeaderReset, byReset)
	return o
}

// inMilliseconds fails RATE-5 if Retry-After is 1,000 times the seconds until X-RateLimit-Reset in each fill, and in at
// least two.
func (v *view) inMilliseconds(o *outcome) {
	var found []*record.Record
	refusals := v.firstRefusals(record.Fill)
	for _, r := range refusals {
		wait, ok := r.Wait()
		if !ok || !r.WaitsLong(v.window) || !r.Reset.Known() || !r.Date.Known() {
			return
		}
		until := r.ResetIn()
		if off := wait/1000 - until; off < -headerRounding || off > headerRounding {
			return
		}
		found = append(found, r)
	}
	if len(found) < 2 {
		return
	}
	wait, _ := found[0].Wait()
	o.fail("RATE-5", found[0], spec.HeaderRetryAfter+" of a 429",
		fmt.Sprintf("%d, the seconds until %s", found[0].Reset-found[0].Date, spec.HeaderReset),
		fmt.Sprintf("%d, which is in milliseconds, in %d of %d fills", wait/time.Second, len(found), len(refusals)))
}

// refusedOf returns the comebacks that were refused, except those that a ban or a jump of a clock may explain.
func (v *view) refusedOf(all []comeback) []comeback {
	var out []comeback
	for _, m := range all {
		// A client that had waited gives no reason for a ban, even after many 429s.
		waited := m.refused.Role == record.Probe || m.refused.Role == record.AtReset
		if m.next.Limited() && !v.disturbed(m.refused.Sent, m.next.Ended()) && (waited || v.refusals(m.refused) <= mostRefusals) {
			out = append(out, m)
		}
	}
	return out
}

// mostRefusals is the largest number of 429s in a row that can't cause a ban: 2. The interface says that repeated
// requests after a 429 may lead to a ban, which may last longer than Retry-After.
const mostRefusals = 2

// refusals returns the number of 429s in a row up to r, without those to requests that had waited.
func (v *view) refusals(r *record.Record) int {
	n := 0
	for i := slices.Index(v.own, r); i >= 0 && v.own[i].Limited(); i-- {
		if role := v.own[i].Role; role == record.Spend || role == record.Press {
			n++
		}
	}
	return n
}

// throughAfter judges that the requests which waited as long as a header asked were accepted.
func (v *view) throughAfter(o *outcome, id spec.ID, header string, all []comeback) {
	switch {
	case len(all) == 0 && id == "RATE-8":
		v.notWaited(o)
		return
	case len(all) == 0:
		// A rule for all responses fails a malformed Reset. A Reset that is hours ahead is that of the day.
		o.show("the run did not wait until %s had passed", header)
		return
	}
	refused, accepted := v.refusedOf(all), 0
	for _, m := range all {
		o.exchanges = append(o.exchanges, m.next.N)
		if m.next.Accepted() {
			accepted++
		}
	}
	switch {
	case len(refused) == 0 && accepted == 0:
		o.doubt(id, "no request was accepted after %s (exchange %d), and a ban, an outage or a clock that jumped may be the cause", header, all[0].next.N)
	case len(refused) == 0:
		o.kept(id)
		o.show("%d of %s accepted after %s", accepted, spec.Count(len(all), "request"), header)
	case v.foreign != nil:
		o.doubt(id, "a request was refused after %s (exchange %d), but %s", header, refused[0].next.N, v.whoElse())
	case len(refused) == 1:
		o.doubt(id, "one of %d requests was refused after %s (exchange %d); someone else may have used the key", len(all), header, refused[0].next.N)
	default:
		m := refused[0]
		o.fail(id, m.next, fmt.Sprintf("the request %s after the 429 of exchange %d", secs(m.waited), m.refused.N),
			fmt.Sprintf("accepted: its %s asked to wait %s", header, secs(m.asked)),
			fmt.Sprintf("429, %d of %d times", len(refused), len(all)))
	}
}

// notWaited makes RATE-8 inconclusive, since no request waited for Retry-After. If no 429 has a valid Retry-After, a
// rule for all responses fails.
func (v *view) notWaited(o *outcome) {
	const early = "the run did not wait until " + spec.HeaderRetryAfter + " had passed"
	for _, r := range v.firstRefusals(record.Fill) {
		if asked, ok := r.Wait(); ok {
			o.doubt("RATE-8", "%s; that of exchange %d asks to wait %s", early, r.N, secs(asked))
			return
		}
	}
	o.show(early)
}

// backoff judges that a client with exponential backoff is accepted in the end (RATE-8). A request at X-RateLimit-Reset
// does not test Retry-After, so another request must have waited for it.
func (v *view) backoff() outcome {
	var o outcome
	all := v.of(record.Backoff, 0)
	if len(all) == 0 {
		return o
	}
	for _, r := range all {
		o.exchanges = append(o.exchanges, r.N)
	}
	last := all[len(all)-1]
	byWait, _ := v.comebacks()
	accepted := func(m comeback) bool { return m.next.Accepted() }
	waited := func(m comeback) bool { return m.next == last }
	switch {
	case !last.Accepted():
		o.doubt("RATE-8", "a client with backoff was still refused after %s", spec.Count(len(all), "wait"))
	case !slices.ContainsFunc(byWait, accepted):
		o.show("accepted after %s, before Retry-After had passed", spec.Count(len(all), "wait"))
		v.notWaited(&o)
	case slices.ContainsFunc(byWait, waited):
		o.show("accepted after %s", spec.Count(len(all), "wait"))
		o.kept("RATE-8")
	default:
		o.show("accepted after %s, before Retry-After had passed; other requests waited for it", spec.Count(len(all), "wait"))
		o.kept("RATE-8")
	}
	return o
}
