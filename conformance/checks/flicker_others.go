package checks

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// Animals of other clients flicker where a listing lacks what listings before and after it show. One that only earlier
// listings show may be gone.

// sighting says between which listings an animal of another client was shown, and with which status; "" if it changed.
type sighting struct {
	first, last time.Time
	status      spec.PetStatus
}

func sightings(h *history.History) map[string]sighting {
	ours, all := createdIDs(h), map[string]sighting{}
	for _, x := range h.All {
		for _, p := range petsIn([]history.Exchange{x}) {
			if p.ID == "" || ours[p.ID] {
				continue
			}
			status, _ := p.Status()
			seen, known := all[p.ID]
			if !known || x.Ended().Before(seen.first) {
				seen.first = x.Ended()
			}
			if x.Sent.After(seen.last) {
				seen.last = x.Sent
			}
			if seen.status = status; known && all[p.ID].status != status {
				seen.status = ""
			}
			all[p.ID] = seen
		}
	}
	return all
}

// flickering returns the ids of the sighted animals that a listing with room lacks, the first one first.
func flickering(h *history.History, x history.Exchange, all map[string]sighting) []string {
	if !x.Auth.Valid() || x.Len() < 0 || !hasRoom(h, x) {
		return nil
	}
	status, filtered := x.Asked("status")
	lacked := func(id string) bool {
		s := all[id]
		return s.first.Before(x.Sent) && s.last.After(x.Ended()) && (!filtered || string(s.status) == status) && !check.Holds(x, id)
	}
	ids := keepIf(slices.Sorted(maps.Keys(all)), lacked)
	slices.SortStableFunc(ids, func(a, b string) int { return all[a].first.Compare(all[b].first) })
	return ids
}

// otherFlickers returns the id of the animal that was shown first of those that flicker; "" if none does.
func otherFlickers(h *history.History) string {
	all, first := sightings(h), ""
	for _, x := range h.All {
		for _, id := range flickering(h, x, all) {
			if first == "" || all[id].first.Before(all[first].first) {
				first = id
			}
		}
	}
	return first
}

// unsteadyOther returns the id of an animal of another client that a listing lacks, although it is older than the
// patience; "" if there is none.
func unsteadyOther(h *history.History, x history.Exchange) string {
	all := sightings(h)
	id, _ := firstOf(flickering(h, x, all), func(id string) bool { return !h.MayLag(x, all[id].first) })
	return id
}

// judgeSteadyOthers judges the listings of lookSteadily by the animals of other clients.
func judgeSteadyOthers(j *check.Judge) {
	looks := j.Steps(steadyStep + flicker{}.kind())
	wrong := keepIf(looks, func(x history.Exchange) bool { return unsteadyOther(j.History, x) != "" })
	if len(wrong) == 0 {
		return
	}
	x, id := wrong[0], unsteadyOther(j.History, wrong[0])
	j.Expect("LIST-11", x, check.That(false, fmt.Sprintf("animal %s, which listings before and after it show, in each", id),
		fmt.Sprintf("%d of the %d lack animals that others show", len(wrong), len(looks))),
		"%s, sent %d times one after the other", x.Request.Path, len(looks))
}
