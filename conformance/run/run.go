// Package run sends a plan: phase by phase, the rows of a phase side by side, within the budgets. Then it asks again
// what disagrees with the model of the store. It records everything and judges nothing.
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Run is a run against a target.
type Run struct {
	Config
	plan Plan
	// complete says that everything that the plan has was sent.
	complete bool
	client   *client.Client
	began    time.Time        // by the monotonic clock
	writer   *exchange.Writer // nil until the size of the run is known
	end      *exchange.End
	budget   *budget
	narrowed string // why a full run goes on as a quick one
	stopped  error
	// closeTarget stops what serves Config.Handler.
	closeTarget func()
	sent        map[string]bool // requests, by name
	skipped     map[string]string
	gaveUp      map[string][]string

	mu     sync.Mutex // of what changes while requests are in flight
	all    []history.Exchange
	fault  *Fault
	cancel context.CancelCauseFunc
}

// Fault is a panic of petconform itself. A run with one has no verdict.
type Fault struct {
	Value any
	Stack string
}

// Error says that the run ended by a panic.
func (f *Fault) Error() string { return fmt.Sprintf("petconform has a fault of its own: %v", f.Value) }

// Send sends what all checks and rules need, or those with the ids in only, and returns the recording. The error says
// what ended the run early; the recording then has the exchanges until the end.
func Send(ctx context.Context, cfg Config, only ...string) (*exchange.Recording, error) {
	p := Whole(cfg)
	if len(only) > 0 {
		p = PlanFor(cfg, only)
	}
	r, err := Open(ctx, cfg, p)
	if err != nil {
		return nil, err
	}
	r.SendPlan(ctx)
	return r.Close(ctx)
}

// Open begins a run. It sends the first listing and, if that fails, requests that show whether the target is the
// service at all.
func Open(ctx context.Context, cfg Config, p Plan) (*Run, error) {
	if cfg.Problem != nil {
		return nil, cfg.Problem
	}
	for _, name := range cfg.Skip {
		if !slices.Contains(Names(), name) {
			return nil, unknown(name, Names())
		}
	}
	if cfg.Transport == nil {
		cfg.Transport = client.NewTransport(client.DefaultConnections)
	}
	r := &Run{Config: cfg, plan: p, closeTarget: func() {}, began: time.Now(),
		budget: &budget{most: [2]int{onPurpose: cmp.Or(cfg.Wanted, cfg.MaxCreates), ofAll: cfg.MaxCreates}},
		sent:   map[string]bool{}, skipped: map[string]string{}, gaveUp: map[string][]string{}}
	if len(p.Sent) == 0 {
		r.plan.Sent = plan.Sent(nil, false, cfg.ReadOnly) // the first listing shows whether there is a service
	}
	if cfg.Handler != nil {
		server := httptest.NewServer(cfg.Handler)
		r.Base = &url.URL{Scheme: "http", Host: server.Listener.Addr().String(), Path: cfg.Base.Path}
		r.closeTarget = server.Close
	}
	if !cfg.Fitted {
		if err := r.begin(); err != nil {
			return nil, err
		}
	}
	var err error
	r.client, err = client.New(client.Config{Base: r.Base, Key: cfg.Key, Secrets: cfg.Secrets, Transport: cfg.Transport,
		Timeout: cfg.Timeout, MaxWait: cfg.MaxWait, MaxOutage: cfg.MaxOutage, MaxBodies: exchange.MaxBodies + int64(cfg.Explore)*bodiesOfSequence,
		UserAgent: cfg.Tool, Record: r.record, Waiting: func(why string, wait time.Duration) { r.progress(Event{Waiting: why, Wait: wait}) }})
	if err != nil {
		return nil, err
	}
	r.sendAll(ctx, plan.Found, r.state().Requests(r.plan.Sent, plan.Found, r.Deep))
	r.stopped = r.preflight(ctx)
	return r, nil
}

// bodiesOfSequence is what each request of Config.Explore adds to the largest size of all bodies.
const bodiesOfSequence = 32 << 10

// preflight ends a run against something that is not the service: a wrong address or a refused key would show as a
// hundred deviations, or as none. When the first listing is not a 200, two more requests are sent to see whether any
// operation answers.
func (r *Run) preflight(ctx context.Context) error {
	h := r.History()
	if len(h.All) == 0 {
		return errors.Join(r.client.Err(), context.Cause(ctx))
	}
	attempts := h.OfRow(h.All[0].Check, h.All[0].Step)
	x := attempts[len(attempts)-1]
	ask := func(row plan.Row) { _, _ = r.ask(ctx, r.state(), judge.Preflight, row) }
	switch {
	case x.Status() == http.StatusOK && !history.LooksLikeAPage(x):
	case errors.Is(r.client.Err(), client.ErrSilent), x.Failure != nil && x.Failure.Kind == exchange.Unreachable:
	default:
		ask(plan.Row{Step: "limit=1", Path: "/pets?limit=1"})
		if !r.ReadOnly { // a service that has createPet refuses a body without any field
			ask(plan.Row{Step: "empty-object", Method: http.MethodPost, Path: "/pets", Body: "{}"})
		}
	}
	if err := errors.Join(r.client.Err(), context.Cause(ctx)); err != nil && !errors.Is(err, client.ErrSilent) {
		return err
	}
	return judge.NoTarget(r.History())
}

