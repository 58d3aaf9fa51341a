package drive

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"petconform/conformance/check"
	"petconform/conformance/checks"
	"petconform/conformance/explore"
)

// turns are the parts of a run, one after the other: most checks, those that are Last, and those that are Spare.
const turns = 3

func turn(c check.Check) int {
	switch {
	case c.Spare:
		return 2
	case c.Last:
		return 1
	}
	return 0
}

// SendFor sends what a check or a rule reads and the plan does not have yet.
func (r *Live) SendFor(ctx context.Context, id string) {
	if !slices.Contains(r.plan.Judged, id) {
		r.plan = PlanFor(r.Config, append(r.plan.Judged, id))
	}
	r.SendPlan(ctx)
}

// SendPlan sends the checks of the plan that have not been sent, turn by turn, and then explores.
func (r *Live) SendPlan(ctx context.Context) {
	unsent := keepIf(r.plan.Sent, func(c check.Check) bool { return !r.Done(c.ID) })
	explores := slices.Contains(r.plan.Judged, explore.CheckID) && !r.explored
	if r.rec.End != nil || r.stopped != nil || len(unsent) == 0 && !explores {
		return
	}
	ctx, done := r.Context(ctx)
	defer done(nil)
	for n := range turns {
		own := keepIf(unsent, func(c check.Check) bool { return turn(c) == n })
		if n == 2 {
			own = r.affordable(own)
		}
		r.sendTurn(ctx, n, own)
		if n == 0 {
			r.SendOpen(ctx, own)
		}
	}
	if r.Deep {
		r.SendDeep(ctx, unsent)
	}
	r.SendParts(ctx, unsent)
	if id := checks.ListedCreated.ID; slices.ContainsFunc(unsent, func(c check.Check) bool { return c.ID == id }) {
		checks.AtTheEnd(r.Sender(ctx, id))
	}
	r.stopped = r.cause(ctx)
	if explores {
		r.explored = true
		r.stopped = cmp.Or(r.stopped, r.explore(ctx))
	}
	if r.stopped == nil {
		r.stopped = r.Client.Confirm(ctx)
	}
}

// sendTurn sends checks concurrently, each after the checks that it needs or comes after. A partial run keeps this
// order: a check that comes after one that is left out comes after what that one waits for. Further requests are sent
// as soon as every check has created its animals.
func (r *Live) sendTurn(ctx context.Context, n int, own []check.Check) {
	if r.Concurrency == 1 { // in the order of the plan, in which each comes after those that it needs
		for _, c := range own {
			r.Send(ctx, c)
		}
		if n == 0 {
			r.SendFurther(ctx, own)
		}
		return
	}
	slots := make(chan struct{}, max(1, r.Concurrency))
	done := map[string]chan struct{}{}
	ofTurn := keepIf(checks.All(), func(c check.Check) bool { return turn(c) == n })
	for _, c := range ofTurn {
		done[c.ID] = make(chan struct{})
	}
	var group sync.WaitGroup
	for _, c := range ofTurn {
		sends := slices.ContainsFunc(own, func(d check.Check) bool { return d.ID == c.ID })
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
				r.Send(ctx, c)
			}
		})
	}
	if n == 0 {
		group.Go(func() {
			for _, c := range ofTurn {
				if c.Send != nil && c.Writes() {
					<-done[c.ID]
				}
			}
			r.SendFurther(ctx, own)
		})
	}
	group.Wait()
}

// affordable returns the spare checks for which the others have left enough of check.StandardRequests, first those that
// can have findings. A full run sends all.
func (r *Live) affordable(spare []check.Check) []check.Check {
	left := check.StandardRequests - r.Client.Requests()
	slices.SortStableFunc(spare, func(a, b check.Check) int {
		return cmp.Compare(observes(a), observes(b))
	})
	return keepIf(spare, func(c check.Check) bool {
		if r.Deep || c.Requests <= left {
			left -= c.Requests
			return true
		}
		r.LeaveOut(c.ID, fmt.Sprintf("the other checks used the %d requests of a quick run; --deep sends this one too", check.StandardRequests))
		return false
	})
}

// observes is 1 for a check whose requirements are all open, else 0.
func observes(c check.Check) int {
	if check.OnlyOpen(c.Requirements()) {
		return 1
	}
	return 0
}

// keepIf returns the values that keep accepts.
func keepIf[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(v T) bool { return !keep(v) })
}
