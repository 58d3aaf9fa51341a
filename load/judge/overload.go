package judge

import (
	"fmt"
	"net/http"
	"slices"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
)

// overload judges that the plan's requests are accepted and the rest is answered 429 (RATE-14), also if they are sent
// concurrently (RATE-6).
func (v *view) overload() outcome {
	var o outcome
	all := v.of(record.Overload, 0, record.Spend, record.Press)
	bursts := v.bursts(record.Overload)
	if len(bursts) == 0 {
		return o
	}
	v.otherAnswers(&o, all)
	v.overloadServed(&o, bursts, all)
	if !o.failed("RATE-14") {
		if early, _ := v.earlyRefusals(record.Overload); len(early) >= 2 && v.sure(early) && v.foreign == nil {
			o.fail("RATE-14", early[0].r, "the plan's requests under overload", spec.Number(v.limit)+" served", "429 after "+counts(early))
		} else if len(early) > 0 {
			o.doubt("RATE-14", "a 429 came after %s of the plan's %s requests, for an unknown reason",
				spec.Number(early[0].within), spec.Number(v.limit))
		}
	}
	for _, b := range bursts {
		o.show("%s", v.describe(b))
	}
	o.show("%s of %s were answered 429", spec.Number(count(all, (*record.Record).Limited)), spec.Count(len(all), "request"))
	o.exchanges = append(o.exchanges, all[0].N, all[len(all)-1].N)
	return o.settle("RATE-14")
}

// otherAnswers judges that requests beyond the plan are answered only 429. A 401 or 403 after a 429 may be a ban. A
// server error in any phase of spending is counted too.
func (v *view) otherAnswers(o *outcome, all []*record.Record) {
	var odd, timeouts []*record.Record
	loaded := 0
	for _, r := range v.own {
		if !slices.Contains(spending, r.Phase) {
			continue
		}
		if loaded++; r.Phase != record.Overload && r.Status >= 500 {
			odd = append(odd, r)
		}
	}
	first, alone := slices.IndexFunc(all, (*record.Record).Limited), v.lostAlone()
	for _, r := range all {
		limited := first >= 0 && r.Received() >= all[first].Sent
		banned := limited && r.Barred()
		if !r.Unsure() || banned || v.createRefused(r) {
			continue
		}
		if r.Status == 0 {
			kind := r.Like.Failure.Kind
			if r.Reused && !alone {
				continue
			}
			if kind == exchange.Timeout || kind == exchange.Stopped || kind == exchange.Unreachable {
				timeouts = append(timeouts, r)
				continue
			}
		}
		odd = append(odd, r)
	}
	switch {
	case len(odd) >= 2 || len(odd) == 1 && odd[0].Status >= 500:
		o.fail("RATE-14", odd[0], "a request under overload", "a success within the plan, and 429 beyond it",
			fmt.Sprintf("%s; %d of %d responses are neither a success nor a 429", v.answer(odd[0]), len(odd), loaded))
	case len(odd) == 1:
		o.doubt("RATE-14", "the response to one of %d requests is %s (exchange %d)", len(all), v.answer(odd[0]), odd[0].N)
	case len(timeouts) > 0:
		o.doubt("RATE-14", "%d of %d requests timed out (the first is exchange %d); the network may be the cause",
			len(timeouts), len(all), timeouts[0].N)
	}
}

// lostAlone reports whether the target closed a connection without a response to its first request. If it closed only
// kept connections, that is lawful (RFC 9112, section 9.5).
func (v *view) lostAlone() bool {
	return slices.ContainsFunc(v.own, func(r *record.Record) bool {
		f := r.Like.Failure
		return r.Status == 0 && !r.Reused && f != nil && f.Kind == exchange.Closed
	})
}

// createRefused reports whether r is a createPet that the operation itself refused, because of an unknown category for
// example.
func (v *view) createRefused(r *record.Record) bool {
	return r.Like.Request.Method == http.MethodPost && r.Status >= 400 && r.Status < 500
}

// overloadServed judges the number of accepted requests.
func (v *view) overloadServed(o *outcome, bursts []*burst, all []*record.Record) {
	plain := v.bursts(record.Fill)
	over := v.beyond(bursts)
	mixed := v.mixed() // has few requests in flight near the limit, so a race is not the cause of what it finds
	switch {
	case len(over) == 0 && !refusedIn(bursts):
		o.doubt("RATE-14", "the limit was not reached within a window: %s", v.describeAll(bursts))
	case len(over) == 0 || v.account(record.Overload).bounded():
	case v.neverLimited(bursts):
		if v.rec.Settings.ExpectLimits {
			o.fail("RATE-14", all[len(all)-1], fmt.Sprintf("%d requests at once", len(bursts[0].all)),
				fmt.Sprintf("at most %d accepted, and 429 for the others",
					v.limit+int(v.perWindow(bursts[0].took()))), v.describeAll(bursts))
		} else {
			o.doubt("RATE-14", "the plan is not limited here, as the configuration expects")
		}
	case len(plain) > 0 && !v.account(record.Fill).bounded():
		o.show("more than the plan was accepted, as in the fills")
	case len(plain) > 0 && mixed.failed("RATE-11"):
		o.doubt("RATE-14", "%s; the overload uses many connections, and in the mixed phase connections did not share an allowance", v.describe(over[0]))
	case len(over) < 2:
		o.doubt("RATE-14", "%s, but only once", v.describe(over[0]))
	case v.anyDisturbed(over):
		o.doubt("RATE-14", "more than the plan was accepted, but a clock jumped meanwhile")
	default:
		v.tooMany(o, v.account(record.Overload), slices.Concat(plain, bursts))
		o.fail("RATE-14", over[0].accepted[v.limit], "requests that are sent at the same time",
			fmt.Sprintf("%d accepted", v.limit), v.describeAll(over))
	}
}
