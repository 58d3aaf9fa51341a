package limiter

import (
	"fmt"
	"slices"
	"time"

	"petconform/spec"
)

// Kind is a kind of limiter that "60 requests per minute" may mean.
type Kind struct {
	// Name is what the field calls the kind, such as "sliding log".
	Name string
	// Refills says that the kind gives back some requests at a time. If not, it gives back the limit at once.
	Refills bool
	// fraction says that what the kind has left may be a fraction of a request.
	fraction bool
	explains func(*sequence) bool
}

// The kinds. The timer of a SteppedBucket can't be told from a Bucket that has the tokens, so both have one name.
var (
	FirstWindow   = &Kind{"fixed window from the first request", false, false, (*sequence).firstWindow}
	ClockWindow   = &Kind{"fixed window on the clock", false, false, (*sequence).clockWindow}
	Log           = &Kind{"sliding log", false, false, (*sequence).log}
	Bucket        = &Kind{"token bucket or GCRA", true, true, (*sequence).bucket}
	Counter       = &Kind{"sliding counter", true, true, (*sequence).counter}
	SteppedBucket = &Kind{"token bucket or GCRA", true, false, (*sequence).steppedBucket}
	Parts         = &Kind{"sliding window in parts", false, false, (*sequence).parts}
)

// Kinds returns all kinds.
func Kinds() []*Kind {
	return []*Kind{FirstWindow, ClockWindow, Log, Bucket, Counter, SteppedBucket, Parts}
}

// Explaining returns the kinds of some that explain a whole history. If two of them have the same name, it has only the
// first.
func Explaining(h *History, among []*Kind) []*Kind {
	h.told()
	return h.sequence(nil).explaining(among)
}

// explaining returns the kinds that explain the events. None accepts more than twice the limit within a window.
func (s *sequence) explaining(among []*Kind) (out []*Kind) {
	twice := *s
	if twice.limit, twice.refused = 2*s.limit, nil; !twice.log() {
		return nil
	}
	for _, k := range among {
		if !slices.ContainsFunc(out, func(x *Kind) bool { return x.Name == k.Name }) && k.explains(s) {
			out = append(out, k)
		}
	}
	return out
}

// Waited returns what a history says without a kind of limiter: the requests that waited.
func Waited(h *History) Result { return Result{Waits: h.told(), history: h} }

// Judge compares a history with every kind of limiter, and with what its headers promise.
func Judge(h *History) Result {
	r := Waited(h)
	r.kinds(h)
	r.Others = h.others(&r)
	r.promises()
	for _, burst := range h.Bursts {
		if h.Limit <= MostExact {
			r.compare(burst)
		}
	}
	return r
}

// mostRepeated is how many requests in a row may be sent, though a 429 told their sender to wait, and can't cause a ban:
// 1. The interface says that repeated requests after a 429 may lead to a ban, which may last longer than Retry-After.
const mostRepeated = 1

// told excuses the refusals of those whom an earlier 429 had told to wait longer, or who had repeated requests after one,
// which may have caused a ban. It returns the requests that waited. A request that was in flight with the 429 may have
// taken the token of the next one, so a request that is refused again must follow its 429, and no other request may be in
// flight with it.
func (h *History) told() (waits []Wait) {
	// The last 429, the requests in a row that did not wait, and whether one was sent after the 429.
	last, repeated, followed := -1, 0, false
	for i := range h.Events {
		e := &h.Events[i]
		refused, provoked := e.Outcome == Refused, repeated > mostRepeated
		waited := last < 0 || e.Sent >= h.Events[last].Answered+h.asked(last)
		if last >= 0 && e.Sent >= h.Events[last].Answered {
			if !followed && h.after(i) && (!refused || last == i-1 && h.alone(i)) {
				waits = append(waits, h.waited(last, i, provoked)...)
			}
			followed = true
		}
		switch e.excused = e.Excused || !waited || provoked; {
		case e.Outcome == Accepted:
			repeated = 0
		case refused:
			if !waited {
				repeated++
			}
			if last < 0 || e.Answered >= h.Events[last].Answered {
				last, followed = i, false
			}
		}
	}
	return waits
}

// asked returns how long the refusal of event i asks to wait: a window, if it has no Retry-After.
func (h *History) asked(i int) time.Duration {
	if wait := h.Events[i].Says.RetryAfter; wait != Absent {
		return wait
	}
	return h.Window
}

// kinds compares the history with the kinds, stage by stage. The kinds that explain the stages before say whether a
// stage is explained; if it is not, its requests may have been counted or not by what comes later. If no kind explains
// the first stage, the contradictions are those of the whole history.
func (r *Result) kinds(h *History) {
	all := h.sequence(nil)
	if r.explainedBy(all, Kinds()) || len(h.Events) == 0 {
		return
	}
	first, last := h.Events[0].Stage, h.Events[len(h.Events)-1].Stage
	among, in := Kinds(), []int{}
	for stage := first; stage <= last; stage++ {
		s := h.sequence(append(in, stage))
		switch {
		case r.explainedBy(s, among):
			in, among = append(in, stage), r.Explaining
		case stage == first:
			r.contradict(h, all, among, stage)
			return
		default:
			r.contradict(h, s, among, stage)
		}
	}
}

