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

// Config configures an exploration.
type Config struct {
	// Requests and Creates are the largest numbers of requests and creations, shrinking included. If Creates is 0 the
	// exploration only reads. It may leave up to seven of Requests unspent, because one call may take eight.
	Requests, Creates int
	// Meta is that of the recording. Its run, seed, category and day matter.
	Meta exchange.Meta
	// Patience is how long an animal may be missing; default DefaultPatience. It must be the one in Meta's settings.
	Patience time.Duration
	// Before are the earlier exchanges of the run. Reads must show their animals too.
	Before []history.Exchange
	// Known are the requirements that the run has already found broken. They are not shrunk.
	Known []spec.ID
	// Progress is called after each sequence with the requests sent, of Requests. It may be nil.
	Progress func(sent, of int)
}

// Report counts what an exploration sent. Judge and Cards return what it found.
type Report struct{ Requests, Creates int }

// mostPerCall is the largest number of requests of one call, which is repeated after a 429 or a lost connection.
const mostPerCall = 8

// errSpent ends the exploration.
var errSpent = errors.New("the exploration's budget is spent")

// explorer is an exploration in progress.
type explorer struct {
	cfg    Config
	client *client.Client
	begun  int // requests that the client had sent before
	stem   func() string
	// category is that of the animals that the exploration creates.
	category int64

	mu       sync.Mutex
	creates  int // left
	inFlight int // calls in flight
	all      []history.Exchange
	created  []history.Creation
	known    []spec.ID
	there    int // the number of animals in the longest unfiltered listing
	// past are the earlier sequences. A failure may depend on them.
	past [][]action
}

// Run explores until its budget is spent. It returns an error of the client or of the context.
func Run(ctx context.Context, c *client.Client, cfg Config) (Report, error) {
	if cfg.Patience <= 0 {
		cfg.Patience = DefaultPatience
	}
	e := &explorer{cfg: cfg, client: c, begun: c.Requests(), stem: stems(cfg.Meta.Run), creates: cfg.Creates,
		known: slices.Clone(cfg.Known)}
	e.keep(cfg.Before...)
	e.category, _ = history.From(cfg.Meta, nil, cfg.Before).Category()
	g := newGenerator(cfg.Meta.Seed, cfg.Creates == 0, cfg.Meta.AsOf.Before(spec.Removal))
	var err error
	first := e.aimed()
	for n := 1; err == nil; n++ {
		var sequence []action
		if n <= len(first) {
			sequence = g.allowed(first[n-1])
		} else {
			sequence = g.next()
		}
		if len(sequence) > 0 {
			err = e.explore(ctx, n, sequence)
		}
		if cfg.Progress != nil {
			cfg.Progress(e.sent(), cfg.Requests)
		}
	}
	if errors.Is(err, errSpent) {
		err = nil
	}
	return Report{Requests: e.sent(), Creates: cfg.Creates - e.creates}, err
}

// explore sends a sequence and shrinks it if it breaks a new requirement.
func (e *explorer) explore(ctx context.Context, n int, sequence []action) error {
	own, err := e.execute(ctx, fmt.Sprintf("%d", n), sequence, e.cfg.Patience)
	defer func() { e.past = append(e.past, sequence) }()
	known := e.known
	broken := e.broken(own, e.cfg.Patience, known)
	if len(broken) == 0 || err != nil {
		return err
	}
	e.known = slices.Concat(known, broken)
	return e.shrink(ctx, n, sequence, known)
}

// broken returns the requirements, other than those that are known, that the exchanges of one execution break.
func (e *explorer) broken(own []history.Exchange, patience time.Duration, known []spec.ID) (ids []spec.ID) {
	h := history.From(e.cfg.Meta, nil, inOrder(e.all))
	for _, f := range findingsOf(h, newReader(h, patience), own) {
		if !slices.Contains(known, f.Requirement) {
			ids = append(ids, f.Requirement)
		}
	}
	return ids
}

func inOrder(all []history.Exchange) []history.Exchange {
	return slices.SortedStableFunc(slices.Values(all), func(a, b history.Exchange) int { return a.N - b.N })
}

func (e *explorer) sent() int { return e.client.Requests() - e.begun }

// take begins a call if the budget allows it.
func (e *explorer) take(creates bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.sent()+mostPerCall*(e.inFlight+1) > e.cfg.Requests {
		return errSpent
	}
	if creates {
		if e.creates <= 0 {
			return errNoCreates
		}
		e.creates--
	}
	e.inFlight++
	return nil
}

// errNoCreates leaves an action out.
var errNoCreates = errors.New("the exploration's creations are spent")

// settle ends a call. It takes back a creation that the target refused.
func (e *explorer) settle(creates bool, x history.Exchange) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inFlight--
	if creates && x.Answered() && x.Status()/100 != 2 && x.Status() < 500 {
		e.creates++
	}
	if x.N > 0 {
		e.keep(x)
	}
}

// keep stores exchanges and the animals that they created.
func (e *explorer) keep(all ...history.Exchange) {
	e.all = append(e.all, all...)
	for _, x := range all {
		if _, status, plain := x.Listing(); plain && status == "" {
			e.there = max(e.there, x.Len())
		}
	}
	e.created = append(e.created, history.From(e.cfg.Meta, nil, all).Created()...)
}
