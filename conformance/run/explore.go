package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
	// sideBySide is how many sequences are sent at the same time where responses take longer than soon. Others are sent one
	// after the other, so that no request of another sequence comes between; over a network it would take a minute.
	sideBySide = 16
	soon       = 10 * time.Millisecond
	// attempts is how many sequences are shrunk for one requirement, until one fails again.
	attempts = 6
)

// exploration sends generated sequences through a run, and shrinks those that break something that the run had not found
// broken. It judges nothing itself: package judge does, from the recording.
type exploration struct {
	*Run
	// from is the number of requests before the exploration, and most the largest number of its own, shrinking included.
	from, most int
	// known counts the attempts to shrink what breaks a requirement. What the run has found broken is not shrunk.
	known             map[spec.ID]int
	spent, executions atomic.Int64 // spent counts requests
}

// explore spends what the plan has for it on generated sequences. What reads lack at the end is asked again as ever.
func (r *Run) explore(ctx context.Context) {
	if r.plan.Exploring == 0 || len(r.History().Of(judge.ExploreID)) > 0 {
		return
	}
	e := &exploration{Run: r, from: r.Sent(), most: r.plan.Exploring, known: map[spec.ID]int{}}
	if r.Config.Explore == 0 {
		e.most = min(e.most, plan.FullRequests-e.from-leastAsked)
	}
	switch {
	case r.narrowed != "":
		r.skipped[judge.ExploreID] = r.narrowed
	case e.most <= 0:
		r.skipped[judge.ExploreID] = "the checks used up the requests of the run"
	case r.client.Err() == nil && ctx.Err() == nil:
		r.budget.aside = len(r.requests(plan.Ending))
		e.run(ctx)
		r.budget.aside = 0
		r.settle(ctx, e.from)
		if r.Sent() == e.from {
			r.skipped[judge.ExploreID] = "the target took none of its requests"
		}
	}
}

// run sends sequences until the budget is spent. Where a read lacks an animal that may be too young for a replica
// that lags, it waits once until that explains nothing, so that what later sequences lack is judged.
func (e *exploration) run(ctx context.Context) {
	h, full := e.History(), e.Config
	full.Deep = true
	for _, f := range judge.Sequences(h)(h.All).Broken {
		e.known[f.Requirement] = attempts
	}
	gen := explore.NewGenerator(e.Seed, Whole(full).Sent, !e.ReadOnly, e.AsOf.Before(spec.Removal))
	far := len(h.All) > 0 && h.All[len(h.All)-1].Done > soon
	before, waited := int64(-1), false
	for lot := 0; before < e.spent.Load() && e.left() > 0 && ctx.Err() == nil; lot++ {
		before = e.spent.Load()
		if lacks := e.send(ctx, gen, lot, far); lacks && !waited {
			waited = true
			_, newest := e.disagreeing(e.from)
			_ = spec.Sleep(ctx, e.Patience-e.at(time.Now()).Sub(newest)) // the exploration ends if ctx does
		}
	}
}

// left is how many requests may be sent.
func (e *exploration) left() int { return e.most - int(e.spent.Load()) }

// send sends a lot of sequences, and shrinks each that breaks something new. What does not fail again is tried again with
// the sequences that break it next. It reports whether a read lacked an animal.
func (e *exploration) send(ctx context.Context, gen *explore.Generator, lot int, far bool) (lacks bool) {
	sent, requests := [sideBySide][]history.Exchange{}, [sideBySide][]plan.Request{}
	var wait sync.WaitGroup
	for i := range sent {
		n := lot*sideBySide + i
		requests[i] = gen.Next(n)
		wait.Go(func() { sent[i] = e.execute(ctx, fmt.Sprint(n+1), requests[i]) })
		if !far {
			wait.Wait()
		}
	}
	wait.Wait()
	judged := judge.Sequences(e.History())
	for i := range sent {
		found := judged(sent[i])
		lacks = lacks || found.Lacks
		var broken []spec.ID
		for _, f := range found.Broken {
			if e.known[f.Requirement] < attempts {
				e.known[f.Requirement]++
				broken = append(broken, f.Requirement)
			}
		}
		if len(broken) > 0 && e.shrink(ctx, lot*sideBySide+i+1, requests[i], broken) {
			for _, id := range broken {
				e.known[id] = attempts
			}
		}
	}
	return lacks
}

// shrink leaves out one request after the other, the last first, while the sequence still breaks one of the requirements,
// and sends what is left once more. again says that it failed. A sequence that does not fail again is left as it was: it
// may have taken requests of several sequences.
func (e *exploration) shrink(ctx context.Context, n int, best []plan.Request, broken []spec.ID) (again bool) {
	const candidates = "shrink-" // begins the labels on the way
	tried := 0
	fails := func(as string, candidate []plan.Request) bool {
		tried++
		own := e.execute(ctx, fmt.Sprintf("%s%d-%d", as, n, tried), candidate)
		found := judge.Sequences(e.History())(own)
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

// ownName replaces a row's own name, which is that of another animal when it is sent again.
var ownName = strings.NewReplacer("%n", `"{name}"`, "petconform-%r", "{name}")

// execute sends requests one after the other and returns their exchanges. label names the execution in the recording.
func (e *exploration) execute(ctx context.Context, label string, all []plan.Request) (own []history.Exchange) {
	x := &sequence{State: e.state(), number: int(e.executions.Add(1)), limit: spec.DefaultLimit, shown: 1}
	x.Word = x.word
	for i, q := range all {
		x.place = i + 1
		row := q.Row
		row.Body = ownName.Replace(row.Body)
		row.Step = fmt.Sprintf("%s/%d %s", label, x.place, q.Name())
		if e.spent.Add(1); e.left() < 0 || e.narrow() != "" {
			break
		}
		got, sent := e.ask(ctx, x.State, judge.ExploreID, row)
		if !sent {
			e.spent.Add(-1)
			continue
		}
		own = append(own, got)
		x.note(got)
	}
	return own
}
