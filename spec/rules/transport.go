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
		{ID: "success-media-type", Title: "A successful response declares application/json", Proves: []spec.ID{"SERVICE-1"}, Each: successMediaType},
		{ID: "success-json", Title: "The body of a successful response is well-formed JSON", Proves: []spec.ID{"SERVICE-2"}, Each: successJSON},
		{ID: "answered", Title: "Every request gets a complete HTTP response", Proves: []spec.ID{"SERVICE-3"}, Whole: answered},
		{ID: "unique-members", Title: "No JSON object has a member twice", Proves: []spec.ID{"SERVICE-4"}, Each: uniqueMembers},
		{ID: "encoding-asked-for", Title: "No body has a Content-Encoding that was not asked for", Proves: []spec.ID{"SERVICE-7"}, Each: encodingAskedFor},
		{ID: "base-path", Title: "The base address ends in v1", Proves: []spec.ID{"VERSION-1"}, Whole: basePath},
	}
}

// encodingAskedFor: a body that was not asked for in its encoding is read by no client that does not know the encoding.
// What it says is not judged.
func encodingAskedFor(x history.Exchange) Reading {
	if x.Response == nil || !x.Named() {
		return notConcerned
	}
	if x.Failure != nil && x.Failure.Kind == exchange.Unasked {
		return reading(broken("SERVICE-7", "the Content-Encoding of a response", "gzip, which was asked for, or none", clip(x.Failure.Detail)))
	}
	return reading()
}

func successMediaType(x history.Exchange) Reading {
	if !success(x) || len(x.Response.Body) == 0 {
		return notConcerned
	}
	if !x.IsJSON() {
		return reading(broken("SERVICE-1", "the media type of a success", "application/json", declared(x)))
	}
	return reading()
}

// declared returns the Content-Type of a response for a finding.
func declared(x history.Exchange) string {
	if values := x.Response.Header.Values("Content-Type"); len(values) > 0 {
		return fmt.Sprintf("Content-Type: %s", clip(strings.Join(values, ", ")))
	}
	return "no Content-Type"
}

func successJSON(x history.Exchange) Reading {
	if !success(x) || len(x.Response.Body) == 0 {
		return notConcerned
	}
	if x.Malformed != nil {
		return reading(broken("SERVICE-2", "the body of a success", "one well-formed JSON value in UTF-8",
			fmt.Sprintf("%v: %s", x.Malformed, x.Excerpt())))
	}
	return reading()
}

// oftenLost is the number of lost connections from which the service, not the network, is taken to be the cause.
const oftenLost = 3

// answered holds when every request got a complete response, at the latest when it was sent again, and fewer than
// oftenLost connections were lost. Lost connections that had all been used before break nothing: a server may close
// them at any time. Each request has a connection of its own after two of them, so a service that loses requests loses
// one of those too. It does not judge time-outs and connections that are refused, since the network may be their cause:
// they are not among the requests on which it held.
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
	usedBefore := true
	for _, x := range h.All {
		if x.Failure == nil {
			w.Of++
			continue
		}
		switch x.Failure.Kind {
		case exchange.Closed, exchange.NotHTTP, exchange.Undecodable:
			f := broken("SERVICE-3", fmt.Sprintf("the response to %s %s", x.Request.Method, x.Request.Path),
				"a complete HTTP response", incomplete(x))
			f.Exchange = x.N
			switch {
			case beginsOutage(h, x):
			case later[key{x.Check, x.Step}] < x.N && !x.ReusedClosed():
				w.Broken = append(w.Broken, f)
			case alone(h, x):
				lost = append(lost, f)
				usedBefore = usedBefore && x.ReusedClosed()
			}
		}
	}
	if len(lost) >= oftenLost && !usedBefore {
		w.Broken = append(w.Broken, lost...)
	}
	w.Of += len(w.Broken)
	if n, last := outages(h); n >= oftenOut {
		f := broken("SERVICE-3", "the responses of the run", fmt.Sprintf("fewer than %d outages", oftenOut),
			fmt.Sprintf("%d outages: requests got no response, or 502, 503 or 504 without Retry-After, and later requests were answered", n))
		f.Exchange = last
		w.Broken = append(w.Broken, f)
	}
	return w
}

// incomplete says what is wrong with a response. It replaces Go's EOF by words.
func incomplete(x history.Exchange) string {
	detail := clip(x.Failure.Detail)
	switch {
	case x.Failure.Kind == exchange.Closed && x.Response == nil:
		return "the connection was closed without a response: " + detail
	case x.Failure.Kind == exchange.Closed:
		return "the connection was closed in the middle of the response: " + detail
	}
	return fmt.Sprintf("%s: %s", x.Failure.Kind, detail)
}

// oftenOut is how many outages a run may have before they are a fault of the service. A restart or a deployment is one.
const oftenOut = 4

// outages returns the number of outages of a run, each of which ends with a response to a request that was sent after
// it began, and the last exchange of an outage. A response with Retry-After is none: a gateway may shed load, and says
// when to come back.
func outages(h *history.History) (n, last int) {
	out := map[int]bool{}
	for _, x := range h.Outages() {
		announced := false
		if x.Response != nil {
			_, announced = exchange.RetryAfter(x.Response.Header, x.Received())
		}
		out[x.N] = !announced
	}
	var began time.Time
	failed := 0
	for _, x := range h.All {
		switch {
		case out[x.N]:
			if failed = x.N; began.IsZero() {
				began = x.Ended()
			}
		case x.Answered() && !began.IsZero() && x.Sent.After(began):
			n, last, began = n+1, failed, time.Time{}
		}
	}
	return n, last
}

// beginsOutage reports whether an outage followed a lost connection before any request was answered.
func beginsOutage(h *history.History, x history.Exchange) bool {
	for _, y := range h.All {
		switch {
		case y.N <= x.N:
		case y.Failure != nil && y.Failure.Kind == exchange.Outage:
			return true
		case y.Answered() && y.Sent.After(x.Ended()):
			return false
		}
	}
	return false
}

// alone reports whether no other request was in flight together with x, since a service may limit the number of its
// connections.
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
		return notConcerned
	}
	if x.Twice != "" {
		return reading(broken("SERVICE-4", "the members of an object in the body", "each member at most once",
			fmt.Sprintf("%q twice", clip(x.Twice))))
	}
	return reading()
}
