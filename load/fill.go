package load

import (
	"time"

	"petconform/load/judge"
	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

var fillPhase = Phase{
	Phase: judge.Phase{ID: record.Fill, Title: "The plan's requests are accepted, and the next one is answered 429",
		Proves: []spec.ID{"RATE-6", "RATE-7"}, Spends: true, Shows: (*judge.View).Fill,
		Breaks: map[limiter.What][]spec.ID{judge.InPlaceOf429: {"RATE-6"}}},
	// With up to 5 fills, the fresh allowance before each, 12 looks in three windows between them, and a bucket's gain.
	Cost: Cost{Requests: amount{27, 3, 0},
		Usual: amount{2, 0, 0}, Longest: amount{3.2, 0, 0}},
	Steps: fillSteps,
	Again: fillAgain,
}

const (
	// fillRounds is how many fills a run has: 2. After an unclear result there are more, up to mostFills, since a
	// finding needs two cases.
	fillRounds, mostFills = 2, 5
	// quickFills is how many fills a quick run has, each of which ends with a trial of Retry-After: 4. A Retry-After
	// that is rounded down is refused in about half of the trials, and a finding needs two.
	quickFills = 4
	// watchLooks is how often the headers are read in the window between two unclear fills: 12 times.
	watchLooks = 12
	// refills is the gain of a bucket during a slow fill, in half tokens: 11, which is 5.5 tokens. A fast and a slow
	// fill distinguish a bucket from a limit that is 5 too high: only a bucket accepts more requests if the fill takes
	// longer. The number is odd, so that the fill does not end when the bucket gains a whole token.
	refills = 11
)

// quickFill is the cost of the fills of a quick run.
var quickFill = Cost{Requests: amount{36, 4, 0},
	Usual: amount{quickFills, 0, 0}, Longest: amount{3.2, 0, 0}}

// fillSteps spends a fresh allowance, every second time slowly, and recovers. Before a fill that is repeated because of a
// doubt, it watches the key.
func fillSteps(l *lane, round int) []Step {
	var steps []Step
	if l.fills.doubt && round > fillRounds && !l.run.cfg.Quick {
		steps = l.watch(round - 1)
	}
	fill := Step{Burst: true, Role: record.Spend, Ends: odd(3)}
	if round%2 == 0 {
		fill.Slow = refills * l.run.cfg.Minute / time.Duration(2*l.limit())
	}
	steps = append(steps, Step{Wait: Fresh, Doing: "sending the plan's requests and one more"}, fill)
	return append(steps, l.recover()...)
}

// watch reads the headers watchLooks times during a window, and sends nothing else. If Remaining falls by more than
// one between two requests, someone else uses the key. The next fill begins at another second of the minute, since
// all fills before may have crossed the end of a clock's window.
func (l *lane) watch(round int) []Step {
	look := Step{Round: round, Wait: RetryAfter, Role: record.Look, Budget: 1,
		Doing: "looking whether someone else uses the key"}
	steps := []Step{look}
	look.Pause = l.run.cfg.Minute / watchLooks
	for range watchLooks - 1 {
		steps = append(steps, look)
	}
	return append(steps, Step{Round: round, Wait: Silence, Pause: l.run.cfg.Minute * time.Duration(round) * 29 / 100})
}

// fills is what a lane remembers of its fills.
type fills struct {
	doubt bool
	begun time.Time
}

// fillAgain adds a fill if a result is unclear.
func fillAgain(l *lane, round int) bool {
	f, out := &l.fills, &l.runner.all
	if round == 1 {
		f.begun = out.began
	}
	switch {
	case l.run.cfg.Quick:
		return round < quickFills && (out.limited || round == 1) && l.againInTime()
	case !out.limited && round == fillRounds: // there was no 429 to recover from
		return false
	}
	recovered := out.limited && l.newest.Accepted() && l.runner.probes <= 1
	f.doubt = !l.asPlanned(out) || !recovered || f.doubt
	return round < fillRounds || round < mostFills && f.doubt
}

// quickWindows is how many windows a quick run may take until its last fill begins: 4.1. The fill takes a tenth of a
// window.
const quickWindows = quickFills + 0.1

// againInTime reports whether a quick run has time to wait for another fresh allowance.
func (l *lane) againInTime() bool {
	at := time.Now()
	if !l.untouched() {
		at = l.quiet.Add(l.edge())
	}
	return at.Sub(l.fills.begun) < time.Duration(quickWindows*float64(l.run.cfg.Minute))
}
