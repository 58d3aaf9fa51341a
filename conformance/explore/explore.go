package explore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"petconform/conformance/checks"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

type Config struct {
	// Requests and Creates are the largest numbers of requests and creations, shrinking included. If Creates is 0 the
	// exploration only reads. It may leave some of Requests unspent, because one call may take eight.
	Requests, Creates int
	// Accepted is how many animals more may be created by requests that have to be refused.
	Accepted int
	// Concurrency is how many sequences are sent at the same time; 0 means one.
	Concurrency int
	// Meta is that of the recording. Its run, seed, category and day matter.
	Meta exchange.Meta
	// Before are the earlier exchanges of the run. Reads must show their animals too.
	Before []history.Exchange
	// Known are the requirements that the run has already found broken. They are not shrunk.
	Known []spec.ID
}

// Report counts what an exploration sent. Judge and Cards return what it found.
type Report struct{ Requests, Creates int }

// mostPerCall is the largest number of requests of one call, which is repeated after a 429 or a lost connection.
const mostPerCall = 8

// errSpent ends the exploration.
var errSpent = errors.New("the exploration's budget is spent")

type explorer struct {
	cfg    Config
	client *client.Client
	begun  int // requests that the client had sent before
	// category is that of the animals that the exploration creates.
	category int64
	// byDefault is the target's limit of a listing that asks for none.
	byDefault int

	mu       sync.Mutex
	creates  int // left
	aside    int // creations left that only shrinking may spend
	accepted int // left
	inFlight int // calls in flight
	all      []history.Exchange
	created  []history.Creation
	known    []spec.ID
	there    int // the number of animals in the longest unfiltered listing
	// older are the ids of the animals that the run had created when the sequences in flight began, and listed is what
	// there was then.
	older  []string
	listed int
	// alone says that sequences are sent one after the other from now on.
	alone bool
}

// Run explores until its budget is spent. It returns an error of the client or of the context.
func Run(ctx context.Context, c *client.Client, cfg Config) (Report, error) {
	e := &explorer{cfg: cfg, client: c, begun: c.Requests(), creates: cfg.Creates, accepted: cfg.Accepted,
		known: slices.Clone(cfg.Known)}
	e.setAside()
	e.keep(cfg.Before...)
	before := history.From(cfg.Meta, nil, cfg.Before)
	e.category, _ = before.Category()
	e.byDefault = checks.EffectiveDefault(before)
	g := newGenerator(cfg.Meta.Seed, cfg.Creates == 0, cfg.Meta.AsOf.Before(spec.Removal))
	var err error
	first := e.aimed()
	for n := 1; err == nil; {
		var together [][]action
		for ; len(together) < e.atOnce(); n++ {
			if n <= len(first) {
				together = append(together, g.allowed(first[n-1]))
			} else {
				together = append(together, g.next())
			}
		}
		err = e.explore(ctx, n-len(together), together)
	}
	if errors.Is(err, errSpent) {
		err = nil
	}
	return Report{Requests: e.sent(), Creates: cfg.Creates - e.creates - e.aside}, err
}

// explore sends sequences at the same time, the first with the number n, and shrinks each that breaks a new
// requirement.
func (e *explorer) explore(ctx context.Context, n int, sequences [][]action) error {
	sent, errs := make([][]history.Exchange, len(sequences)), make([]error, len(sequences))
	e.begin()
	var wait sync.WaitGroup
	for i, sequence := range sequences {
		wait.Go(func() { sent[i], errs[i] = e.execute(ctx, fmt.Sprint(n+i), sequence, e.cfg.Meta.Patience) })
	}
	wait.Wait()
	for i, sequence := range sequences {
		known := e.known
		if broken := e.broken(sent[i], e.cfg.Meta.Patience, known); len(broken) > 0 && errs[i] == nil {
			var again bool
			e.known = slices.Concat(known, broken)
			if again, errs[i] = e.shrink(ctx, n+i, sequence, known); !again && !e.alone && len(sequences) > 1 {
				e.known, e.alone = known, true // it may take requests of several sequences, so that nobody could read it
			}
		}
		if errs[i] != nil {
			return errs[i]
		}
	}
	return nil
}

// atOnce is how many sequences are sent at the same time.
func (e *explorer) atOnce() int {
	if e.alone {
		return 1
	}
	return max(1, e.cfg.Concurrency)
}

// begin notes the animals of the run for the sequences that are sent next, so that their requests do not depend on each
// other.
func (e *explorer) begin() {
	e.older, e.listed = nil, e.there
	for _, c := range e.created {
		if c.Answered.ID != "" {
			e.older = append(e.older, c.Answered.ID)
		}
	}
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

// take begins a call if the budget allows it. budget is that of its creation; nil for a call that creates nothing.
func (e *explorer) take(budget *int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.sent()+e.inFlight+mostPerCall > e.cfg.Requests {
		return errSpent
	}
	if budget != nil {
		if *budget <= 0 {
			return errNoCreates
		}
		*budget--
	}
	e.inFlight++
	return nil
}

// budget returns what a creation is taken from: one that has to be refused has its own. If that is none, both share
// one.
func (e *explorer) budget(c client.Call) *int {
	switch refused := strings.HasPrefix(c.Step, "CREATE-") || !c.Auth.Valid(); {
	case c.Method != http.MethodPost:
		return nil
	case refused && e.cfg.Accepted > 0:
		return &e.accepted
	}
	return &e.creates
}

// errNoCreates leaves an action out.
var errNoCreates = errors.New("the exploration's creations are spent")

// settle ends a call. It takes back a creation that the target refused.
func (e *explorer) settle(budget *int, x history.Exchange) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inFlight--
	if budget != nil && x.Answered() && x.Status()/100 != 2 && x.Status() < 500 {
		*budget++
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
