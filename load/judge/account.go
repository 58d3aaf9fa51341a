package judge

import (
	"slices"
	"sort"

	"petconform/load/limiter"
	"petconform/load/record"
)

// account is the result of comparing a key's requests, which are in of, with the nearest kind of limiter.
type account struct {
	limiter.Account
	history limiter.History
	of      []*record.Record
}

// accounts computes the accounts of the view. If a kind of limiter explains all responses to the key, every phase is
// judged by that account.
//
// If none does, the phases are judged separately, so that a fault of one is not found in another. Example: each
// connection has 60 requests of its own. The mixed phase gets 240 on four connections, and the overload 90 on sixteen;
// the fills, on one connection, are lawful. So the phases before the mixed phase have an account of their own, and two
// more: together with the mixed phase, and with the overload.
func (v *view) accounts() {
	v.whole = v.history()
	v.whole.Account = limiter.Explain(v.whole.history, nil)
	v.plain, v.shared, v.pressed = v.whole, v.whole, v.whole
	if !v.whole.Lawful() {
		v.plain = v.explain("", nil)
		v.shared, v.pressed = v.explain(record.Mixed, v.plain.Explaining), v.explain(record.Overload, v.plain.Explaining)
	}
}

// explain returns the account of the requests before the mixed phase, and of those of the phase p. Requests of other
// phases may have been counted or not. partly are the kinds that explain the requests without the phase.
func (v *view) explain(p record.Phase, partly []limiter.Kind) *account {
	a := v.history()
	for i := v.alone(); i < len(v.own); i++ {
		if v.own[i].Phase != p {
			a.history.Requests[i].Outcome = limiter.Unknown
		}
	}
	a.Account = limiter.Explain(a.history, partly)
	return a
}

// alone returns the number of requests before the first of a phase after under, which may use several operations and
// connections.
func (v *view) alone() int {
	end := slices.IndexFunc(v.own, func(r *record.Record) bool {
		return !slices.Contains([]record.Phase{record.Headers, record.Fill, record.Recover, record.Backoff, record.Under}, r.Phase)
	})
	if end < 0 {
		return len(v.own)
	}
	return end
}

// history returns the key's requests as the limiter package reads them.
func (v *view) history() *account {
	a := &account{history: limiter.History{Limit: v.limit, Window: v.window, Risen: v.risen()}, of: v.own}
	unexcused := v.unexcused()
	for _, r := range v.own {
		one := limiter.Request{Sent: r.Sent, Answered: r.Received(), Outcome: limiter.Unknown}
		switch {
		case r.Accepted():
			one.Outcome = limiter.Accepted
			if v.ofMinute(r) && r.Reset.Known() && r.Date.Known() {
				one.Reset = r.Sent + r.ResetIn() - headerRounding
			}
		case r.Limited():
			one.Outcome, one.Excused = limiter.Refused, !unexcused[r]
			one.Wait, _ = r.Wait()
		}
		a.history.Requests = append(a.history.Requests, one)
	}
	return a
}

// leastRise is the smallest excess of Remaining that shows a refill: 2 requests, since the request itself may not be
// counted yet.
const leastRise = 2

// risen reports whether a Remaining within a fill was larger than the plan minus the accepted requests before it, so
// that tokens were added. A Remaining of 0 does not show that, even if more than the plan was accepted.
func (v *view) risen() bool {
	for _, b := range v.bursts(record.Fill) {
		for _, r := range b.accepted {
			before := sort.Search(len(b.accepted), func(i int) bool { return b.accepted[i].Received() > r.Sent })
			if v.ofMinute(r) && r.Remaining > 0 && int(r.Remaining) >= v.limit-before-1+leastRise {
				return true
			}
		}
	}
	return false
}

// unexcused returns the 429s that the minute's limit has to explain: the first one of each round, unless it is due to
// the day's limit. Later ones may be due to a ban.
func (v *view) unexcused() map[*record.Record]bool {
	unexcused := map[*record.Record]bool{}
	for _, p := range spending {
		for _, r := range v.firstRefusals(p) {
			unexcused[r] = !v.ofDay(r)
		}
	}
	return unexcused
}

var spending = []record.Phase{record.Fill, record.Under, record.Mixed, record.Overload}

// firstRefusals returns the first 429 of each round of a phase to a request with the role Spend.
func (v *view) firstRefusals(p record.Phase) []*record.Record {
	var out []*record.Record
	seen := map[int]bool{}
	for _, r := range v.own {
		if r.Phase == p && r.Role == record.Spend && r.Limited() && !seen[r.Round] {
			seen[r.Round] = true
			out = append(out, r)
		}
	}
	return out
}

func (v *view) account(p record.Phase) *account {
	switch p {
	case record.Mixed:
		return v.shared
	case record.Overload:
		return v.pressed
	}
	return v.plain
}

// early returns the refused requests of a phase that the nearest kind would have accepted.
func (a *account) early(p record.Phase) []*record.Record {
	var out []*record.Record
	for _, i := range a.Early {
		if a.of[i].Phase == p {
			out = append(out, a.of[i])
		}
	}
	return out
}

// bounded reports whether the nearest kind would have accepted all requests that were accepted.
func (a *account) bounded() bool { return len(a.Over) == 0 }

// sightings returns how often more was accepted than the nearest kind allows; see limiter.Account.Sightings.
func (a *account) sightings() int { return a.Sightings(&a.history) }