// at converts a time for the recording: the beginning of the run plus the time since then by the monotonic clock. So it
// does not matter if the machine's clock is set during the run.
func (r *Run) at(t time.Time) time.Time { return r.began.UTC().Add(t.Sub(r.began)) }

func (r *Run) begin() (err error) {
	r.Format, r.Kind, r.Target, r.Started = exchange.Format, "check", r.Base.String(), r.began.UTC()
	r.Planned, r.Filtered = r.plan.Judged, r.plan.Filtered
	r.writer, err = exchange.NewWriter(cmp.Or(r.Recording, io.Discard), r.Meta)
	return err
}

// fit decides on the size of the run by its first exchange, if that is still open.
func (r *Run) fit(first exchange.Exchange) error {
	if r.writer != nil {
		return nil
	}
	r.Deep = judge.Affords(first, plan.FullRequests)
	p := PlanFor(r.Config, r.plan.Judged)
	p.Filtered = r.plan.Filtered
	r.plan = p
	return r.begin()
}

// History returns what has been sent so far as it is judged, with the end of the run if it has ended.
func (r *Run) History() *history.History {
	r.mu.Lock()
	defer r.mu.Unlock()
	end := r.end
	if end == nil {
		end = &exchange.End{Skipped: maps.Clone(r.skipped), GaveUp: maps.Clone(r.gaveUp)}
	}
	return r.recorded(end).Judgeable()
}

// Sent is how many requests the run has sent.
func (r *Run) Sent() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.all)
}

func (r *Run) progress(e Event) {
	if r.Progress != nil {
		e.Requests = r.Sent()
		e.Planned, _ = r.plan.Count()
		r.Progress(e)
	}
}

// recorded has the exchanges so far in the order of their numbers.
func (r *Run) recorded(end *exchange.End) *history.History {
	byNumber := func(x, y history.Exchange) int { return cmp.Compare(x.N, y.N) }
	return history.From(r.Meta, end, slices.SortedStableFunc(slices.Values(r.all), byNumber))
}

// Fault returns the panic that ended the run; nil if there was none.
func (r *Run) Fault() *Fault {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fault
}

// guard calls a function of the run. A panic in it ends the run without a verdict. The process goes on and completes the
// recording.
func (r *Run) guard(what string, do func()) {
	defer func() {
		if p := recover(); p != nil {
			r.mu.Lock()
			r.fault = cmp.Or(r.fault, &Fault{fmt.Sprintf("sending %s: %v", what, p), string(debug.Stack())})
			r.mu.Unlock()
			if r.cancel != nil {
				r.cancel(r.fault)
			}
		}
	}()
	do()
}

func (r *Run) cause(ctx context.Context) error {
	if f := r.Fault(); f != nil {
		return f
	}
	return cmp.Or(r.stopped, r.client.Err(), context.Cause(ctx))
}

// Close ends the recording. It may be called again, and changes nothing then.
func (r *Run) Close(ctx context.Context) (*exchange.Recording, error) {
	if r.end == nil {
		// A server that shuts down waits for connections that it was never asked on.
		(&http.Client{Transport: r.Transport}).CloseIdleConnections()
		r.closeTarget()
		if err := r.fit(exchange.Exchange{}); err != nil { // nothing was sent
			return nil, err
		}
		r.stopped = r.cause(ctx)
		r.Planned, r.Filtered = r.plan.Judged, r.plan.Filtered
		end := &exchange.End{Ended: r.at(time.Now()), Skipped: r.skipped, GaveUp: r.gaveUp, Narrowed: r.narrow(),
			Waited: r.client.Waited()}
		if r.stopped != nil {
			end.NoTarget = errors.Is(r.stopped, judge.ErrNoTarget)
			end.Stopped = r.stopped.Error()
			if errors.Is(r.stopped, context.Canceled) {
				end.Stopped = "interrupted"
			}
		}
		r.end = end
		if err := r.writer.End(*end); err != nil {
			r.stopped = cmp.Or(r.stopped, fmt.Errorf("the recording could not be written: %w", err))
			end.Stopped = cmp.Or(end.Stopped, r.stopped.Error())
		}
	}
	return &exchange.Recording{Meta: r.Meta, End: r.end, Exchanges: r.recorded(r.end).Exchanges()}, r.stopped
}
