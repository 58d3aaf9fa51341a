package checks

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

const (
	// soonStep begins the steps of reads that are repeated at once, steadyStep of those that are repeated when no lag
	// explains them.
	soonStep, steadyStep = "soon-", "steady-"
)

const (
	// enoughLooks of one kind show a fault of every tenth read. A quick run sends as many beyond
	// check.StandardRequests.
	enoughLooks = 10
	// enoughLooksDeep show one of every thirtieth, in a full run.
	enoughLooksDeep = 30
	// certainLooks are sent however many requests the run has spent, since one of three replicas may never get an
	// animal, or may know no getPet or have another default limit where only other listings disagreed.
	certainLooks = 4
)

// lookSteadily repeats the reads that disagreed. If one of them still lacks what it has to show, it repeats them after
// the time in which replicas with different lags may be the reason, until one lacks it then.
func lookSteadily(s *check.Sender) {
	all := flickers(s.History())
	if len(all) == 0 {
		return
	}
	if all[0].status != "" { // a replica that lacks animals lacks them whatever it is asked
		all = append([]flicker{{id: all[0].id, limit: strconv.Itoa(spec.MaxLimit)}}, all...)
	}
	if s.Getting() && !slices.ContainsFunc(all, func(f flicker) bool { return f.fetched }) {
		all = append(all, flicker{fetched: true, id: all[0].id})
	}
	looked := func(f flicker) bool {
		return slices.ContainsFunc(s.Sent("list-created"), func(x history.Exchange) bool { return strings.HasPrefix(x.Step, soonStep+f.kind()) })
	}
	all = append(all[:1], slices.DeleteFunc(all[1:], looked)...)
	left := s.Left()
	if !look(s, soonStep, all, 0, flicker.lacks) { // each place has caught up
		return
	}
	soon := left - s.Left()
	for _, f := range all {
		shown, _ := s.History().FirstShown(f.id)
		if newest := s.Newest(); newest.After(shown) { // a replica that stays one behind lacks no other
			shown = newest
		}
		if left := s.Patience - s.Since(shown); left > 0 {
			s.Waiting("an animal was shown, then not; replicas may lag", left)
			if !s.Wait(left) {
				return
			}
		}
	}
	if s.Deep && slices.ContainsFunc(all, func(f flicker) bool { return f.status != "" && f.limit == "" }) {
		// A replica may filter wrongly, or have another default limit. A quick run takes it for the first.
		all = slices.Insert(slices.DeleteFunc(all, func(f flicker) bool { return f.unlimited }), 1, flicker{unlimited: true})
	}
	look(s, steadyStep, all, soon, flicker.found)
}

// look sends each read some times, one after the other, until one ends it, and reports whether one did. A full run sends
// the first ones at once, since some faults show beside other reads alone. A quick run sends few beyond its size, besides
// those that were sent soon.
func look(s *check.Sender, step string, all []flicker, soon int, ends func(flicker, *history.History, history.Exchange) bool) bool {
	beyond := enoughLooks + soon
	for i, f := range all {
		most, atOnce := enoughLooks, 1
		if s.Deep && i == 0 {
			most, atOnce = enoughLooksDeep, pooled
		}
		aside := (f.fetched || f.unlimited && s.Deep) && len(all) > 1
		if aside {
			most, beyond = certainLooks, beyond+certainLooks
		}
		for n := 0; n < most && (s.Left() > -beyond || (i == 0 || aside) && n < certainLooks); n, atOnce = n+atOnce, 1 {
			var reads []check.Request
			for k := range atOnce {
				reads = append(reads, f.request(fmt.Sprint(step, f.kind(), "-", n+k+1)))
			}
			s.Together(reads...)
			if slices.ContainsFunc(s.Sent("list-created"), func(x history.Exchange) bool { return ends(f, s.History(), x) }) {
				return true
			}
		}
	}
	return false
}

func (f flicker) request(step string) check.Request {
	switch {
	case f.fetched:
		return check.Get(step, f.id)
	case f.unlimited:
		return check.List(step, check.Query{})
	}
	return check.List(step, check.Query{Limit: f.limit, Status: f.status})
}

// lacks reports whether a look of flickers lacks what others showed, however young it is. Listings without a limit may.
func (f flicker) lacks(h *history.History, x history.Exchange) bool {
	if !strings.HasPrefix(x.Step, soonStep+f.kind()) {
		return false
	}
	other := f.other != "" && hasRoom(h, x) && !check.Holds(x, f.other)
	return x.Status() != http.StatusOK || f.unlimited || other || len(owedBy(h, x)) > 0
}
