package rules

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"petconform/spec/exchange"
	"petconform/spec/history"
)

var transportRules = []Rule{
	One("success-media-type", "A successful response declares application/json", "SERVICE-1", hasBody,
		"the media type of a success", "application/json", Unless(history.Exchange.IsJSON, declared)),
	One("success-json", "The body of a successful response is well-formed JSON", "SERVICE-2", hasBody,
		"the body of a success", "one well-formed JSON value in UTF-8", Unless(wellFormed,
			func(x history.Exchange) string { return fmt.Sprintf("%v: %s", x.Malformed, x.Excerpt()) })),
	whole("answered", "Every request gets a complete HTTP response", answered, "SERVICE-3"),
	One("unique-members", "No JSON object has a member twice", "SERVICE-4",
		func(x history.Exchange) bool { return x.Answered() && wellFormed(x) },
		"the members of an object in the body", "each member at most once", Unless(
			func(x history.Exchange) bool { return x.Twice == "" },
			func(x history.Exchange) string { return fmt.Sprintf("%q twice", clip(x.Twice)) })),
	// No client that does not know the encoding reads the body, so what it says is not judged.
	One("encoding-asked-for", "No body has a Content-Encoding that was not asked for", "SERVICE-7", responds,
		"the Content-Encoding of a response", "gzip, which was asked for, or none", Unless(
			func(x history.Exchange) bool { return x.Failure == nil || x.Failure.Kind != exchange.Unasked },
			func(x history.Exchange) string { return clip(x.Failure.Detail) })),
	whole("base-path", "The base address ends in v1", basePath, "VERSION-1"),
}

func hasBody(x history.Exchange) bool { return success(x) && len(x.Response.Body) > 0 }

func wellFormed(x history.Exchange) bool { return x.Malformed == nil }

func declared(x history.Exchange) string {
	if values := x.Response.Header.Values("Content-Type"); len(values) > 0 {
		return fmt.Sprintf("Content-Type: %s", clip(strings.Join(values, ", ")))
	}
	return "no Content-Type"
}

func basePath(h *history.History) Whole {
	u, err := url.Parse(h.Meta.Target)
	if err != nil || h.Meta.Target == "" {
		return Whole{Unknown: "the recording names no target"}
	}
	w := Whole{Of: 1}
	if path.Base(strings.TrimRight(u.Path, "/")) != "v1" {
		w.Breaks(history.Exchange{}, "VERSION-1", "the base address", "a path that ends in /v1", clip(h.Meta.Target))
	}
	return w
}

var incompleteKinds = []exchange.Kind{exchange.Closed, exchange.NotHTTP, exchange.Undecodable}

// The service, not the network, is taken to be the cause if at least oftenLost responses were incomplete, or if oftenLost
// connections, and one for every lostOf requests, closed before a response.
const oftenLost, lostOf = 3, 40

// answered holds when every request got a complete response, at the latest when it was sent again, and few connections
// were lost, as oftenLost and lostOf say. Lost connections that had all been used before break nothing: a server may close
// them at any time. Each request has a connection of its own after one of them, so a service that loses requests loses
// one of those too. It does not judge time-outs and connections that are refused, since the network may be their cause:
// they are not among the requests on which it held.
func answered(h *history.History) (w Whole) {
	var lost Whole
	fresh := false // a connection was lost that had not been used before
	begun := 0     // lost responses of which something had come
	for _, x := range h.All {
		switch {
		case x.Failure == nil:
			w.Of++
			continue
		case !slices.Contains(incompleteKinds, x.Failure.Kind), beginsOutage(h, x):
			continue
		}
		into := &w
		again := slices.ContainsFunc(h.OfRow(x.Check, x.Step), func(y history.Exchange) bool { return y.Answered() && y.N > x.N })
		if again || x.ReusedClosed() {
			if into = &lost; !alone(h, x) {
				continue
			}
			if fresh = fresh || !x.ReusedClosed(); x.Failure.Kind != exchange.Closed || x.Response != nil {
				begun++
			}
		}
		into.Breaks(x, "SERVICE-3", "the response to "+request(x), "a complete HTTP response", incomplete(x))
	}
	if fresh && (begun >= oftenLost || len(lost.Broken) >= max(oftenLost, w.Of/lostOf)) {
		w.Broken = append(w.Broken, lost.Broken...)
	}
	w.Of += len(w.Broken)
	if n, last := outages(h); n >= oftenOut {
		w.Breaks(last, "SERVICE-3", "the responses of the run", fmt.Sprintf("fewer than %d outages", oftenOut), fmt.Sprintf(
			"%d outages: requests got no response, or 502, 503 or 504 without Retry-After, and later requests were answered", n))
	}
	return w
}

// incomplete says what is wrong with a response. It replaces Go's EOF by words.
func incomplete(x history.Exchange) string {
	how := string(x.Failure.Kind)
	switch {
	case x.Failure.Kind == exchange.Closed && x.Response == nil:
		how = "the connection was closed without a response"
	case x.Failure.Kind == exchange.Closed:
		how = "the connection was closed in the middle of the response"
	}
	return how + ": " + clip(x.Failure.Detail)
}

// oftenOut is how many outages a run may have before they are a fault of the service. A restart or a deployment is one.
const oftenOut = 4

// outages returns the number of outages of a run, each of which ends with a response to a request that was sent after
// it began, and the last exchange of an outage. A response with Retry-After is none: a gateway may shed load, and says
// when to come back.
func outages(h *history.History) (n int, last history.Exchange) {
	ended := 0 // the number of the exchange that ended the outage
	for _, x := range h.Outages() {
		if x.Response != nil {
			if _, announced := exchange.RetryAfter(x.Response.Header, x.Received()); announced {
				continue
			}
		}
		if x.N > ended {
			at := slices.IndexFunc(h.All, func(y history.Exchange) bool {
				return y.N > x.N && y.Answered() && y.Sent.After(x.Ended())
			})
			if at < 0 {
				break
			}
			n, ended = n+1, h.All[at].N
		}
		last = x
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
	return !slices.ContainsFunc(h.All, func(y history.Exchange) bool {
		return y.N != x.N && y.Sent.Before(x.Ended()) && x.Sent.Before(y.Ended())
	})
}
