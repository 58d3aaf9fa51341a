package conformance

import (
	"context"
	"errors"
	"sync"

	"petconform/spec/exchange"
	"petconform/spec/history"
)

// target is a run against a live service, from which the specs of a suite get their exchanges.
type target struct {
	cfg Config

	mu      sync.Mutex
	planned *Plan
	run     *live
	whole   *history.History
	err     error
}

func (t *target) plan(p Plan) { t.planned = &p }

// send sends what is planned, once.
func (t *target) send(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.open(ctx); err != nil {
		return err
	}
	if t.planned != nil && t.whole == nil {
		t.run.sendAll(ctx)
		_, _ = t.run.close(ctx) // what stopped the run is in the recording, and so in the verdict
		t.whole = t.run.history()
	}
	return nil
}

func (t *target) open(ctx context.Context) error {
	if t.run != nil || t.err != nil {
		return t.err
	}
	plan := Plan{}
	if t.planned != nil {
		plan = *t.planned
	}
	t.run, t.err = open(ctx, t.cfg, plan)
	return t.err
}

// reach sends the first requests of a run, and says when there is no service to judge.
func (t *target) reach(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.open(ctx); err != nil {
		return err
	}
	if errors.Is(t.run.stopped, ErrNoTarget) {
		return t.run.stopped
	}
	return nil
}

func (t *target) exchanges(ctx context.Context, s subject) (*history.History, error) {
	if err := t.send(ctx); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.whole == nil {
		t.run.sendFor(ctx, s.id, closure(t.cfg, s.sends))
		return t.run.history(), nil
	}
	return t.whole, nil
}

func (t *target) recording(ctx context.Context) (*exchange.Recording, *history.History, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.err != nil:
		return nil, nil, t.err
	case t.run == nil:
		return nil, nil, errors.New("nothing was selected, so nothing was sent")
	}
	t.run.plan.Filtered = t.run.plan.Filtered || len(t.run.plan.Judged) < len(subjects(t.cfg))
	rec, err := t.run.close(ctx)
	return rec, t.run.history(), err
}

func (t *target) faults() []Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.run == nil || t.run.fault == nil {
		return nil
	}
	return []Fault{*t.run.fault}
}
