// Package proof shows that the suite can be trusted: it runs the suite against the reference service with each
// deviation switched on, which has to be named, and with each freedom, which has to be left alone.
package proof

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

// Service says what a run is made against.
type Service struct {
	Deviations, Freedoms []string
	// Animals are there from the start.
	Animals int
	// Plan is the key's; Business when empty.
	Plan spec.Plan
	// Concurrency is the run's; the default when 0.
	Concurrency int
	// Latency is how long an exchange takes; a millisecond when 0.
	Latency  time.Duration
	ReadOnly bool
	// Seed chooses the values that differ from run to run; the default when 0.
	Seed uint64
	// Only are the ids of the checks and rules to which the run is limited; all if empty.
	Only []string
	// Deep makes a deep run.
	Deep bool
	// Explore is how many requests more are sent in generated sequences.
	Explore int
	// Patience is how long is asked again for what a replica does not show yet; the default when 0.
	Patience time.Duration
}

// Against makes a standard run against the reference service, in this process and without a network, and judges it.
func Against(ctx context.Context, s Service) (verdict.Results, *exchange.Recording, error) {
	s = s.complete()
	key := exchange.NewSecret("pet-Key-0123456789-abcdef")
	service, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "own", Secret: key, Plan: s.Plan}},
		Deviations: s.Deviations, Freedoms: s.Freedoms, Seed: s.Animals})
	if err != nil {
		return verdict.Results{}, nil, err
	}
	cfg := run.Config{
		Base: &url.URL{Scheme: "http", Host: "reference.example", Path: "/v1"}, Key: key,
		CategoryID: 1, ReadOnly: s.ReadOnly, MaxCreates: run.DefaultMaxCreates,
		Concurrency: s.Concurrency, AsOf: time.Now().UTC(), Seed: s.Seed, Deep: s.Deep, Explore: s.Explore, Run: "proof",
		Patience: s.Patience, Tool: "petconform/proof",
		Transport: inprocess.Transport{Handler: service, Latency: s.Latency}}
	rec, err := run.Send(ctx, cfg, s.Only...)
	if rec == nil {
		return verdict.Results{}, nil, err
	}
	// An error that ended the run early is in the recording, and so in the verdict.
	return judge.Recording(rec), rec, nil
}

func (s Service) complete() Service {
	if s.Plan.PerMinute == 0 {
		s.Plan = spec.Business
	}
	s.Concurrency, s.Seed = cmp.Or(s.Concurrency, run.DefaultConcurrency), cmp.Or(s.Seed, run.DefaultSeed)
	s.Patience = cmp.Or(s.Patience, run.DefaultPatience)
	return s
}

// Row is what the suite says of one deviation.
type Row struct {
	Deviation deviations.Deviation
	Verdict   verdict.Run
	// Named are the musts found broken; Missed are declared and not among them, Undeclared are among them and not
	// declared.
	Named, Missed, Undeclared []spec.ID
	// By are the checks and rules that found it.
	By []string
}

// Caught reports whether the deviation was named, and nothing else was.
func (r Row) Caught() bool {
	return len(r.Missed) == 0 && len(r.Undeclared) == 0 && r.Verdict == verdict.Deviates
}

// Weigh compares what a run says with what its deviation declares.
func Weigh(d deviations.Deviation, r verdict.Results) Row {
	row := Row{Deviation: d, Verdict: r.Verdict, Named: r.Failed(spec.Must)}
	for _, id := range d.Breaks {
		if !slices.Contains(row.Named, id) {
			row.Missed = append(row.Missed, id)
		}
	}
	for _, id := range row.Named {
		if !slices.Contains(d.Breaks, id) && !slices.Contains(d.May, id) {
			row.Undeclared = append(row.Undeclared, id)
		}
	}
	for _, c := range r.Checks {
		if c.Verdict == verdict.Failed {
			row.By = append(row.By, c.ID)
		}
	}
	return row
}

// Standard are the deviations that a standard run has to meet.
func Standard() []deviations.Deviation {
	return slices.DeleteFunc(deviations.All(), func(d deviations.Deviation) bool {
		return d.Needs != deviations.Standard && d.Needs != deviations.Animals
	})
}
