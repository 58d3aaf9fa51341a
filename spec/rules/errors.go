package rules

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

var errorRules = []Rule{
	One("error-media-type", "An error response declares application/json", "ERROR-1",
		func(x history.Exchange) bool { return failure(x) && len(x.Response.Body) > 0 }, // an empty body breaks ERROR-2
		"the media type of a {status}", "application/json", Unless(history.Exchange.IsJSON,
			func(x history.Exchange) string { return declared(x) + ": " + x.Excerpt() })),
	// A body that is neither declared JSON nor JSON, like a page of HTML, breaks ERROR-1 alone.
	One("error-body", "An error response has the Error body", "ERROR-2",
		func(x history.Exchange) bool { return failure(x) && (x.IsJSON() || !unreadable(x)) },
		"the body of a {status}", "an Error: code and message as strings, status as an integer", noError),
	One("error-status", "Error.status equals the HTTP status", "ERROR-3", errorShown,
		"the status in the Error", "{status}, the HTTP status", otherStatus),
	// A should: a 405 or 404 for a method or path that the interface does not name may come from a gateway.
	One("error-elsewhere", "Unnamed paths and methods have the Error body too", "ERROR-4",
		func(x history.Exchange) bool { return x.Operation == spec.Elsewhere && x.Answered() && x.IsError() },
		"the {status} to {request}", "application/json with an Error of this status", func(x history.Exchange) string {
			return cmp.Or(Unless(history.Exchange.IsJSON, declared)(x), notAnError(x), otherStatus(x))
		}),
	One("error-words", "code and message are not empty", "ERROR-5", errorShown,
		"the words of an Error", "texts that are not empty", emptyWord),
	observed("error-codes", "The values of code", errorCodes, "ERROR-6"),
	// GET /store/orders need not exist yet: the interface shows nothing of this endpoint.
	One("no-server-error", "No operation returns a 5xx", "ERROR-7", shown, "the response to {request}", "no server error (5xx)",
		Unless(func(x history.Exchange) bool { return x.Status() < 500 }, answer)),
}

func noError(x history.Exchange) string {
	why := notAnError(x)
	if why != "" && len(x.Response.Body) > 0 {
		return why + ": " + x.Excerpt()
	}
	return why
}

// notAnError says why a body is not an Error; "" if it is one.
func notAnError(x history.Exchange) string {
	switch {
	case len(x.Response.Body) == 0:
		return x.Excerpt()
	case x.Malformed != nil:
		return x.Malformed.Error()
	case x.Value.Kind != '{':
		return "must be an object"
	}
	var reasons []string
	for _, name := range []string{"code", "message", "status"} {
		v := x.Value.Member(name)
		_, whole := history.Int64(v)
		switch {
		case v.Kind == 0:
			reasons = append(reasons, name+" is missing")
		case name == "status" && !whole:
			reasons = append(reasons, "status must be an integer")
		case name != "status" && v.Kind != '"':
			reasons = append(reasons, name+" must be a string")
		}
	}
	return strings.Join(reasons, ", ")
}

func errorShown(x history.Exchange) bool { return failure(x) && notAnError(x) == "" }

// otherStatus is the status in an Error if it is not the HTTP status, else "".
func otherStatus(x history.Exchange) string {
	n, _ := history.Int64(x.Value.Member("status"))
	if n == int64(x.Status()) {
		return ""
	}
	return fmt.Sprint("status ", n)
}

// emptyWord is the first text of an Error that is empty, "" if none is.
func emptyWord(x history.Exchange) string {
	for _, name := range []string{"code", "message"} {
		if word := x.Value.Member(name); strings.TrimSpace(word.Text) == "" {
			return name + " is " + history.KindOf(word)
		}
	}
	return ""
}

func errorCodes(h *history.History) (seen []verdict.Observation) {
	codes := map[int][]string{}
	for _, x := range h.All {
		if code := x.Value.Member("code"); code.Kind == '"' && failure(x) {
			codes[x.Status()] = spec.With(codes[x.Status()], clip(code.Text))
		}
	}
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		slices.Sort(codes[status])
		seen = append(seen, verdict.Observation{Requirement: "ERROR-6", Key: fmt.Sprintf("code of a %d", status),
			Value: strings.Join(codes[status], ", ")})
	}
	return seen
}

var keyRules = []Rule{
	{ID: "key-accepted", Title: "The key is accepted by every operation", Proves: []spec.ID{"AUTH-1"},
		Whole: keyAccepted, OfKey: true},
	One("challenge", "A 401 names its scheme", "AUTH-7",
		func(x history.Exchange) bool { return failure(x) && x.Status() == http.StatusUnauthorized },
		"the challenge of a 401", "WWW-Authenticate: Bearer", otherScheme),
}

// keyAccepted finds a 401 to the key. The interface does not show what GET /store/orders answers to a valid key, nor what
// a banned key is answered, so a 401 after a 429 may be a ban (Limits / Rate limits by plan, rule 4).
func keyAccepted(h *history.History) (w Whole) {
	limited := false
	for _, x := range h.All {
		refused := x.Status() == http.StatusUnauthorized
		limited = limited || x.Auth.Valid() && x.Limited()
		if !x.Auth.Valid() || !shown(x) || refused && limited {
			continue
		}
		if w.Of++; refused {
			w.Breaks(x, "AUTH-1", string(x.Operation)+" with the key as a bearer token", "a response other than 401", answer(x))
		}
	}
	return w
}

// otherScheme is the challenge of a 401 that lacks Bearer. It may offer several schemes, in one field or in several.
func otherScheme(x history.Exchange) string {
	offers := strings.Join(x.Response.Header.Values("WWW-Authenticate"), ", ")
	switch {
	case strings.Contains(strings.ToLower(offers), "bearer"):
		return ""
	case offers == "":
		return "no WWW-Authenticate"
	}
	return "WWW-Authenticate: " + clip(offers)
}
