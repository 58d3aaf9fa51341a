package run

import (
	"context"
	"slices"

	"petconform/conformance/judge"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// OneByOne judges a run whose checks are each sent when their spec runs, as Ginkgo's own RunSpecs has it, and only those with
// the given labels, if there are any.
func OneByOne(ctx context.Context, cfg Config, labelled ...string) (verdict.Results, *exchange.Recording, error) {
	run, err := Open(ctx, cfg, Plan{})
	if err != nil {
		return verdict.Results{}, nil, err
	}
	var judged []judge.Judgement
	found, at := (*judge.Run)(nil), -1
	for _, one := range Subjects(cfg) {
		if len(labelled) == 0 || slices.ContainsFunc(one.Labels, func(l string) bool { return slices.Contains(labelled, l) }) {
			run.SendFor(ctx, one.ID)
			if at != run.Sent() {
				found, at = judge.Of(run.History()), run.Sent()
			}
			judged = append(judged, one.Judge(found))
		}
	}
	rec, err := run.Close(ctx)
	return judge.Sum(rec, run.History(), judged, nil), rec, err
}
