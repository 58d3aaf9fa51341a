package conformance

import (
	"context"

	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// OneByOne judges a run whose checks are each sent when their spec runs, as Ginkgo's own RunSpecs has it, and only those with
// the given labels, if there are any.
func OneByOne(ctx context.Context, cfg Config, labelled ...string) (verdict.Results, *exchange.Recording, error) {
	s := newSuite(cfg)
	var all []Judgement
	for _, one := range s.subjects {
		if len(labelled) > 0 && !sharesLabel(one, labelled) {
			continue
		}
		j, err := s.judge(ctx, one)
		if err != nil {
			return verdict.Results{}, nil, err
		}
		all = append(all, j)
	}
	s.finish(ctx, all, nil)
	return s.Results(), s.run.rec, nil
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
