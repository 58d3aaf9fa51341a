package figure

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
)

// mostConnections and mostWaits bound what a time line shows: a client that hammers opens thousands.
const (
	mostConnections = 40
	mostWaits       = 200
)

// OfClient returns the time line of a client: each request on its connection, the 429s with their Retry-After, and
// the requests that came too early, by their numbers in order. Most of these got a 429, whose mark would hide theirs.
func OfClient(rec *exchange.Recording, early []int) Chart {
	c := Chart{ID: "timeline", Title: "Requests by connection", Of: "requests",
		X: Axis{Label: "seconds since the first request", Value: "%s s"},
		Y: Axis{Label: "connection", Value: "connection %s", Scale: Whole}}
	var shown []exchange.Exchange
	for _, x := range rec.Exchanges {
		if x.Caller != nil && x.Caller.Connection <= mostConnections {
			shown = append(shown, x)
		}
	}
	var refusals []int
	points, connections := map[string][]XY{}, map[float64]bool{}
	since := func(at time.Time) float64 { return at.Sub(shown[0].Sent).Seconds() }
	for i, x := range shown {
		at, kind := XY{since(x.Sent), float64(x.Caller.Connection)}, "answered"
		connections[at.Y] = true
		if x.Status() == http.StatusTooManyRequests {
			kind, refusals = "429", append(refusals, i)
			if wait, ok := exchange.RetryAfter(x.Response.Header, x.Received()); ok && len(c.Waits) < mostWaits {
				c.Waits = append(c.Waits, Stretch{since(x.Received()), since(x.Received().Add(wait)), at.Y})
			}
		}
		if _, is := slices.BinarySearch(early, x.N); is {
			kind = "too early"
		}
		points[kind] = append(points[kind], at)
	}
	for _, name := range []string{"answered", "too early", "429"} {
		c.Series = append(c.Series, Series{name, Dots, points[name]})
	}
	c.N = len(shown)
	c.Caption = fmt.Sprintf("%s on %s, %s answered 429. A bar is as long as the Retry-After of a 429; "+
		"the next request with the key comes after it.",
		spec.Count(len(shown), "request"), spec.Count(len(connections), "connection"), spec.Number(len(refusals)))
	if left := len(rec.Exchanges) - len(shown); left > 0 {
		c.Caption += fmt.Sprintf(" %s on further connections, or on connections of proxies, are left out.", spec.Count(left, "request"))
	}
	c.Table = table(len(shown), []string{"Second", "Connection", "Request", "Status", spec.HeaderRetryAfter}, func(i int) []string {
		x, wait := shown[i], ""
		if x.Response != nil {
			wait = x.Response.Header.Get(spec.HeaderRetryAfter)
		}
		return []string{fmt.Sprintf("%.3f", since(x.Sent)), strconv.Itoa(x.Caller.Connection), safe.Sent(x), strconv.Itoa(x.Status()), wait}
	}, refusals[:min(len(refusals), MaxRows/2)]...)
	return c
}
