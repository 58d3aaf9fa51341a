// Package proof runs the suite against the reference service with deviations, which have to be named, and with freedoms,
// which have to be left alone. Only tests import it.
package proof

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

// Key is the API key of the runs.
var Key = exchange.NewSecret("pet-Key-0123456789-abcdef")

// Service says what a run is made against, and what of the run is not usual.
type Service struct {
	Deviations, Freedoms []string
	// Animals are there from the start.
	Animals int
	// Plan is the key's; Business when empty.
	Plan spec.Plan
	// Latency is how long an exchange takes; a millisecond when 0.
	Latency time.Duration
	// Only are the ids of the checks and rules to which the run is limited; all if empty.
	Only           []string
	ReadOnly, Deep bool
	// Concurrency, Seed and Patience are the defaults of a run when 0.
	Concurrency int
	Seed        uint64
	Patience    time.Duration
	Explore     int
	// Through carries the requests, if it is not nil: to the service, or not.
	Through func(service http.RoundTripper) http.RoundTripper
	// Change makes other changes of the run, if it is not nil.
	Change func(*run.Config)
}

// Config returns the configuration of a run against the service, in this process and without a network.
func (s Service) Config() (run.Config, error) {
	if s.Plan.PerMinute == 0 {
		s.Plan = spec.Business
	}
	service, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "own", Secret: Key, Plan: s.Plan}},
		Deviations: s.Deviations, Freedoms: s.Freedoms, Seed: s.Animals})
	cfg := run.Config{
		Meta: exchange.Meta{CategoryID: 1, ReadOnly: s.ReadOnly, AsOf: time.Now().UTC(), Seed: cmp.Or(s.Seed, run.DefaultSeed), Deep: s.Deep,
			Run: "proof", Patience: cmp.Or(s.Patience, run.DefaultPatience), Tool: "petconform/proof"},
		Base: &url.URL{Scheme: "http", Host: "reference.example", Path: "/v1"}, Key: Key, MaxCreates: run.DefaultMaxCreates,
		Concurrency: cmp.Or(s.Concurrency, run.DefaultConcurrency), Explore: s.Explore,
		Transport: inprocess.Transport{Handler: service, Latency: s.Latency}}
	if s.Through != nil {
		cfg.Transport = s.Through(cfg.Transport)
	}
	if s.Change != nil {
		s.Change(&cfg)
	}
	return cfg, err
}

// Against makes a run against the service, and judges it.
func Against(ctx context.Context, s Service) (verdict.Results, *exchange.Recording, error) {
	cfg, err := s.Config()
	if err != nil {
		return verdict.Results{}, nil, err
	}
	rec, err := run.Send(ctx, cfg, s.Only...)
	if rec == nil {
		return verdict.Results{}, nil, err
	}
	return judge.Recording(rec), rec, nil // what ended the run early is in the recording, and so in the verdict
}
