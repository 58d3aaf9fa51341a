// Package explore sends generated sequences of requests, which are rows in a random order, and shrinks those that break
// something that the run had not found broken. It judges nothing itself: package judge does, from the recording.
package explore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// CheckID is the id of the exploration among the checks.
const CheckID = judge.ExploreID

// Target is the run that sends the requests.
type Target interface {
	// History is what the run has sent so far.
	History() *history.History
	// Send sends a request. sent is false if the run has no room for it.
	Send(ctx context.Context, call client.Call) (x history.Exchange, sent bool)
	// CreatesLeft is how many animals may be created on purpose.
	CreatesLeft() int
	// Age waits until what reads lacked is older than a lagging replica explains.
	Age(ctx context.Context)
}

// Config says what an exploration may send.
type Config struct {
	Seed uint64
	// Requests is the largest number of requests, shrinking included.
	Requests int
	// Checks have the rows that sequences are made of.
	Checks []plan.Check
	// Creates says that animals may be created, and Fetches that getPet may be called.
	Creates, Fetches bool
}

const (
	// sideBySide is how many sequences are sent at the same time. Where responses take less than soon, every other lot is
	// sent one after the other, so that no request of another sequence comes between; over a network it would take a minute.
	sideBySide = 8
	soon       = 20 * time.Millisecond
	// attempts is how many sequences are shrunk for one requirement, until one fails again.
	attempts = 6
)

type exploration struct {
	Config
	target Target
	gen    *generator
	// known counts the attempts to shrink what breaks a requirement. What the run has found broken is not shrunk.
	known map[spec.ID]int
	// sequences counts them, and far says that responses take long.
	sequences int
	far       bool
	// aside is how many creations are kept for shrinking.
	aside int

	spent, executions atomic.Int64 // spent counts requests
}

// Run sends sequences after what a run has sent, until the budget is spent. Where a read lacks an animal that may be too
// young for a replica that lags, it waits once until that explains nothing, so that what later sequences lack is judged.
func Run(ctx context.Context, t Target, cfg Config) {
	e := &exploration{Config: cfg, target: t, known: map[spec.ID]int{}, gen: newGenerator(cfg), aside: min(t.CreatesLeft()/4, 12)}
	h := t.History()
	for _, f := range judge.Sequences(h)(h.All).Broken {
		e.known[f.Requirement] = attempts
	}
	e.far = len(h.All) > 0 && h.All[len(h.All)-1].Done > soon
	for before, waited := int64(-1), false; before < e.spent.Load() && e.left() > 0 && ctx.Err() == nil; {
		before = e.spent.Load()
		if lacks := e.sendBatch(ctx); lacks && !waited {
			waited = true
			t.Age(ctx)
		}
	}
}

// left is how many requests may be sent.
func (e *exploration) left() int { return e.Requests - int(e.spent.Load()) }

// sendBatch sends sequences, and shrinks each that breaks something new. It reports whether a read lacked an animal.
func (e *exploration) sendBatch(ctx context.Context) (lacks bool) {
	width, inTurn := sideBySide, e.sequences/sideBySide%2 == 0
	if e.far {
		width, inTurn = 2*sideBySide, false
	}
	sent, batch, first := make([][]history.Exchange, width), make([][]plan.Request, width), e.sequences+1
	var wait sync.WaitGroup
	for i := range batch {
		batch[i] = e.gen.next(e.sequences)
		e.sequences++
		wait.Go(func() { sent[i] = e.execute(ctx, fmt.Sprint(first+i), batch[i], e.aside) })
		if inTurn {
			wait.Wait()
		}
	}
	wait.Wait()
	judged := judge.Sequences(judge.About(e.target.History(), slices.Concat(sent...)))
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
