package conformance

import (
	"context"

	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// OneByOne judges a run whose checks are each sent when their spec runs, as Ginkgo's own RunSpecs has it, and only those with
// the given labels, if there are any.
func OneByOne(ctx context.Context, cfg Config, labelled ...string) (verdict.Results, *exchange.Recording, error) {
	t := &target{cfg: cfg}
	var all []Judgement
	for _, s := range subjects(cfg) {
		if len(labelled) > 0 && !sharesLabel(s, labelled) {
			continue
		}
		h, err := t.exchanges(ctx, s)
		if err != nil {
			return verdict.Results{}, nil, err
		}
		all = append(all, s.judge(h))
	}
	s := &Suite{cfg: cfg, source: t}
	s.finish(ctx, all, nil)
	rec, _, err := t.recording(ctx)
	return s.Results(), rec, err
}

func sharesLabel(s subject, labelled []string) bool {
	for _, l := range s.labels {
		for _, want := range labelled {
			if l == want {
				return true
			}
		}
	}
	return false
}

// Samples are the checks that a rule alone sends.
var Samples = samples

// NextPage is nextPage.
var NextPage = nextPage
