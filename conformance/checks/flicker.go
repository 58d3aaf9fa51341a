package checks

import (
	"fmt"
	"maps"
	"strconv"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// steadyLooks is the number of listings after one that flickered, so that a fault of every eighth listing shows.
const steadyLooks = 8

const steadyStep = "steady-"

// lookSteadily repeats a listing, in a run in which a listing flickered, after the time in which replicas with different lags may
// be the reason.
func lookSteadily(s *check.Sender) {
	if !flickered(s.History()) {
		return
	}
	if left := s.Config.Patience - s.Since(s.Newest()); left > 0 {
		s.Waiting("an animal was listed, then not, then again; replicas may lag", left)
		if !s.Wait(left) {
			return
		}
	}
	for i := range steadyLooks {
		s.List(fmt.Sprint(steadyStep, i+1), check.Limit(spec.MaxLimit))
	}
}

// judgeSteady judges the listings of lookSteadily (LIST-11).
func judgeSteady(j *check.Judge) {
	looks := j.Steps(steadyStep)
	missing := func(x history.Exchange) []history.Creation {
		return leftOut(x, spec.MaxLimit, createdBefore(j.History, x))
	}
	wrong := keepIf(looks, func(x history.Exchange) bool { return len(missing(x)) > 0 })
	if len(wrong) == 0 {
		return
	}
	x, c := wrong[0], missing(wrong[0])[0]
	j.Expect("LIST-11", x, check.That(false, fmt.Sprintf("animal %s, created by exchange %d, in each", c.Answered.ID, c.Exchange.N),
		fmt.Sprintf("%d of the %d lack an animal; this one has %d animals without it", len(wrong), len(looks), x.Len())),
		"%d listings one after the other, with limit=%d", len(looks), spec.MaxLimit)
	j.DependsOn(c)
}

// flickered reports whether an unfiltered listing with room lacks an animal that listings before and after it show.
func flickered(h *history.History) bool {
	listings := keepIf(h.All, func(x history.Exchange) bool {
		_, filtered := x.Asked("status")
		return !filtered && x.Len() >= 0
	})
	ids := make([]map[string]bool, len(listings)) // sets, since a page may be long
	for i := range listings {
		ids[i] = map[string]bool{}
		for _, p := range petsIn(listings[i : i+1]) {
			ids[i][p.ID] = p.ID != ""
		}
	}
	for i, x := range listings {
		if !hasRoom(x) {
			continue
		}
		before, after := map[string]bool{}, map[string]bool{}
		for k, y := range listings {
			if y.Ended().Before(x.Sent) {
				maps.Copy(before, ids[k])
			} else if y.Sent.After(x.Ended()) {
				maps.Copy(after, ids[k])
			}
		}
		for id := range before {
			if before[id] && after[id] && !ids[i][id] {
				return true
			}
		}
	}
	return false
}

// hasRoom reports whether a listing is certainly not full. The default limit of the target is not known here, so a page without a
// limit has room for sure only if it is empty.
func hasRoom(x history.Exchange) bool {
	asked, _ := x.Asked("limit")
	limit, _ := strconv.Atoi(asked)
	return x.Len() < max(1, limit) && !x.Continues() && !anonymous(x)
}
