package rules

import (
	"fmt"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

func transportRules() []Rule {
	return []Rule{
		{ID: "success-media-type", Title: "A success is declared application/json", Proves: []spec.ID{"SERVICE-1"}, Each: successMediaType},
		{ID: "success-json", Title: "The body of a success is well-formed JSON", Proves: []spec.ID{"SERVICE-2"}, Each: successJSON},
		{ID: "answered", Title: "Every request gets a complete HTTP response", Proves: []spec.ID{"SERVICE-3"}, Whole: answered},
		{ID: "unique-members", Title: "No object carries a member twice", Proves: []spec.ID{"SERVICE-4"}, Each: uniqueMembers},
		{ID: "base-path", Title: "The base address ends in v1", Proves: []spec.ID{"VERSION-1"}, Whole: basePath},
	}
}

func successMediaType(x history.Exchange) Reading {
	if !success(x) || len(x.Response.Body) == 0 {
		return beside
	}
	if !x.IsJSON() {
		return held(broken("SERVICE-1", "the media type of a success", "application/json", declared(x)))
	}
	return held()
}

// declared tells the Content-Type as it came.
func declared(x history.Exchange) string {
	if values := x.Response.Header.Values("Content-Type"); len(values) > 0 {
		return fmt.Sprintf("Content-Type: %s", clip(strings.Join(values, ", ")))
	}
	return "no Content-Type"
}

func successJSON(x history.Exchange) Reading {
	if !success(x) || len(x.Response.Body) == 0 {
		return beside
	}
	if x.Malformed != nil {
		return held(broken("SERVICE-2", "the body of a success", "one well-formed JSON value in UTF-8",
			fmt.Sprintf("%v: %s", x.Malformed, x.Excerpt())))
	}
	return held()
}

const (
	// oftenLost is how many connections a run may lose before the service, not the network, is to blame for it.
	oftenLost = 3
	// idleClose is how long a connection must have been idle for its end to be a matter of course: servers close such ones,
	// and a request may cross that on its way.
	idleClose = time.Second
)

// answered holds when each request got a complete response, at the latest when it was sent once more, and few had to be: a
// connection may be lost now and then. A time-out is not judged here, since the network may be its cause.
func answered(h *history.History) Whole {
	type key struct{ check, step string }
	later := map[key]int{}
	for _, x := range h.All {
		if x.Response != nil && x.Failure == nil {
			later[key{x.Check, x.Step}] = x.N
		}
	}
	w := Whole{}
	var lost []verdict.Finding
	for _, x := range h.All {
		w.Of++
		if x.Failure == nil {
			continue
		}
		switch x.Failure.Kind {
		case exchange.Closed, exchange.NotHTTP, exchange.Undecodable:
			f := broken("SERVICE-3", fmt.Sprintf("the answer to %s %s", x.Request.Method, x.Request.Path),
				"a complete HTTP response", fmt.Sprintf("%s: %s", x.Failure.Kind, clip(x.Failure.Detail)))
			f.Exchange = x.N
			switch {
			case later[key{x.Check, x.Step}] < x.N:
				w.Broken = append(w.Broken, f)
			case (!x.Reused || x.Idle < idleClose) && alone(h, x):
				lost = append(lost, f)
			}
		}
	}
	if len(lost) >= oftenLost {
		w.Broken = append(w.Broken, lost...)
	}
	return w
}

// alone says whether no other request was under way when x was sent: a service may take only so many connections at once.
func alone(h *history.History, x history.Exchange) bool {
	for _, y := range h.All {
		if y.N != x.N && y.Sent.Before(x.Ended()) && x.Sent.Before(y.Ended()) {
			return false
		}
	}
	return true
}

func uniqueMembers(x history.Exchange) Reading {
	if !x.Answered() || x.Malformed != nil {
		return beside
	}
	if x.Twice != "" {
		return held(broken("SERVICE-4", "the members of an object in the body", "each at most once", fmt.Sprintf("%q stands twice", clip(x.Twice))))
	}
	return held()
}
