package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

func errorRules() []Rule {
	return []Rule{
		{ID: "error-media-type", Title: "An error response declares application/json", Proves: []spec.ID{"ERROR-1"}, Each: errorMediaType},
		{ID: "error-body", Title: "An error response has the Error body", Proves: []spec.ID{"ERROR-2"}, Each: errorBody},
		{ID: "error-status", Title: "Error.status equals the HTTP status", Proves: []spec.ID{"ERROR-3"}, Each: errorStatus},
		{ID: "error-elsewhere", Title: "Unnamed paths and methods have the Error body too", Proves: []spec.ID{"ERROR-4"}, Each: errorElsewhere},
		{ID: "error-words", Title: "code and message are not empty", Proves: []spec.ID{"ERROR-5"}, Each: errorWords},
		{ID: "error-codes", Title: "The values of code", Proves: []spec.ID{"ERROR-6"}, Observe: errorCodes},
		{ID: "no-server-error", Title: "No operation returns a 5xx", Proves: []spec.ID{"ERROR-7"}, Each: noServerError},
	}
}

func errorMediaType(x history.Exchange) Reading {
	if !failure(x) || len(x.Response.Body) == 0 { // an empty body breaks ERROR-2
		return notConcerned
	}
	if !x.IsJSON() {
		return reading(broken("ERROR-1", fmt.Sprintf("the media type of a %d", x.Status()), "application/json", declared(x)+": "+x.Excerpt()))
	}
	return reading()
}

// errorBody judges a body that is declared JSON or is JSON. Any other body, like a page of HTML, breaks ERROR-1 alone.
func errorBody(x history.Exchange) Reading {
	if !failure(x) || len(x.Response.Body) > 0 && !x.IsJSON() && x.Malformed != nil {
		return notConcerned
	}
	if why, ok := notAnError(x); !ok {
		actual := x.Excerpt()
		if len(x.Response.Body) > 0 {
			actual = why + ": " + actual
		}
		return reading(broken("ERROR-2", fmt.Sprintf("the body of a %d", x.Status()),
			"an Error: code and message as strings, status as an integer", actual))
	}
	return reading()
}

// notAnError says why a body is not an Error.
func notAnError(x history.Exchange) (why string, ok bool) {
	if len(x.Response.Body) == 0 {
		return "no body", false
	}
	if x.Malformed != nil {
		return x.Malformed.Error(), false
	}
	if wrong := spec.Match("Error", x.Value); len(wrong) > 0 {
		reasons := make([]string, 0, len(wrong))
		for _, m := range wrong {
			reasons = append(reasons, strings.TrimSpace(m.Member+" "+m.Reason))
		}
		return strings.Join(reasons, ", "), false
	}
	status := x.Value.(map[string]any)["status"]
	if _, exact := history.Int64(status); !exact {
		return "status is " + history.KindOf(status) + ", not written as a whole number", false
	}
	return "", true
}

func errorStatus(x history.Exchange) Reading {
	if !failure(x) || x.Malformed != nil {
		return notConcerned
	}
	if _, ok := notAnError(x); !ok {
		return notConcerned
	}
	got, _ := history.Int64(x.Value.(map[string]any)["status"])
	if got != int64(x.Status()) {
		return reading(broken("ERROR-3", "the status in the Error", fmt.Sprintf("%d, the HTTP status", x.Status()), fmt.Sprintf("%d", got)))
	}
	return reading()
}

// errorElsewhere judges a should: a 405 or 404 for a method or path that the interface does not name may come from a
// gateway.
func errorElsewhere(x history.Exchange) Reading {
	if x.Operation != spec.Elsewhere || !x.Answered() || !x.IsError() {
		return notConcerned
	}
	if !x.IsJSON() {
		return reading(broken("ERROR-4", fmt.Sprintf("the %d to %s %s", x.Status(), x.Request.Method, x.Request.Path),
			"application/json with an Error", declared(x)))
	}
	if why, ok := notAnError(x); !ok {
		return reading(broken("ERROR-4", fmt.Sprintf("the %d to %s %s", x.Status(), x.Request.Method, x.Request.Path), "an Error", why))
	}
	if got, _ := history.Int64(x.Value.(map[string]any)["status"]); got != int64(x.Status()) {
		return reading(broken("ERROR-4", fmt.Sprintf("the status in the Error to %s %s", x.Request.Method, x.Request.Path),
			fmt.Sprintf("%d, the HTTP status", x.Status()), fmt.Sprintf("%d", got)))
	}
	return reading()
}

func errorWords(x history.Exchange) Reading {
	if !failure(x) || x.Malformed != nil {
		return notConcerned
	}
	if _, ok := notAnError(x); !ok {
		return notConcerned
	}
	for _, member := range []string{"code", "message"} {
		if s, _ := x.Value.(map[string]any)[member].(string); strings.TrimSpace(s) == "" {
			return reading(broken("ERROR-5", "the "+member+" of an Error", "a text that is not empty", history.KindOf(s)))
		}
	}
	return reading()
}

func errorCodes(h *history.History) []verdict.Observation {
	codes := map[int]map[string]bool{}
	for _, x := range h.All {
		if !failure(x) || x.Malformed != nil {
			continue
		}
		object, _ := x.Value.(map[string]any)
		code, ok := object["code"].(string)
		if !ok {
			continue
		}
		if codes[x.Status()] == nil {
			codes[x.Status()] = map[string]bool{}
		}
		codes[x.Status()][clip(code)] = true
	}
	var seen []verdict.Observation
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		seen = append(seen, verdict.Observation{Requirement: "ERROR-6", Key: fmt.Sprintf("code of a %d", status),
			Value: strings.Join(slices.Sorted(maps.Keys(codes[status])), ", ")})
	}
	return seen
}

// noServerError leaves out GET /store/orders. The interface shows nothing of this endpoint, so it need not exist yet.
func noServerError(x history.Exchange) Reading {
	if !x.Answered() || !x.Named() || x.Operation == spec.StoreOrders {
		return notConcerned
	}
	if x.Status() >= 500 {
		return reading(broken("ERROR-7", fmt.Sprintf("the response to %s %s", x.Request.Method, x.Request.Path),
			"no server error (5xx)", fmt.Sprintf("%d: %s", x.Status(), x.Excerpt())))
	}
	return reading()
}
