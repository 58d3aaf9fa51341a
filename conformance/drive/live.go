// Package drive runs the checks: it plans what is sent, sends it side by side, and judges what was recorded.
package drive

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"time"

	"petconform/conformance/check"
	"petconform/conformance/checks"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Live is a run against a target. It sends what its plan asks for, and records it.
type Live struct {
	*check.Run
	plan     Plan
	rec      *exchange.Recording
	writer   *exchange.Writer
	explored bool
	out      io.Writer
	// fitted says that the first response decides, or has decided, on the size.
	fitted bool
	// unlimited says that the run is full because its first response showed no limit.
	unlimited bool
	advised   sync.Once
	// closeTarget stops what serves Config.Handler.
	closeTarget func()
	// stopped is the reason why the run ended early.
	stopped error
}

// Send sends what all checks and rules need, or those with the ids in only, and returns the recording. The error says
// what ended the run early; the recording then has the exchanges until the end.
func Send(ctx context.Context, cfg check.Config, only ...string) (*exchange.Recording, error) {
	plan := Whole(cfg)
	if len(only) > 0 {
		plan = PlanFor(cfg, only)
	}
	r, err := Open(ctx, cfg, plan)
	if err != nil {
		return nil, err
	}
	r.SendPlan(ctx)
	return r.Close(ctx)
}

// Open begins a run. It sends the first listing and, if that fails, requests that show whether the target is the
// service at all.
func Open(ctx context.Context, cfg check.Config, plan Plan) (*Live, error) {
	if cfg.Problem != nil {
		return nil, cfg.Problem
	}
	for _, name := range slices.Concat(cfg.Skip, slices.Sorted(maps.Keys(cfg.Waivers))) {
		if !slices.Contains(Names(), name) {
			return nil, unknown(name, Names())
		}
	}
	if cfg.Transport == nil {
		cfg.Transport = client.NewTransport(client.DefaultConnections)
	}
	r := &Live{plan: plan, closeTarget: func() {}}
	if cfg.Handler != nil {
		server := httptest.NewServer(cfg.Handler)
		cfg.Base = &url.URL{Scheme: "http", Host: server.Listener.Addr().String(), Path: cfg.Base.Path}
		r.closeTarget = server.Close
	}
	if told := cfg.Progress; told != nil {
		cfg.Progress = func(e check.Event) {
			e.Of, e.Planned = len(r.plan.Sent), r.plan.Requests()+r.plan.Exploring
			told(e)
		}
	}
	r.Run, r.fitted, r.out = check.NewRun(cfg), cfg.Fitted, cfg.Recording
	if r.out == nil {
		r.out = io.Discard
	}
	r.rec = &exchange.Recording{}
	if !r.fitted {
		if err := r.begin(); err != nil {
			return nil, err
		}
	}
	var err error
	r.Client, err = client.New(client.Config{Base: cfg.Base, Key: cfg.Key, Secrets: cfg.Secrets, Transport: cfg.Transport,
		Timeout: cfg.Timeout, MaxWait: cfg.MaxWait, MaxBodies: exchange.MaxBodies + int64(cfg.Explore)*bodiesOfSequence,
		MaxRequests: cfg.MaxRequests, UserAgent: cfg.Tool, Waiting: r.waits,
		Record: func(x exchange.Exchange) error {
			x.Sent = r.At(x.Sent)
			if err := r.fit(x); err != nil {
				return err
			}
			r.rec.Exchanges = append(r.rec.Exchanges, x)
			r.Keep(x)
			return r.writer.Write(x)
		}})
	if err != nil {
		return nil, err
	}
	r.Send(ctx, checks.ListAll)
	r.CategoryID, _ = r.History().Category()
	r.stopped = r.preflight(ctx)
	return r, nil
}

// begin writes the first line of the recording.
func (r *Live) begin() (err error) {
	r.Meta = r.meta()
	r.rec.Meta = r.Meta
	r.rec.Meta.Format = exchange.Format
	r.writer, err = exchange.NewWriter(r.out, r.Meta)
	return err
}

// fit decides on the size of the run by its first exchange, if that is still open.
func (r *Live) fit(first exchange.Exchange) error {
	if r.writer != nil {
		return nil
	}
	full := fullRequests(r.Config)
	r.Deep, r.Fitted = affords(first, full) && (r.MaxRequests == 0 || full <= r.MaxRequests), false
	_, shown := limitOf(first)
	r.unlimited = r.Deep && !shown
	r.plan = r.plan.sized(r.Config)
	if err := r.begin(); err != nil {
		return err
	}
	if r.Progress != nil {
		sends := "about " + spec.Number(r.plan.Requests()+r.plan.Exploring)
		size := sizeOf(&exchange.Recording{Meta: r.Meta, Exchanges: []exchange.Exchange{first}}, sends)
		r.Progress(check.Event{Size: size})
	}
	return nil
}

func (r *Live) meta() exchange.Meta {
	return exchange.Meta{Kind: "check", Tool: r.Tool, Target: r.Base.String(), Way: r.Way, Flags: r.Flags, Reference: r.Reference,
		Build: r.Build, Environment: r.Environment, Run: r.Config.Run, Seed: r.Seed, Started: r.Began.UTC(), AsOf: r.AsOf,
		CategoryID: r.CategoryID, ReadOnly: r.ReadOnly, Strict: r.Strict, Deep: r.Deep, Fitted: r.fitted, Patience: r.Patience,
		Filtered: r.plan.Filtered, Planned: r.plan.Judged}
}

// History returns what has been sent so far as it is judged, with the end of the run if it has ended.
func (r *Live) History() *history.History {
	h := r.Run.History()
	if r.rec.End != nil {
		h.Meta, h.End = r.rec.Meta, r.rec.End
	}
	return h.Judgeable()
}

// cause says what has ended the run, if something has.
func (r *Live) cause(ctx context.Context) error {
	if f := r.Fault(); f != nil {
		return f
	}
	return cmp.Or(r.stopped, r.Client.Err(), context.Cause(ctx))
}

// Close ends the recording. It may be called again, and changes nothing then.
func (r *Live) Close(ctx context.Context) (*exchange.Recording, error) {
	if r.rec.End != nil {
		return r.rec, r.stopped
	}
	// A server that shuts down waits for connections that it was never asked on.
	(&http.Client{Transport: r.Transport}).CloseIdleConnections()
	r.closeTarget()
	if err := r.fit(exchange.Exchange{}); err != nil { // nothing was sent
		return nil, err
	}
	stopped, h := r.cause(ctx), r.History()
	r.rec.Meta.Planned, r.rec.Meta.Filtered = r.plan.Judged, r.plan.Filtered
	r.rec.Exchanges = inOrder(r.rec.Exchanges)
	r.rec.End = &exchange.End{Ended: r.At(time.Now()), Skipped: h.End.Skipped, GaveUp: h.End.GaveUp, Waited: r.Client.Waited()}
	if stopped != nil {
		r.rec.End.NoTarget = errors.Is(stopped, ErrNoTarget)
		r.rec.End.Stopped = stopped.Error()
		if errors.Is(stopped, context.Canceled) {
			r.rec.End.Stopped = "interrupted"
		}
	}
	return r.rec, errors.Join(stopped, r.writer.End(*r.rec.End))
}
