package drive

import (
	"context"
	"slices"

	"petconform/conformance/check"
	"petconform/spec/exchange"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// OneByOne judges a run whose checks are each sent when their spec runs, as Ginkgo's own RunSpecs has it, and only those with
// the given labels, if there are any.
func OneByOne(ctx context.Context, cfg check.Config, labelled ...string) (verdict.Results, *exchange.Recording, error) {
	run, err := Open(ctx, cfg, Plan{})
	if err != nil {
		return verdict.Results{}, nil, err
	}
	var judged []check.Judgement
	for _, one := range Subjects(cfg) {
		if len(labelled) == 0 || slices.ContainsFunc(one.Labels, func(l string) bool { return slices.Contains(labelled, l) }) {
			run.SendFor(ctx, one.ID)
			judged = append(judged, one.Judge(run.History()))
		}
	}
	rec, err := run.Close(ctx)
	return Sum(rec, run.History(), judged, nil), rec, err
}

// Samples are the checks that a rule alone sends.
func Samples(r rules.Rule) []string { return OfRule(r).sends }
