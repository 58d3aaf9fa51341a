package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Config is what an exploration needs to know.
type Config struct {
	// Requests and Creates bound what is sent and what it creates, shrinking included. Without Creates it only reads. Of
	// Requests up to seven may be left over: a call is not begun when waiting out a 429 could take it beyond the bound.
	Requests, Creates int
	// Meta is the recording's: its run, seed, category and day count.
	Meta exchange.Meta
	// Patience is how long an animal may be missing; 0 means DefaultPatience. It has to be the one in Meta's settings.
	Patience time.Duration
	// Before is what the run has sent already; its animals are looked for too.
	Before []history.Exchange
	// Known are requirements that the run has found broken already: no request is spent on them again.
	Known []spec.ID
	// Progress is told of each sequence: what is sent of Requests. It may be nil.
	Progress func(sent, of int)
}

// Report is what an exploration did. What it found, Judge and Cards read from the recording.
type Report struct {
	Requests, Creates, Sequences int
	// Failures counts sequences that failed in a way that none before did, Shrunk those of them that were made shorter.
	Failures, Shrunk int
}

// mostPerCall is how many sendings one call may come to: 429s that are waited out, connections that were lost. The last
// requests of a budget are not begun when they could go beyond it.
const mostPerCall = 8

// errSpent ends the sending of a sequence within the bounds.
var errSpent = errors.New("the exploration's budget is spent")

// explorer is an exploration under way.
type explorer struct {
	cfg    Config
	client *client.Client
	begun  int // what the client had sent before
	stem   func() string

	mu      sync.Mutex
	creates int // left
	under   int // calls under way
	all     []history.Exchange
	created []history.Creation
	byID    map[string]history.Creation
	known   []spec.ID
	there   int
	// past are the sequences that were sent before, since a target may remember them.
	past   [][]action
	report Report
}

// Run explores. The error is the client's or the context's; a budget that is spent is none.
func Run(ctx context.Context, c *client.Client, cfg Config) (Report, error) {
	if cfg.Patience <= 0 {
		cfg.Patience = DefaultPatience
	}
	e := &explorer{cfg: cfg, client: c, begun: c.Requests(), stem: stems(cfg.Meta.Run), creates: cfg.Creates,
		byID: map[string]history.Creation{}, known: slices.Clone(cfg.Known)}
	e.keep(cfg.Before...)
	g := newGenerator(cfg.Meta.Seed, cfg.Creates == 0, cfg.Meta.AsOf.Before(spec.Removal))
	var err error
	for n := 1; err == nil; n++ {
		sequence := g.next()
		if len(sequence) > 0 {
			err = e.explore(ctx, n, sequence)
		}
		if cfg.Progress != nil {
			cfg.Progress(e.sent(), cfg.Requests)
		}
	}
	e.report.Requests, e.report.Creates = e.sent(), cfg.Creates-e.creates
	if errors.Is(err, errSpent) {
		err = nil
	}
	return e.report, err
}

// explore sends a sequence and, when it fails in a way that is new, makes it shorter.
func (e *explorer) explore(ctx context.Context, n int, sequence []action) error {
	own, err := e.execute(ctx, fmt.Sprintf("%d", n), sequence, e.cfg.Patience)
	e.report.Sequences++
	defer func() { e.past = append(e.past, sequence) }()
	broken := e.broken(own, e.cfg.Patience)
	broken = slices.DeleteFunc(broken, func(id spec.ID) bool { return slices.Contains(e.known, id) })
	if len(broken) == 0 || err != nil {
		return err
	}
	e.report.Failures++
	e.known = append(e.known, broken...)
	return e.shrink(ctx, n, sequence, own, broken)
}

// broken gives the musts that the exchanges of one execution break.
func (e *explorer) broken(own []history.Exchange, patience time.Duration) []spec.ID {
	h := history.From(e.cfg.Meta, nil, inOrder(e.all))
	var ids []spec.ID
	for _, f := range findingsOf(h, newReader(h, patience), own) {
		if !slices.Contains(ids, f.Requirement) {
			ids = append(ids, f.Requirement)
		}
	}
	return ids
}

func inOrder(all []history.Exchange) []history.Exchange {
	return slices.SortedStableFunc(slices.Values(all), func(a, b history.Exchange) int { return a.N - b.N })
}

func (e *explorer) sent() int { return e.client.Requests() - e.begun }

// take begins a call, if the budget allows it.
func (e *explorer) take(creates bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.sent()+mostPerCall*(e.under+1) > e.cfg.Requests {
		return errSpent
	}
	if creates {
		if e.creates <= 0 {
			return errNoCreates
		}
		e.creates--
	}
	e.under++
	return nil
}

// errNoCreates leaves an action out: nothing more may be created.
var errNoCreates = errors.New("the exploration's creations are spent")

// settle ends a call: an animal that was not created is given back.
func (e *explorer) settle(creates bool, x history.Exchange) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.under--
	if creates && x.Answered() && x.Status()/100 != 2 && x.Status() < 500 {
		e.creates++
	}
	if x.N > 0 {
		e.keep(x)
	}
}

// keep notes exchanges, and what they created.
func (e *explorer) keep(all ...history.Exchange) {
	e.all = append(e.all, all...)
	for _, c := range history.From(e.cfg.Meta, nil, all).Created() {
		e.created = append(e.created, c)
		if c.Answered.ID != "" {
			e.byID[c.Answered.ID] = c
		}
	}
}
