package run

import (
	"context"
	"time"

	"petconform/conformance/explore"
	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/history"
)

// explore spends what the plan has for it on generated sequences. Once a read lacks an animal, it waits until those that
// there are by then are older than the patience. What reads lack at the end is asked again as ever.
func (r *Run) explore(ctx context.Context) {
	if r.plan.Exploring == 0 || len(r.History().Of(judge.ExploreID)) > 0 {
		return
	}
	cfg, why := r.exploring()
	if why != "" || r.client.Err() != nil || ctx.Err() != nil {
		r.skipped[judge.ExploreID] = why
		return
	}
	from := r.Sent()
	explore.Run(ctx, explorable{r, from}, cfg)
	r.settle(ctx, from)
	if r.Sent() == from {
		r.skipped[judge.ExploreID] = "the target took none of its requests"
	}
}

// exploring is what an exploration may send, or why it may not.
func (r *Run) exploring() (cfg explore.Config, why string) {
	cfg = explore.Config{Seed: r.Seed, Requests: r.plan.Exploring, Creates: !r.ReadOnly, Fetches: r.AsOf.Before(spec.Removal)}
	if r.Config.Explore == 0 {
		cfg.Requests = min(cfg.Requests, plan.FullRequests-r.Sent()-leastAsked)
	}
	if r.MaxRequests > 0 {
		cfg.Requests = min(cfg.Requests, r.MaxRequests-r.Sent()-leastAsked)
	}
	full := r.Config
	full.Deep = true
	for _, s := range Subjects(full) {
		if c, sends := plan.Find(s.ID); sends {
			cfg.Checks = append(cfg.Checks, c)
		}
	}
	switch {
	case r.narrowed != "":
		return cfg, r.narrowed
	case cfg.Requests <= 0:
		return cfg, "the checks used up the requests of the run"
	}
	return cfg, ""
}

// explorable lets an exploration send through the run.
type explorable struct {
	*Run
	from int
}

// Age implements [explore.Target].
func (r explorable) Age(ctx context.Context) {
	_, newest := r.disagreeing(r.from)
	_ = spec.Sleep(ctx, r.Patience-r.at(time.Now()).Sub(newest)) // the exploration ends if ctx does
}

// CreatesLeft implements [explore.Target].
func (r explorable) CreatesLeft() int { return r.budget.left() }

// Send implements [explore.Target].
func (r explorable) Send(ctx context.Context, call client.Call) (x history.Exchange, sent bool) {
	row, _ := plan.RowOf(call.Check, call.Step)
	if r.narrow() != "" {
		return x, false
	}
	return r.send(ctx, row, call)
}
