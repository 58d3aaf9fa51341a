package limiter

import (
	"fmt"
	"slices"
	"time"

	"petconform/spec"
)

// What is a sort of contradiction.
type What string

const (
	// Over is an accepted request that no kind of limiter would have accepted, and Early a refused one that each would
	// have accepted.
	Over  What = "accepted too many"
	Early What = "refused too early"
	// Unexplained is an answer that no kind gives, though the plan was not exceeded, or was spent.
	Unexplained What = "explained by no kind"
	// A promise of a header was not kept: the request was refused though it had waited for Retry-After, or until Reset;
	// or the whole limit was there before Reset.
	RefusedAfterWait What = "refused after Retry-After"
	RefusedAtReset   What = "refused at Reset"
	WholeBeforeReset What = "whole before Reset"
	// Remaining is larger or smaller than every kind that explains the history has left, or rises as requests are
	// accepted.
	RemainingHigh  What = "Remaining too large"
	RemainingLow   What = "Remaining too small"
	RemainingRises What = "Remaining rises"
	// WrongLimit is a Limit that is none of the plan's.
	WrongLimit What = "a Limit of no plan"
)

// Contradiction is an event that contradicts the plan or an earlier response, with what was wanted and what came.
type Contradiction struct {
	What What
	// At is the event, and Because the one that promised otherwise; -1 if there is none.
	At, Because int
	// Stage is the stage that contradicts the ones before.
	Stage     int
	About     string
	Want, Got string
	// Why says what shows that it is a contradiction, if that is not another event.
	Why string
}

// Result is what a history says of its limiter.
type Result struct {
	// Explaining are the kinds that explain the events of all stages, but those of a stage that no kind explains. If
	// there are none, Nearest explains most.
	Explaining []Kind
	Nearest    Kind
	Found      []Contradiction
	// Compared is the number of responses whose Remaining was compared exactly.
	Compared int
	Waits    []Wait
	Others   Others
	// Gained returns the largest number of requests that a kind which explains the history gives back in d within a
	// burst: none of a window's, else what a bucket gains.
	Gained func(d time.Duration) float64
	// Within returns the number of requests in the window before an event that the limiter may have counted.
	Within func(at int) int
	// gain is the number of tokens that a timer adds in one step, if only that explains the history.
	gain int
}

// Lawful reports whether a kind explains every event.
func (r *Result) Lawful() bool {
	return !slices.ContainsFunc(r.Found, func(c Contradiction) bool { return c.What == Over || c.What == Early || c.What == Unexplained })
}

// Judge compares a history with every kind of limiter, and with what its headers promise.
func Judge(h *History) Result {
	r := Result{Waits: h.waits()}
	r.kinds(h)
	r.Gained, r.Within = r.refills(h), h.within
	r.Others = h.others(r.Gained)
	r.Found = append(r.Found, h.promises(&r)...)
	more, compared := h.remaining(&r)
	r.Found, r.Compared = append(r.Found, more...), compared
	return r
}

// kinds compares the history with the kinds, stage by stage. The kinds that explain the stages before say what is wrong
// in a stage that none of them explains; its requests may have been counted or not by what comes later. If no kind
// explains the first stage, the nearest kind is that of the whole history.
func (r *Result) kinds(h *History) {
	first := 0
	if len(h.Events) > 0 {
		first = h.Events[0].Stage
	}
	all := h.spans(func(int) bool { return true })
	a := explain(all, nil)
	r.Explaining, r.Nearest, r.gain = a.Explaining, a.Kind, a.gain
	if a.Lawful() {
		return
	}
	in := []int{first}
	account := func() (Account, *spans) {
		e := h.spans(func(stage int) bool { return slices.Contains(in, stage) })
		return explain(e, r.Explaining), e
	}
	var plain Account
	if plain, _ = account(); !plain.Lawful() {
		r.contradict(h, &a, all, first)
		return
	}
	r.Explaining, r.Nearest, r.gain = plain.Explaining, plain.Kind, plain.gain
	for _, stage := range h.stages(first) {
		in = append(in, stage)
		switch a, e := account(); {
		case a.Lawful():
			r.Explaining, r.Nearest, r.gain = a.Explaining, a.Kind, a.gain
		default:
			r.contradict(h, &a, e, stage)
			in = in[:len(in)-1]
		}
	}
}

// stages returns the stages after the first, in order.
func (h *History) stages(first int) []int {
	var all []int
	for _, e := range h.Events {
		if e.Stage != first && !slices.Contains(all, e.Stage) {
			all = append(all, e.Stage)
		}
	}
	slices.Sort(all)
	return all
}

// contradict adds the contradictions of an account. A request is accepted too many only if the plan was spent, and
// refused too early only if it was not.
func (r *Result) contradict(h *History, a *Account, e *spans, stage int) {
	why := "; no kind of limiter explains it, and the nearest is a " + a.Kind.Name()
	plan := fmt.Sprintf("429, since the plan has %s in %s", spec.Count(h.Limit, "request"), h.Window)
	add := func(what What, at int, holds bool, want, got string) {
		if !holds {
			what = Unexplained
		}
		r.Found = append(r.Found, Contradiction{What: what, At: at, Because: -1, Stage: stage, Want: want, Got: got, Why: why,
			About: fmt.Sprintf("request %s within %s", spec.Number(h.within(at)+1), h.Window)})
	}
	for _, at := range h.excesses(a, e, stage) {
		add(Over, at, h.within(at) >= h.Limit, plan, "accepted")
	}
	for _, at := range a.Early {
		add(Early, at, h.within(at) < h.Limit, "no "+plan, "429")
	}
}

// excesses returns the requests that the nearest kind would have refused. In a later stage they are all beyond the limit
// of a trailing window: what a kind explains there by the edge of a window, it does not explain in each round.
func (h *History) excesses(a *Account, e *spans, stage int) []int {
	over := a.excesses(e)
	window := a.Kind != Bucket{} && a.Kind != SteppedBucket{} // a bucket lawfully exceeds the limit of a trailing window
	if len(over) == 0 || stage == h.Events[0].Stage || !window {
		return over
	}
	for _, at := range (Log{}).explain(e).Over {
		if h.Events[at].Stage == stage && !slices.Contains(over, at) {
			over = append(over, at)
		}
	}
	return over
}

// within returns the number of requests in the window before event at that the limiter may have counted.
func (h *History) within(at int) (n int) {
	from := h.Events[at].Sent - h.Window - EdgeTolerance(h.Window)
	for i := range h.Events {
		if e := &h.Events[i]; i != at && e.Outcome != Refused && e.Answered >= from && e.Sent <= h.Events[at].Answered {
			n++
		}
	}
	return n
}

// forgets reports whether a kind that explains the history gives back the whole limit at once.
func (r *Result) forgets() bool {
	return len(r.Explaining) == 0 || slices.ContainsFunc(r.Explaining, func(k Kind) bool {
		return k == FirstWindow{} || k == ClockWindow{} || k == Log{} || k == Parts{}
	})
}

// refills returns a function for the largest number of requests that a kind which explains the history gives back in d
// within a burst: none of a window's, else what a bucket gains.
func (r *Result) refills(h *History) func(d time.Duration) float64 {
	bucket := func(k Kind) bool { return k == Bucket{} || k == SteppedBucket{} || k == Counter{} }
	if len(r.Explaining) > 0 && !slices.ContainsFunc(r.Explaining, bucket) {
		return func(time.Duration) float64 { return 0 }
	}
	return func(d time.Duration) float64 { return h.perWindow(d) + float64(r.gain) }
}
