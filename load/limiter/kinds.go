package limiter

import (
	"slices"
	"time"
)

// Kind is a kind of limiter that "60 requests per minute" may mean.
type Kind struct {
	// Name is what the field calls the kind, such as "sliding log".
	Name string
	// Refills says that the kind gives back some requests at a time. If not, it gives back the limit at once.
	Refills  bool
	explains func(*spans) bool
}

// The kinds. The timer of a SteppedBucket can't be told from a Bucket that has the tokens, so both have one name.
var (
	FirstWindow   = &Kind{"fixed window from the first request", false, (*spans).firstWindow}
	ClockWindow   = &Kind{"fixed window on the clock", false, (*spans).clockWindow}
	Log           = &Kind{"sliding log", false, (*spans).log}
	Bucket        = &Kind{"token bucket or GCRA", true, (*spans).bucket}
	Counter       = &Kind{"sliding counter", true, (*spans).counter}
	SteppedBucket = &Kind{"token bucket or GCRA", true, (*spans).steppedBucket}
	Parts         = &Kind{"sliding window in parts", false, (*spans).parts}
)

// Kinds returns all kinds.
func Kinds() []*Kind {
	return []*Kind{FirstWindow, ClockWindow, Log, Bucket, Counter, SteppedBucket, Parts}
}

// Explaining returns the kinds of some that explain a whole history. If two of them have the same name, it has only the
// first.
func Explaining(h *History, among []*Kind) []*Kind { return h.spans(nil).explaining(among) }

func (e *spans) explaining(among []*Kind) (out []*Kind) {
	if e.twice() {
		return nil
	}
	for _, k := range among {
		if !slices.ContainsFunc(out, func(x *Kind) bool { return x.Name == k.Name }) && k.explains(e) {
			out = append(out, k)
		}
	}
	return out
}

// twice reports whether more than twice the limit was accepted within a window, which no kind does.
func (e *spans) twice() bool {
	for i := 2 * e.limit; i < len(e.answered); i++ {
		if e.apart(i, 2*e.limit) < e.window-EdgeTolerance(e.window) {
			return true
		}
	}
	return false
}

// apart returns the longest time that may be between the i-th accepted request and the one n before it. The limiter saw
// its k-th accepted request, whichever that was, after the k-th of them was sent and before the k-th response.
func (e *spans) apart(i, n int) time.Duration { return e.answered[i].to - e.accepted[i-n].from }

// keeps reports whether no accepted request is over, and no refused one early. i is the number of accepted requests
// with an earlier response.
func (e *spans) keeps(over func(i int, r span) bool, early func(r span) bool) bool {
	for i, r := range e.answered {
		if over(i, r) {
			return false
		}
	}
	return !slices.ContainsFunc(e.refused, early)
}

// Kinds with a clock or a timer act at moments that are a period apart. Their phase is not known, and is chosen to fit.
const (
	// phases is the number of phases in a window that are tried, one every 30 ms of a minute, and leastPhases how many
	// at least in a period.
	phases, leastPhases = 2000, 20
	// phaseTolerance says how much the ends of a clock's windows may be off: by 1/10,000 of a window, which is 6 ms of
	// a minute. NTP slews a clock by at most 500 parts in a million, and usually by less than 100.
	phaseTolerance = 10_000
	// clockStep is the resolution of the coarsest clock that a limiter counts by: 1 ms.
	clockStep = time.Millisecond
)

// stepsPerWindow are the periods that are tried, in parts of a window. In a minute they are 30, 20, 15, 12, 10, 6, 5, 4,
// 3, 2 and 1 s.
var stepsPerWindow = []int{2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60}

// fits reports whether a kind that acts n times a window explains the events at some phase. Its moments may be off by
// off.
func (e *spans) fits(n int, at func(period, phase, off time.Duration) bool) bool {
	period := e.window / time.Duration(n)
	step := max(1, min(e.window/phases, period/leastPhases))
	for phase := time.Duration(0); phase < period; phase += step {
		if at(period, phase, step+e.window/phaseTolerance+clockStep) {
			return true
		}
	}
	return false
}
