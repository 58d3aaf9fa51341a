package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"petconform/conformance/explore"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// live is a run against a target. It sends what its plan asks for, and records it.
type live struct {
	cfg    Config
	plan   Plan
	client *client.Client
	rec    *exchange.Recording
	writer *exchange.Writer
	stop   func()
	// began is the beginning of the run by the monotonic clock.
	began time.Time

	mu       sync.Mutex
	all      []exchange.Exchange
	read     map[string][]history.Exchange
	sent     map[string]bool // the checks, and the exploration
	creates  int             // creations that are left of MaxCreates
	made     int             // animals created, wanted or not
	posting  int             // createPet requests in flight
	finished int
	skipped  map[string]string
	gaveUp   map[string][]string
	// exploring is how many requests the run spends on generated sequences.
	exploring int
	givenUp   map[readKind]bool // reads that lacked an animal until the patience ended
	polling   chan struct{}     // taken by the read that is sent again and again
	lagged    time.Duration     // the longest that a replica was seen to lag
	lag       sync.Once         // tells once that the run waits for a replica
	// stopped is the reason why the run ended early. failed is set if the reason is fault.
	stopped, failed error
	fault           *Fault
	cancel          context.CancelCauseFunc
}

// Send sends what all checks and rules need, or those with the ids in only, and returns the recording. The error says what ended
// the run early; the recording then has the exchanges until the end.
func Send(ctx context.Context, cfg Config, only ...string) (*exchange.Recording, error) {
	plan := wholePlan(cfg)
	if len(only) > 0 {
		plan = planFor(cfg, only)
	}
	r, err := open(ctx, cfg, plan)
	if err != nil {
		return nil, err
	}
	r.send(ctx)
	return r.close(ctx)
}

// open begins a run. It sends the first listing and, if that fails, requests that show whether the target is the service at all.
func open(ctx context.Context, cfg Config, plan Plan) (*live, error) {
	if cfg.problem != nil {
		return nil, cfg.problem
	}
	r := &live{cfg: cfg, plan: plan, exploring: cfg.Exploring(), creates: cfg.MaxCreates,
		read: map[string][]history.Exchange{}, sent: map[string]bool{}, skipped: map[string]string{},
		gaveUp: map[string][]string{}, givenUp: map[readKind]bool{}, polling: make(chan struct{}, 1)}
	if r.cfg.Transport == nil {
		r.cfg.Transport = client.NewTransport(client.DefaultConnections)
	}
	r.stop, r.began = r.cfg.serve(), time.Now()
	r.rec = &exchange.Recording{Meta: r.meta()}
	out := cfg.Recording
	if out == nil {
		out = io.Discard
	}
	var err error
	if r.writer, err = exchange.NewWriter(out, r.rec.Meta); err != nil {
		return nil, err
	}
	r.rec.Meta.Format = exchange.Format
	r.client, err = client.New(client.Config{Base: r.cfg.Base, Key: cfg.Key, Secrets: cfg.Secrets, Transport: r.cfg.Transport,
		Timeout: cfg.Timeout, MaxWait: cfg.MaxWait, MaxBodies: exchange.MaxBodies + int64(cfg.Explore)*bodiesOfSequence,
		MaxRequests: cfg.MaxRequests, UserAgent: cfg.Tool, Waiting: r.waiting,
		Record: func(x exchange.Exchange) error {
			x.Sent = r.at(x.Sent)
			r.keep(x)
			return r.writer.Write(x)
		}})
	if err != nil {
		return nil, err
	}
	r.sendOne(ctx, listAll)
	r.cfg.CategoryID, _ = r.history().Category()
	if r.stopped = r.preflight(ctx); r.stopped == nil && r.cfg.Reached != nil {
		r.cfg.Reached()
	}
	return r, nil
}

// at converts a time for the recording: the beginning of the run plus the time since then by the monotonic clock. So it does not
// matter if the machine's clock is set during the run.
func (r *live) at(t time.Time) time.Time { return r.began.UTC().Add(t.Sub(r.began)) }

