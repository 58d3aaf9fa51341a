package conformance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"petconform/conformance/explore"
)

// turns are the parts of a run, one after the other: most checks, those that are Last, and those that are Spare.
const turns = 3

func (c Check) turn() int {
	switch {
	case c.Spare:
		return 2
	case c.Last:
		return 1
	}
	return 0
}

// sendFor sends what a check or a rule reads and the plan does not have yet.
func (r *live) sendFor(ctx context.Context, id string) {
	if !slices.Contains(r.plan.Judged, id) {
		r.plan = planFor(r.cfg, append(r.plan.Judged, id))
	}
	r.send(ctx)
}

// send sends the checks of the plan that have not been sent, turn by turn, and then explores.
func (r *live) send(ctx context.Context) {
	unsent := keepIf(r.plan.Sent, func(c Check) bool { return !r.sent[c.ID] })
	explores := slices.Contains(r.plan.Judged, explore.CheckID) && !r.sent[explore.CheckID]
	if r.rec.End != nil || r.stopped != nil || len(unsent) == 0 && !explores {
		return
	}
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	for turn := range turns {
		checks := keepIf(unsent, func(c Check) bool { return c.turn() == turn })
		if turn == 2 {
			checks = r.affordable(checks)
		}
		r.sendTurn(ctx, turn, checks)
		if turn == 0 {
			r.sendFurther(ctx, checks)
		}
	}
	r.stopped = r.cause(ctx)
	if explores {
		r.sent[explore.CheckID] = true
		r.stopped = cmp.Or(r.stopped, r.explore(ctx))
	}
}

// sendTurn sends checks concurrently, each after the checks that it needs or comes after. A partial run keeps this order: a check
// that comes after one that is left out comes after what that one waits for.
func (r *live) sendTurn(ctx context.Context, turn int, checks []Check) {
	if r.cfg.Concurrency == 1 { // in the order of the plan, in which each comes after those that it needs
		for _, c := range checks {
			r.sendOne(ctx, c)
		}
		return
	}
	slots := make(chan struct{}, max(1, r.cfg.Concurrency))
	done := map[string]chan struct{}{}
	ofTurn := keepIf(Checks(), func(c Check) bool { return c.turn() == turn })
	for _, c := range ofTurn {
		done[c.ID] = make(chan struct{})
	}
	var group sync.WaitGroup
	for _, c := range ofTurn {
		sends := slices.ContainsFunc(checks, func(d Check) bool { return d.ID == c.ID })
		group.Go(func() {
			defer close(done[c.ID])
			for _, id := range slices.Concat(c.Needs, c.After) {
				if before, ok := done[id]; ok { // else it is of an earlier turn
					<-before
				}
			}
			if sends {
				slots <- struct{}{}
				defer func() { <-slots }()
				r.sendOne(ctx, c)
			}
		})
	}
	group.Wait()
}

// affordable returns the spare checks for which the others have left enough of StandardRequests, first those that can have
// findings. A deep run sends all.
func (r *live) affordable(spare []Check) []Check {
	left := StandardRequests - r.client.Requests()
	slices.SortStableFunc(spare, func(a, b Check) int {
		return cmp.Compare(observes(a), observes(b))
	})
	return keepIf(spare, func(c Check) bool {
		if r.cfg.Deep || c.Requests <= left {
			left -= c.Requests
			return true
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sent[c.ID], r.skipped[c.ID] = true, fmt.Sprintf("the other checks used the %d requests of a standard run; --deep sends this one too", StandardRequests)
		return false
	})
}

// observes is 1 for a check whose requirements are all open, else 0.
func observes(c Check) int {
	if onlyOpen(c.Requirements()) {
		return 1
	}
	return 0
}
