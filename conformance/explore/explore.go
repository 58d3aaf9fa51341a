// Package explore sends generated sequences of requests, which are rows in a random order, and shrinks those that break
// something that the run had not found broken. It judges nothing itself: package judge does, from the recording.
package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/history"
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

// sideBySide is how many sequences are sent at the same time. Where responses take less than soon, every other lot is sent
// one after the other, so that no request of another sequence comes between; over a network that would take a minute.
const (
	sideBySide = 8
	soon       = 20 * time.Millisecond
)

// Exploration sends sequences until its budget is spent.
type Exploration struct {
	Config
	target Target
	gen    *generator
	// known counts the attempts to shrink what breaks a requirement. What the run has found broken is not shrunk.
	known map[spec.ID]int
	// young are the sequences that lacked an animal before the run waited, and waited says that it has.
	young  []numbered
	waited bool
	// batches and sequences count what was sent.
	batches, sequences int
	// far says that responses take long.
	far bool
	// aside is how many creations are kept for shrinking.
	aside int

	mu         sync.Mutex
	spent      int // requests
	executions int
}

type numbered struct {
	n int
	sequence
}

// New prepares an exploration after what a run has sent.
func New(t Target, cfg Config) *Exploration {
	e := &Exploration{Config: cfg, target: t, known: map[spec.ID]int{}, gen: newGenerator(rand.New(rand.NewPCG(cfg.Seed, 0x6578706c6f7265)), cfg)}
	h := t.History()
	for _, f := range judge.Sequences(h)(h.All).Broken {
		e.known[f.Requirement] = attempts
	}
	took := time.Duration(0)
	for _, x := range h.All {
		took += x.Done
	}
	e.far = took > soon*time.Duration(len(h.All))
	e.aside = min(t.CreatesLeft()/4, 12)
	return e
}

// Run sends sequences until the budget is spent. It returns true once, when a read lacked an animal that may be too young
// for a replica that lags. Called again when the run's animals are older, it begins with the sequences of such reads.
func (e *Exploration) Run(ctx context.Context) (lacked bool) {
	for _, s := range e.young {
		own := e.execute(ctx, fmt.Sprint(later, s.n), s.sequence, e.aside)
		e.shrinkIfNew(ctx, s, e.judge(own)(own))
	}
	for e.spent < e.Requests && ctx.Err() == nil {
		before := e.spent
		e.sendBatch(ctx)
		if e.spent == before {
			return false
		}
		if len(e.young) > 0 && !e.waited {
			e.waited = true
			return true
		}
	}
	return false
}

// sendBatch sends sequences, and shrinks each that breaks something new.
func (e *Exploration) sendBatch(ctx context.Context) {
	e.batches++
	width := sideBySide
	if e.far {
		width *= 2
	}
	sent, batch, all := make([][]history.Exchange, width), make([]numbered, width), []history.Exchange{}
	var wait sync.WaitGroup
	for i := range batch {
		e.sequences++
		batch[i] = numbered{e.sequences, e.gen.next()}
		wait.Go(func() { sent[i] = e.execute(ctx, fmt.Sprint(batch[i].n), batch[i].sequence, e.aside) })
		if e.batches%2 == 1 && !e.far {
			wait.Wait()
		}
	}
	wait.Wait()
	for _, own := range sent {
		all = append(all, own...)
	}
	judged := e.judge(all)
	for i, s := range batch {
		found := judged(sent[i])
		if found.Lacks && len(found.Broken) == 0 && !e.waited {
			e.young = append(e.young, s)
		}
		e.shrinkIfNew(ctx, s, found)
	}
}

// shrinkIfNew shrinks a sequence that breaks something that the run has not found broken. What did not fail again is
// tried again with the sequences that break it next.
func (e *Exploration) shrinkIfNew(ctx context.Context, s numbered, found judge.Sequence) {
	var broken []spec.ID
	for _, f := range found.Broken {
		if e.known[f.Requirement] < attempts {
			e.known[f.Requirement]++
			broken = append(broken, f.Requirement)
		}
	}
	if len(broken) > 0 && e.shrink(ctx, s.n, s.sequence, broken) {
		for _, id := range broken {
			e.known[id] = attempts
		}
	}
}

// attempts is how many sequences are shrunk for one requirement, until one fails again.
const attempts = 6

// judge judges executions by the history of the run's creations and their own exchanges, and of the rows that these
// differ from in one thing.
func (e *Exploration) judge(own []history.Exchange) func(own []history.Exchange) judge.Sequence {
	h := e.target.History()
	compared, sent := map[string]bool{}, map[int]bool{}
	for _, x := range own {
		row, _ := plan.RowOf(x.Check, x.Step)
		compared[row.Unless], sent[x.N] = true, true
	}
	all := slices.DeleteFunc(slices.Clone(h.All), func(x history.Exchange) bool {
		return x.Operation != spec.CreatePet && !compared[x.Check+"/"+x.Step] && !sent[x.N]
	})
	return judge.Sequences(history.From(h.Meta, h.End, all))
}