// since is how long ago a time of the recording is.
func (r *live) since(t time.Time) time.Duration { return r.at(time.Now()).Sub(t) }

func (r *live) meta() exchange.Meta {
	m := exchange.Meta{Kind: "check", Tool: r.cfg.Tool, Target: r.cfg.Base.String(), Way: r.cfg.Way, Access: r.cfg.Access, Reference: r.cfg.Reference,
		Build: r.cfg.Build, Environment: r.cfg.Environment, Run: r.cfg.Run, Seed: r.cfg.Seed,
		Started: r.began.UTC(), AsOf: r.cfg.AsOf, CategoryID: r.cfg.CategoryID, ReadOnly: r.cfg.ReadOnly,
		Strict: r.cfg.Strict, Deep: r.cfg.Deep, Filtered: r.plan.Filtered, Planned: r.plan.Judged}
	if r.exploring > 0 {
		m.Settings = explore.Settings(r.patience())
	}
	return m
}

// sendOne sends one check, once, within the budget of creations. A Send that panics ends the run.
func (r *live) sendOne(ctx context.Context, c Check) {
	r.mu.Lock()
	again := r.sent[c.ID]
	r.sent[c.ID] = true
	r.mu.Unlock()
	if again || c.Send == nil || ctx.Err() != nil {
		return
	}
	s := r.sender(ctx, c)
	if c.Creates > 0 && !r.takeCreates(c.Creates) {
		s.Skip(beyondBudget)
	} else {
		before := r.createdBy(c.ID)
		r.guard(c.ID, func() { c.Send(s) })
		if c.Creates > 0 {
			r.giveBack(c.Creates - (r.createdBy(c.ID) - before))
		}
	}
	r.noteSkipped(s)
	r.mu.Lock()
	r.finished++
	r.mu.Unlock()
	r.progress(Event{})
}

func (r *live) sender(ctx context.Context, c Check) *Sender {
	return &Sender{ctx: ctx, check: c.ID, run: r, Rand: rand.New(rand.NewPCG(r.cfg.Seed, hash(c.ID)))}
}

// guard calls a function of a check. A panic in it ends the run without a verdict. The process goes on and completes the
// recording.
func (r *live) guard(check string, send func()) {
	defer func() {
		if p := recover(); p != nil {
			r.mu.Lock()
			if r.fault == nil {
				r.fault = &Fault{fmt.Sprintf("sending %s: %v", check, p), string(debug.Stack())}
				r.failed = fmt.Errorf("petconform has a fault of its own: %v", r.fault.Value)
			}
			r.mu.Unlock()
			if r.cancel != nil {
				r.cancel(r.failed)
			}
		}
	}()
	send()
}

// cause says what has ended the run, if something has.
func (r *live) cause(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return cmp.Or(r.failed, r.stopped, r.client.Err(), context.Cause(ctx))
}

// close ends the recording. It may be called again, and changes nothing then.
func (r *live) close(ctx context.Context) (*exchange.Recording, error) {
	if r.rec.End != nil {
		return r.rec, r.stopped
	}
	if t, ok := r.cfg.Transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections() // a server that shuts down waits for connections that it was never asked on
	}
	r.stop()
	stopped := r.cause(ctx)
	r.rec.Meta.Planned, r.rec.Meta.Filtered = r.plan.Judged, r.plan.Filtered
	r.rec.Exchanges = inOrder(r.all)
	r.rec.End = &exchange.End{Ended: r.at(time.Now()), Skipped: maps.Clone(r.skipped), GaveUp: maps.Clone(r.gaveUp), Waited: r.client.Waited()}
	if stopped != nil {
		r.rec.End.NoTarget = errors.Is(stopped, ErrNoTarget)
		r.rec.End.Stopped = stopped.Error()
		if errors.Is(stopped, context.Canceled) {
			r.rec.End.Stopped = "interrupted"
		}
	}
	return r.rec, errors.Join(stopped, r.writer.End(*r.rec.End))
}
