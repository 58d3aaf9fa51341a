package rules

import (
	"fmt"
	"net/http"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

var listingRules = []Rule{
	whole("listing-served", "A listing that the interface allows is answered 200", listingServed, "LIST-1", "LIST-3", "LIST-6"),
	// Another 2xx than 200, like 204 for an empty listing, breaks LIST-1.
	One("bare-array", "A listing is a bare array of Pet objects", "LIST-2", func(x history.Exchange) bool {
		return x.Operation == spec.ListPets && x.Answered() && x.Status() == http.StatusOK && !unreadable(x)
	}, "the body of a listing", "a JSON array of Pet objects, [] when there is no animal", noArray),
	atMost("limit-kept", "A listing has at most as many animals as its limit", "LIST-4"),
	atMost("default-limit-kept", "A listing without a limit has at most 20 animals", "LIST-5"),
	atMost("limit-maximum", "No listing has more than 100 animals", "LIST-12"),
	One("filter-kept", "A filtered listing has only animals with its status", "LIST-7",
		func(x history.Exchange) bool { return filter(x).Valid() && x.Len() >= 0 },
		"the status of the animals in {request}", "the status that was asked for", otherwise),
	One("listing-unique-ids", "No listing has an id twice", "LIST-9", func(x history.Exchange) bool { return x.Len() >= 0 },
		"the ids of a listing", "each id once", repeated),
}

// listingServed judges every listing with the key and nothing but a limit from 1 to 100 and a status of the
// enumeration, whatever it was sent for. If a limit is refused without a status too, only LIST-3 is broken.
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
			w.wants(http.StatusOK, x, id, "a listing that the interface allows: "+x.Request.Path)
		}
	}
	if pages > 0 {
		w.Evidence = fmt.Sprintf("passed on %d of %d; %d named a next page, so that they may leave animals out",
			w.Of-len(w.Broken), w.Of, pages)
	}
	return w
}

// mustServe returns the requirement that a listing is answered 200; "" if another status is open or another rule's. The
// rules key-accepted and no-server-error judge a 401 and a 5xx, and a 403 may be a ban of the key.
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

func noArray(x history.Exchange) string {
	if x.Value.Kind != '[' {
		return bodyKind(x)
	}
	for i, e := range x.Value.Elements {
		if e.Kind != '{' {
			return fmt.Sprintf("element %d is %s", i+1, history.KindOf(e))
		}
	}
	return ""
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
	return each(id, title, func(x history.Exchange, w *Whole) {
		by, most, of := largest(x)
		n, whole := x.AtLeast()
		if by != proves || n < 0 || n <= most && !whole {
			return
		}
		got := spec.Count(n, "animal")
		if !whole {
			got = "at least " + got + ", in the first part of a body that is too large"
		}
		if w.Of++; n > most {
			w.Breaks(x, proves, "the length of a listing"+of, "at most "+spec.Count(most, "animal"), got)
		}
	}, proves)
}

// largest returns how many animals, or elements that are none, a listing may have, and the requirement that says so.
func largest(x history.Exchange) (by spec.ID, most int, of string) {
	text, limited := x.Asked("limit")
	switch n, inRange := x.Limit(); {
	case !limited:
		return "LIST-5", spec.DefaultLimit, " without a limit"
	case inRange:
		return "LIST-4", n, " with limit=" + text
	}
	return "LIST-12", spec.MaxLimit, " with limit=" + clip(text)
}

func filter(x history.Exchange) spec.PetStatus {
	s, _ := x.Asked("status")
	return spec.PetStatus(s)
}

// otherwise is the first animal that a filtered listing must not show, "" if there is none. One without a status has the
// wrong one. A status outside the enumeration breaks PET-4.
func otherwise(x history.Exchange) string {
	pets, _ := x.Pets()
	for _, p := range pets {
		if got, _ := p.Status(); !p.Has("status") {
			return "no status of animal " + p.ID
		} else if got.Valid() && got != filter(x) {
			return fmt.Sprintf("%s, of animal %s", got, p.ID)
		}
	}
	return ""
}

// repeated is the first id that a listing has twice, "" if there is none.
func repeated(x history.Exchange) string {
	pets, _ := x.Pets()
	at := map[string]int{}
	for i, p := range pets {
		if first, again := at[p.ID]; again && p.ID != "" {
			return fmt.Sprintf("%s is the id of animals %d and %d", p.ID, first+1, i+1)
		}
		at[p.ID] = i
	}
	return ""
}
