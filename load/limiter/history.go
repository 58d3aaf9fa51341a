// Package limiter judges the history of a key: could a limiter of some kind have given these answers, and did it keep
// what its headers promise? It is pure, and knows no phase, no requirement and no clock.
//
// A limiter sees a request at some moment between its sending and its response. That moment, and everything else that
// is not known, is chosen in the target's favor: the phase of a clock, the level of a bucket at first, and whether
// refused requests count. So every limiter is explained by its own kind.
package limiter

import (
	"math"
	"slices"
	"time"
)

// Outcome is what the limiter decided on a request.
type Outcome int

const (
	// Accepted says that the limiter passed the request to the operation.
	Accepted Outcome = iota
	// Refused says that the request was answered 429.
	Refused
	// Unknown says that the limiter may or may not have counted the request: there was no response, or an error of
	// another component.
	Unknown
)

// Absent means that a header is missing or malformed.
const Absent = math.MinInt64

// Headers are what a response says: the limit, the requests that remain of it, the time from Date to its reset, and the
// time to wait before the next request. Each may be Absent.
type Headers struct {
	Limit, Remaining    int64
	ResetIn, RetryAfter time.Duration
}

// Event is one request of a key and its response.
type Event struct {
	// Sent and Answered bound the instant at which the limiter saw the request.
	Sent, Answered time.Duration
	Outcome        Outcome
	Says           Headers
	// Stage says what the request has that none in an earlier stage had: other operations, other connections, or others
	// at the same time. A limiter that tells these apart contradicts itself first in their stage.
	Stage int
	// Excused says that a refusal needs no explanation: the limit of another window is its cause.
	Excused bool
	// excused says so too, or that a 429 had told its sender to wait.
	excused bool
}

// History is the requests of one key, in the order of sending, and its plan: Limit requests in each Window.
type History struct {
	Limit  int
	Window time.Duration
	Events []Event
	// Bursts have the events that spend one allowance, which was fresh at the first of them.
	Bursts [][]int
	// Figures are the limits that X-RateLimit-Limit may show.
	Figures []int64
}

// Of reports whether the headers describe that limit.
func (h *Headers) Of(limit int64) bool { return h.Limit == limit && h.Remaining != Absent }

// ofLimit reports whether the headers of event i describe the history's limit.
func (h *History) ofLimit(i int) bool { return h.Events[i].Says.Of(int64(h.Limit)) }

// mostInFlight is the largest number of requests that a sender has in flight: 512.
const mostInFlight = 512

// after reports whether event i was sent after the responses to all requests before it.
func (h *History) after(i int) bool {
	before := h.Events[max(0, i-mostInFlight):i]
	return !slices.ContainsFunc(before, func(e Event) bool { return e.Answered > h.Events[i].Sent })
}

// alone reports whether no other request was in flight together with event i.
func (h *History) alone(i int) bool {
	return h.after(i) && (i+1 == len(h.Events) || h.Events[i+1].Sent >= h.Events[i].Answered)
}

// perWindow returns the limit's number of requests in d: 6 in 6 s with 60 a minute. A bucket gains as many.
func (h *History) perWindow(d time.Duration) float64 {
	return float64(h.Limit) * float64(d) / float64(h.Window)
}

// What is a sort of contradiction.
type What string

const (
	// Over is an accepted request beyond the plan, and Early a refused one within it, in a history that no kind of
	// limiter explains.
	Over  What = "accepted too many"
	Early What = "refused too early"
	// Unexplained says that no kind explains the history, though the plan itself was kept.
	Unexplained What = "explained by no kind"
	// A promise of a header was not kept: the request was refused though it had waited for Retry-After, or until Reset;
	// or the whole limit was there before Reset.
	RefusedAfterWait What = "refused after Retry-After"
	RefusedAtReset   What = "refused at Reset"
	WholeBeforeReset What = "whole before Reset"
	// Remaining is larger or smaller than every kind that explains the history has left.
	RemainingHigh What = "Remaining too large"
	RemainingLow  What = "Remaining too small"
	// WrongLimit is a Limit that is none of the plan's.
	WrongLimit What = "a Limit of no plan"
)

// Contradiction is an event that contradicts the plan or an earlier response, with what was wanted and what came.
type Contradiction struct {
	What What
	// At is the event, and Stage the stage that no kind explains, if it is Over, Early or Unexplained.
	At, Stage int
	About     string
	Want, Got string
	// Why says what shows that it is a contradiction, if that is not another event. After is the number, from 1, of the
	// earlier event whose headers promised otherwise; 0 if there is none.
	Why   string
	After int
}

// Result is what a history says of its limiter.
type Result struct {
	// Explaining are the kinds that explain the events of all stages, but those of a stage that no kind explains.
	Explaining []*Kind
	Found      []Contradiction
	// Compared is the number of responses whose Remaining was compared exactly.
	Compared int
	Waits    []Wait
	Others   Others
	history  *History
	// gain is the number of tokens that a timer adds in one step, if only that explains the history.
	gain int
}

// Lawful reports whether a kind explains every event.
func (r *Result) Lawful() bool {
	unlawful := []What{Over, Early, Unexplained}
	return !slices.ContainsFunc(r.Found, func(c Contradiction) bool { return slices.Contains(unlawful, c.What) })
}
