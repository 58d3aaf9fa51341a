package rules

import (
	"fmt"
	"net/http"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

func listingRules() []Rule {
	return []Rule{
		{ID: "listing-served", Title: "A listing that the interface allows is answered 200",
			Proves: []spec.ID{"LIST-1", "LIST-3", "LIST-6"}, Whole: listingServed},
		{ID: "bare-array", Title: "A listing is a bare array of Pet objects", Proves: []spec.ID{"LIST-2"}, Each: bareArray},
		atMost("limit-kept", "A listing has at most as many animals as its limit", "LIST-4"),
		atMost("default-limit-kept", "A listing without a limit has at most 20 animals", "LIST-5"),
		atMost("limit-maximum", "No listing has more than 100 animals", "LIST-12"),
		{ID: "filter-kept", Title: "A filtered listing has only animals with its status", Proves: []spec.ID{"LIST-7"}, Each: filterKept},
		{ID: "listing-unique-ids", Title: "No listing has an id twice", Proves: []spec.ID{"LIST-9"}, Each: uniqueInListing},
	}
}

// listingServed judges every listing with the key and nothing but a limit from 1 to 100 and a status of the
// enumeration, whatever it was sent for. The rules key-accepted and no-server-error judge a 401 and a 5xx, and a 403
// may be a ban of the key. If a limit is refused without a status too, only LIST-3 is broken.
func listingServed(h *history.History) (w Whole) {
	refusedAlone, pages := map[int]bool{}, 0
	for _, x := range h.All {
		if limit, _, _ := x.Listing(); mustServe(x) == "LIST-3" && x.Status() != http.StatusOK {
			refusedAlone[limit] = true
		}
	}
	for _, x := range h.All {
		id := mustServe(x)
		if id == "" {
			continue
		}
		w.Of++
		if x.Continues() {
			pages++
		}
		if limit, _, _ := x.Listing(); x.Status() != http.StatusOK && (id != "LIST-6" || !refusedAlone[limit]) {
			w.Broken = append(w.Broken, brokenStatus(id, "a listing that the interface allows: "+x.Request.Path, http.StatusOK, x))
		}
	}
	if pages > 0 {
		w.Evidence = fmt.Sprintf("held on %d of %d; %d named a next page, so that they may leave animals out",
			w.Of-len(w.Broken), w.Of, pages)
	}
	return w
}

// mustServe returns the requirement that a listing is answered 200; "" if another status is open or another rule's.
func mustServe(x history.Exchange) spec.ID {
	leftOut := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}
	_, status, plain := x.Listing()
	_, limited := x.Asked("limit")
	switch {
	case !plain || !x.Auth.Valid() || !x.Answered() || x.Status() >= 500 || slices.Contains(leftOut, x.Status()):
		return ""
	case status != "":
		return "LIST-6"
	case limited:
		return "LIST-3"
	}
	return "LIST-1"
}

// bareArray leaves another 2xx than 200, like 204 for an empty listing, to the rule listing-served.
func bareArray(x history.Exchange) Reading {
	if x.Operation != spec.ListPets || !x.Answered() || x.Status() != http.StatusOK || unreadable(x) {
		return notConcerned
	}
	elements, ok := x.Value.([]any)
	if !ok {
		return reading(broken("LIST-2", "the body of a listing", "a JSON array, [] when there is no animal", bodyKind(x)))
	}
	for i, e := range elements {
		if _, ok := e.(map[string]any); !ok {
			return reading(broken("LIST-2", fmt.Sprintf("element %d of a listing", i+1), "a Pet object", history.KindOf(e)))
		}
	}
	return reading()
}

func bodyKind(x history.Exchange) string {
	if len(x.Response.Body) == 0 {
		return "an empty body"
	}
	return history.KindOf(x.Value) + ": " + x.Excerpt()
}

// atMost is the rule on the length of the listings of which the requirement speaks. The first part of a body that is too
// large to be kept may show already that there are too many animals.
func atMost(id, title string, proves spec.ID) Rule {
	return one(id, title, proves,
		func(x history.Exchange) bool {
			by, _, _ := largest(x)
			n, large := x.AtLeast()
			return by == proves && (x.Len() >= 0 || large && n > spec.MaxLimit)
		},
		func(x history.Exchange) bool {
			_, most, _ := largest(x)
			return x.Len() >= 0 && x.Len() <= most
		},
		func(x history.Exchange) told {
			_, most, what := largest(x)
			got := spec.Count(x.Len(), "animal")
			if n, large := x.AtLeast(); large {
				got = fmt.Sprintf("at least %s, in the first part of a body that is too large", spec.Count(n, "animal"))
			}
			return told{"the length of " + what, "at most " + spec.Count(most, "animal"), got}
		})
}

// largest returns how many animals, or elements that are none, a listing may have, and the requirement that says so.
func largest(x history.Exchange) (by spec.ID, most int, what string) {
	text, limited := x.Asked("limit")
	switch n, inRange := x.Limit(); {
	case !limited:
		return "LIST-5", spec.DefaultLimit, "a listing without a limit"
	case inRange:
		return "LIST-4", n, "a listing with limit=" + text
	}
	return "LIST-12", spec.MaxLimit, "a listing with limit=" + clip(text)
}

// filterKept treats an animal without a status as one with the wrong status. A status outside the enumeration breaks
// PET-4.
func filterKept(x history.Exchange) Reading {
	asked, _ := x.Asked("status")
	want := spec.PetStatus(asked)
	pets, isList := x.Pets()
	if !want.Valid() || !isList {
		return notConcerned
	}
	for _, p := range pets {
		got, has := p.Status()
		if has && !got.Valid() || p.Has("status") && !has || got == want {
			continue
		}
		if !has {
			got = "no status"
		}
		return reading(broken("LIST-7", fmt.Sprintf("the status of animal %s under status=%s", p.ID, want), string(want), string(got)))
	}
	return reading()
}

func uniqueInListing(x history.Exchange) Reading {
	pets, ok := x.Pets()
	if !ok {
		return notConcerned
	}
	at := map[string]int{}
	for i, p := range pets {
		if first, again := at[p.ID]; again && p.ID != "" {
			return reading(broken("LIST-9", "the ids of a listing", "each id once",
				fmt.Sprintf("%s is the id of animals %d and %d", p.ID, first+1, i+1)))
		}
		at[p.ID] = i
	}
	return reading()
}
