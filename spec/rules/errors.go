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
		one("error-media-type", "An error response declares application/json", "ERROR-1",
			func(x history.Exchange) bool { return failure(x) && len(x.Response.Body) > 0 }, // an empty body breaks ERROR-2
			history.Exchange.IsJSON, func(x history.Exchange) told {
				return told{fmt.Sprintf("the media type of a %d", x.Status()), "application/json", declared(x) + ": " + x.Excerpt()}
			}),
		// A body that is neither declared JSON nor JSON, like a page of HTML, breaks ERROR-1 alone.
		one("error-body", "An error response has the Error body", "ERROR-2",
			func(x history.Exchange) bool { return failure(x) && (x.IsJSON() || !unreadable(x)) }, isError, noError),
		one("error-status", "Error.status equals the HTTP status", "ERROR-3", errorShown, sameStatus, func(x history.Exchange) told {
			return told{"the status in the Error", fmt.Sprintf("%d, the HTTP status", x.Status()), fmt.Sprint(statusIn(x))}
		}),
		// A should: a 405 or 404 for a method or path that the interface does not name may come from a gateway.
		one("error-elsewhere", "Unnamed paths and methods have the Error body too", "ERROR-4",
			func(x history.Exchange) bool { return x.Operation == spec.Elsewhere && x.Answered() && x.IsError() },
			func(x history.Exchange) bool { return x.IsJSON() && isError(x) && sameStatus(x) }, noErrorElsewhere),
		one("error-words", "code and message are not empty", "ERROR-5", errorShown,
			func(x history.Exchange) bool { return emptyWord(x) == "" }, func(x history.Exchange) told {
				return told{"the " + emptyWord(x) + " of an Error", "a text that is not empty", history.KindOf(member(x, emptyWord(x)))}
			}),
		{ID: "error-codes", Title: "The values of code", Proves: []spec.ID{"ERROR-6"}, Observe: errorCodes},
		// GET /store/orders need not exist yet: the interface shows nothing of this endpoint.
		one("no-server-error", "No operation returns a 5xx", "ERROR-7", shown,
			func(x history.Exchange) bool { return x.Status() < 500 },
			func(x history.Exchange) told {
				return told{"the response to " + request(x), "no server error (5xx)", answer(x)}
			}),
	}
}

// notAnError says why a body is not an Error; "" if it is one.
func notAnError(x history.Exchange) (why string) {
	if len(x.Response.Body) == 0 {
		return "no body"
	}
	if x.Malformed != nil {
		return x.Malformed.Error()
	}
	var reasons []string
	for _, m := range spec.Match("Error", x.Value) {
		reasons = append(reasons, strings.TrimSpace(m.Member+" "+m.Reason))
	}
	status := member(x, "status")
	if _, exact := history.Int64(status); !exact && len(reasons) == 0 {
		return "status is " + history.KindOf(status) + ", not written as a whole number"
	}
	return strings.Join(reasons, ", ")
}

func isError(x history.Exchange) bool { return notAnError(x) == "" }

// errorShown reports whether x is an error response with an Error.
func errorShown(x history.Exchange) bool { return failure(x) && isError(x) }

// member is a member of the object that a response has, nil if it has none.
func member(x history.Exchange, name string) any {
	object, _ := x.Value.(map[string]any)
	return object[name]
}

func statusIn(x history.Exchange) int64 {
	n, _ := history.Int64(member(x, "status"))
	return n
}

func sameStatus(x history.Exchange) bool { return statusIn(x) == int64(x.Status()) }

// emptyWord is the first text of an Error that is empty, "" if none is.
func emptyWord(x history.Exchange) string {
	for _, name := range []string{"code", "message"} {
		if s, _ := member(x, name).(string); strings.TrimSpace(s) == "" {
			return name
		}
	}
	return ""
}

func noError(x history.Exchange) told {
	t := told{fmt.Sprintf("the body of a %d", x.Status()), "an Error: code and message as strings, status as an integer", x.Excerpt()}
	if len(x.Response.Body) > 0 {
		t.actual = notAnError(x) + ": " + t.actual
	}
	return t
}

func noErrorElsewhere(x history.Exchange) told {
	about := fmt.Sprintf("the %d to %s", x.Status(), request(x))
	switch why := notAnError(x); {
	case !x.IsJSON():
		return told{about, "application/json with an Error", declared(x)}
	case why != "":
		return told{about, "an Error", why}
	}
	return told{"the status in the Error to " + request(x), fmt.Sprintf("%d, the HTTP status", x.Status()), fmt.Sprint(statusIn(x))}
}

func errorCodes(h *history.History) (seen []verdict.Observation) {
	codes := map[int]map[string]bool{}
	for _, x := range h.All {
		if code, ok := member(x, "code").(string); ok && failure(x) {
			if codes[x.Status()] == nil {
				codes[x.Status()] = map[string]bool{}
			}
			codes[x.Status()][clip(code)] = true
		}
	}
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		seen = append(seen, verdict.Observation{Requirement: "ERROR-6", Key: fmt.Sprintf("code of a %d", status),
			Value: strings.Join(slices.Sorted(maps.Keys(codes[status])), ", ")})
	}
	return seen
}
