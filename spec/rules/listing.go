package rules

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"petconform/spec"
	"petconform/spec/history"
)

func listingRules() []Rule {
	return []Rule{
		{ID: "listing-served", Title: "A listing that the interface allows is answered 200",
			Proves: []spec.ID{"LIST-1", "LIST-3", "LIST-6"}, Whole: listingServed},
		{ID: "bare-array", Title: "A listing is a bare array of Pet objects", Proves: []spec.ID{"LIST-2"}, Each: bareArray},
		{ID: "limit-kept", Title: "A listing has at most as many animals as its limit", Proves: []spec.ID{"LIST-4"}, Each: limitKept},
		{ID: "default-limit-kept", Title: "A listing without a limit has at most 20 animals", Proves: []spec.ID{"LIST-5"}, Each: defaultKept},
		{ID: "limit-maximum", Title: "No listing has more than 100 animals", Proves: []spec.ID{"LIST-12"}, Each: limitMaximum},
		{ID: "filter-kept", Title: "A filtered listing has only animals with its status", Proves: []spec.ID{"LIST-7"}, Each: filterKept},
		{ID: "listing-unique-ids", Title: "No listing has an id twice", Proves: []spec.ID{"LIST-9"}, Each: uniqueInListing},
	}
}

// listingServed judges every listing with the key and nothing but a limit from 1 to 100 and a status of the
// enumeration, whatever it was sent for. The rules key-accepted and no-server-error judge a 401 and a 5xx, and a 403
// may be a ban of the key. If a limit is refused without a status too, only LIST-3 is broken.
func listingServed(h *history.History) (w Whole) {
	refusedAlone := map[int]bool{}
	for _, x := range h.All {
		if id, allowed := allowedListing(x); allowed && id == "LIST-3" && x.Status() != http.StatusOK {
			limit, _, _ := x.Listing()
			refusedAlone[limit] = true
		}
	}
	pages := 0
	for _, x := range h.All {
		id, allowed := allowedListing(x)
		if !allowed {
			continue
		}
		w.Of++
		if x.Continues() {
			pages++
		}
		limit, _, _ := x.Listing()
		if x.Status() != http.StatusOK && (id != "LIST-6" || !refusedAlone[limit]) {
			f := brokenStatus(id, "a listing that the interface allows: "+x.Request.Path, http.StatusOK, x)
			f.Exchange = x.N
			w.Broken = append(w.Broken, f)
		}
	}
	if pages > 0 {
		w.Evidence = fmt.Sprintf("held on %d of %d; %d named a next page, so that they may leave animals out", w.Of-len(w.Broken), w.Of, pages)
	}
	return w
}

// allowedListing reports whether a listing has to be answered 200, and which requirement says so.
func allowedListing(x history.Exchange) (id spec.ID, allowed bool) {
	leftOut := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}
	if x.Operation != spec.ListPets || !x.Auth.Valid() || !x.Answered() || x.Status() >= 500 || slices.Contains(leftOut, x.Status()) {
		return "", false
	}
	_, status, plain := x.Listing()
	id = "LIST-1"
	if _, limited := x.Asked("limit"); limited {
		id = "LIST-3"
	}
	if status != "" {
		id = "LIST-6"
	}
	return id, plain
}

func bareArray(x history.Exchange) Reading {
	if x.Operation != spec.ListPets || !x.Answered() || x.Status()/100 != 2 {
		return notConcerned
	}
	// Another 2xx, like 204 for an empty listing, is left to the checks of LIST-1.
	if len(x.Response.Body) > 0 && x.Malformed != nil || x.Status() != 200 {
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

// asked returns the limit parameter of a listing; ok is false unless it was sent once and is within 1 to 100.
func asked(x history.Exchange) (limit int, ok bool) {
	text, has := x.Asked("limit")
	n, err := strconv.Atoi(text)
	return n, has && err == nil && n >= spec.MinLimit && n <= spec.MaxLimit && strconv.Itoa(n) == text
}

func limitKept(x history.Exchange) Reading {
	limit, ok := asked(x)
	n, words := length(x)
	if !ok || n < 0 {
		return notConcerned
	}
	if n > limit {
		return reading(broken("LIST-4", "the length of a listing", fmt.Sprintf("at most %s, the limit", spec.Count(limit, "animal")), words))
	}
	return reading()
}

// length is the number of elements in a listing, animals or not, or the number in its first part if the whole is too
// large to be kept and the part shows more than any limit allows. It is -1 for what is not a listing.
func length(x history.Exchange) (n int, words string) {
	if n := x.Len(); n >= 0 {
		return n, spec.Count(n, "animal")
	}
	if n, large := x.AtLeast(); large && n > spec.MaxLimit {
		return n, fmt.Sprintf("at least %s, in the first part of a body that is too large", spec.Count(n, "animal"))
	}
	return -1, ""
}

func defaultKept(x history.Exchange) Reading {
	n, words := length(x)
	if _, has := x.Asked("limit"); has || n < 0 {
		return notConcerned
	}
	if n > spec.DefaultLimit {
		return reading(broken("LIST-5", "the length of a listing without a limit", "at most 20 animals, the default", words))
	}
	return reading()
}

// limitMaximum judges limits outside 1 to 100. limitKept judges the others.
func limitMaximum(x history.Exchange) Reading {
	text, has := x.Asked("limit")
	n, words := length(x)
	if _, inRange := asked(x); !has || inRange || n < 0 {
		return notConcerned
	}
	if n > spec.MaxLimit {
		return reading(broken("LIST-12", "the length of a listing with limit="+clip(text), "at most 100 animals", words))
	}
	return reading()
}

func filter(x history.Exchange) (spec.PetStatus, bool) {
	s, _ := x.Asked("status")
	return spec.PetStatus(s), spec.PetStatus(s).Valid()
}

// filterKept treats an animal without a status as one with the wrong status. A status outside the enumeration breaks
// PET-4.
func filterKept(x history.Exchange) Reading {
	want, ok := filter(x)
	pets, isList := x.Pets()
	if !ok || !isList {
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
