package run

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"petconform/conformance/explore"
	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

const (
	// sideBySide is how many sequences are sent at the same time. Where responses take less than soon, every other lot is
	// sent one after the other, so that no request of another sequence comes between; over a network it would take a minute.
	sideBySide = 8
	soon       = 20 * time.Millisecond
	// attempts is how many sequences are shrunk for one requirement, until one fails again.
	attempts = 6
)

// exploration sends generated sequences through a run, and shrinks those that break something that the run had not found
// broken. It judges nothing itself: package judge does, from the recording.
type exploration struct {
	*Run
	gen *explore.Generator
	// from is the number of requests before the exploration, and most the largest number of its own, shrinking included.
	from, most int
	// known counts the attempts to shrink what breaks a requirement. What the run has found broken is not shrunk.
	known map[spec.ID]int
	// sequences counts them, and far says that responses take long.
	sequences int
	far       bool
	// kept is how many creations are kept for the phase after the exploration, and aside for shrinking, too.
	kept, aside int

	spent, executions atomic.Int64 // spent counts requests
}

// explore spends what the plan has for it on generated sequences. What reads lack at the end is asked again as ever.
func (r *Run) explore(ctx context.Context) {
	if r.plan.Exploring == 0 || len(r.History().Of(judge.ExploreID)) > 0 {
		return
	}
	e := &exploration{Run: r, from: r.Sent(), most: r.plan.Exploring, known: map[spec.ID]int{}}
	for _, q := range r.requests(plan.Ending) {
		if q.Creates() {
			e.kept++
		}
	}
	e.aside = e.kept + min(r.budget.left()/4, 12)
	if r.Config.Explore == 0 {
		e.most = min(e.most, plan.FullRequests-e.from-leastAsked)
	}
	if r.MaxRequests > 0 {
		e.most = min(e.most, r.MaxRequests-e.from-leastAsked)
	}
	switch {
	case r.narrowed != "":
		r.skipped[judge.ExploreID] = r.narrowed
	case e.most <= 0:
		r.skipped[judge.ExploreID] = "the checks used up the requests of the run"
	case r.client.Err() == nil && ctx.Err() == nil:
		e.gen = explore.NewGenerator(r.Seed, r.explorable(), !r.ReadOnly, r.AsOf.Before(spec.Removal))
		e.run(ctx)
		r.settle(ctx, e.from)
		if r.Sent() == e.from {
			r.skipped[judge.ExploreID] = "the target took none of its requests"
		}
	}
}

// explorable are the checks of which a full run sends the rows.
func (r *Run) explorable() (checks []plan.Check) {
	full := r.Config
	full.Deep = true
	for _, s := range Subjects(full) {
		if c, sends := plan.Find(s.ID); sends {
			checks = append(checks, c)
		}
	}
	return checks
}

// run sends sequences until the budget is spent. Where a read lacks an animal that may be too young for a replica
// that lags, it waits once until that explains nothing, so that what later sequences lack is judged.
func (e *exploration) run(ctx context.Context) {
	h := e.History()
	for _, f := range judge.Sequences(h)(h.All).Broken {
		e.known[f.Requirement] = attempts
	}
	e.far = len(h.All) > 0 && h.All[len(h.All)-1].Done > soon
	for before, waited := int64(-1), false; before < e.spent.Load() && e.left() > 0 && ctx.Err() == nil; {
		before = e.spent.Load()
		if lacks := e.sendBatch(ctx); lacks && !waited {
			waited = true
			_, newest := e.disagreeing(e.from)
			_ = spec.Sleep(ctx, e.Patience-e.at(time.Now()).Sub(newest)) // the exploration ends if ctx does
		}
	}
}

// left is how many requests may be sent.
func (e *exploration) left() int { return e.most - int(e.spent.Load()) }

// sendBatch sends sequences, and shrinks each that breaks something new. It reports whether a read lacked an animal.
func (e *exploration) sendBatch(ctx context.Context) (lacks bool) {
	width, inTurn := sideBySide, e.sequences/sideBySide%2 == 0
	if e.far {
		width, inTurn = 2*sideBySide, false
	}
	sent, batch, first := make([][]history.Exchange, width), make([][]plan.Request, width), e.sequences+1
	var wait sync.WaitGroup
	for i := range batch {
		batch[i] = e.gen.Next(e.sequences)
		e.sequences++
		wait.Go(func() { sent[i] = e.execute(ctx, fmt.Sprint(first+i), batch[i], e.aside) })
		if inTurn {
			wait.Wait()
		}
	}
	wait.Wait()
	judged := judge.Sequences(judge.About(e.History(), slices.Concat(sent...)))
	for i, requests := range batch {
		found := judged(sent[i])
		lacks = lacks || found.Lacks
		if broken := e.news(found.Broken); len(broken) > 0 && e.shrink(ctx, first+i, requests, broken) {
			for _, id := range broken {
				e.known[id] = attempts
			}
		}
	}
	return lacks
}

// news returns the requirements that the run has not found broken. What does not fail again is tried again with the
// sequences that break it next.
func (e *exploration) news(found []verdict.Finding) (broken []spec.ID) {
	for _, f := range found {
		if e.known[f.Requirement] < attempts {
			e.known[f.Requirement]++
			broken = append(broken, f.Requirement)
		}
	}
	return broken
}

// shrink leaves out one request after the other, the last first, while the sequence still breaks one of the requirements,
// and sends what is left once more. again says that it failed. A sequence that does not fail again is left as it was: it
// may have taken requests of several sequences.
func (e *exploration) shrink(ctx context.Context, n int, best []plan.Request, broken []spec.ID) (again bool) {
	const candidates = "shrink-" // begins the labels on the way
	tried := 0
	fails := func(as string, candidate []plan.Request) bool {
		tried++
		label := fmt.Sprintf("%s%d-%d", as, n, tried)
		own := e.execute(ctx, label, candidate, e.kept)
		if !e.ReadOnly && slices.ContainsFunc(own, refusedCreation) { // the store may be full, until a later creation succeeds
			e.execute(ctx, candidates+label, []plan.Request{plan.DrawnRow("animal", "{status}", string(spec.Available))}, e.kept)
		}
		found := judge.Sequences(judge.About(e.History(), own))(own)
		return slices.ContainsFunc(found.Broken, func(f verdict.Finding) bool { return slices.Contains(broken, f.Requirement) })
	}
	if !fails(candidates, best) {
		return false
	}
	for i := len(best) - 1; i >= 0 && len(best) > 1 && e.left() > 2*len(best); i-- { // it has to be shown, too
		if shorter := slices.Delete(slices.Clone(best), i, i+1); fails(candidates, shorter) {
			best = shorter
		}
	}
	return fails(explore.Shortened, best)
}

func refusedCreation(x history.Exchange) bool {
	row, _ := plan.RowOf(x.Check, x.Step)
	return row.Creates() && row.Fails(x.Status())
}