// explainedBy reports whether one of some kinds explains the events, and keeps those that do.
func (r *Result) explainedBy(s *sequence, among []*Kind) bool {
	all := s.explaining(among)
	if len(all) == 0 {
		return false
	}
	if r.Explaining, r.gain = all, 0; all[0] == SteppedBucket {
		r.gain = s.gain
	}
	return true
}

// contradict adds the contradictions of a stage, and of those after it, which no kind of some explains: the accepted
// requests that exceed the plan in their window, and the refused ones that do not. The former only seem to if a kind
// explains the accepted requests alone: an edge lay between them, or a bucket had refilled, which refused too early, in
// this stage or one before. A bucket that refuses only what exceeds the plan is asked whether its own rate is kept: a
// larger limit may explain that, or somebody else took the tokens.
func (r *Result) contradict(h *History, s *sequence, among []*Kind, stage int) {
	plan, found := s.trailing(), len(r.Found)
	wanted := fmt.Sprintf("429, since the plan has %s in %s", spec.Count(h.Limit, "request"), h.Window)
	add := func(what What, x span, want, got string) {
		n := s.accepted.most(s.since(x), x.to) + s.unknown.most(s.since(x), x.to)
		if what != Over {
			n++
		}
		r.Found = append(r.Found, Contradiction{What: what, At: x.at, Stage: stage, Want: want, Got: got,
			Why: "; no kind of limiter explains it", About: fmt.Sprintf("request %s within %s", spec.Number(n), h.Window)})
	}
	early := func(of rule) {
		for _, x := range s.refused {
			if h.Events[x.at].Stage >= stage && of.early(x) {
				add(Early, x, "no "+wanted, "429")
			}
		}
	}
	early(plan)
	accepted, larger := *s, *s
	accepted.refused, larger.limit = nil, s.mostWithin()
	if h.others(r).At >= 0 { // whose requests may be why another kind than the limiter's own explains the stages before
		among = Kinds()
	}
	alone := accepted.explaining(among)
	window := slices.ContainsFunc(alone, func(k *Kind) bool { return !k.Refills })
	soon := slices.ContainsFunc(r.Found, func(c Contradiction) bool { return c.What == Early })
	lawful := window || len(alone) > 0 && (soon || !h.others(r).None())
	if len(alone) > 0 && !lawful && len(larger.explaining(among)) == 0 {
		early(s.even())
		lawful = len(r.Found) > found
	}
	for i, x := range s.answered {
		if !lawful && h.Events[x.at].Stage >= stage && plan.over(i, x) {
			add(Over, x, wanted, "accepted")
		}
	}
	if len(r.Found) == found && len(s.refused) > 0 {
		add(Unexplained, s.refused[len(s.refused)-1], "an answer of some kind of limiter", "429")
	}
}

// Gained returns the largest number of requests that a kind which explains the history gives back in d within a burst:
// none of a window's, else what a bucket gains.
func (r *Result) Gained(d time.Duration) float64 {
	if len(r.Explaining) > 0 && !slices.ContainsFunc(r.Explaining, func(k *Kind) bool { return k.Refills }) {
		return 0
	}
	return r.history.perWindow(d) + float64(r.gain)
}

// span is the time within which the limiter saw Events[at].
type span struct {
	from, to time.Duration
	at       int
}

// times are the times of sending of some requests, and those of their responses. Each are sorted, so the limiter saw its
// k-th request between from[k] and to[k], whichever that was.
type times struct{ from, to []time.Duration }

func (t *times) add(e *Event) { t.from, t.to = append(t.from, e.Sent), append(t.to, e.Answered) }

func before(sorted []time.Duration, t time.Duration) int {
	n, _ := slices.BinarySearch(sorted, t)
	return n
}

// most returns how many requests the limiter may have seen from one time until another.
func (t *times) most(since, until time.Duration) int {
	return before(t.from, until+1) - before(t.to, since)
}

// sequence is the events of a history, sorted for the kinds.
type sequence struct {
	limit  int
	window time.Duration
	// accepted are the accepted requests, and answered the same in the order of their responses.
	accepted times
	answered []span
	// any are all requests, since a refused one may count too. unknown may or may not have been counted.
	any, unknown times
	// refused are the refusals that need an explanation.
	refused []span
	// wait is the longest Retry-After of these. It is 0 if there is none, or if tokens were added before its end.
	wait time.Duration
	// gain is the number of tokens that the timer of a bucket adds in one step.
	gain int
	// low is of spend.
	low []float64
}

// sequence sorts the events of some stages; nil means all. Requests of other stages may have been counted or not.
func (h *History) sequence(stages []int) *sequence {
	s := &sequence{limit: h.Limit, window: h.Window}
	for i := range h.Events {
		e := &h.Events[i]
		s.any.add(e)
		switch one := (span{e.Sent, e.Answered, i}); {
		case e.Outcome == Unknown || stages != nil && !slices.Contains(stages, e.Stage):
			s.unknown.add(e)
		case e.Outcome == Accepted:
			s.accepted.add(e)
			s.answered = append(s.answered, one)
		case !e.excused:
			s.refused, s.wait = append(s.refused, one), max(s.wait, e.Says.RetryAfter)
		}
	}
	if h.tokensAdded() {
		s.wait = 0
	}
	slices.Sort(s.any.to)
	slices.Sort(s.unknown.to)
	slices.Sort(s.accepted.to)
	slices.SortStableFunc(s.answered, func(a, b span) int { return int(a.to - b.to) })
	return s
}
