package explore_test

import (
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// patience is short, because a service in the same process does not lag.
const patience = 40 * time.Millisecond

var (
	key   = exchange.NewSecret("pet-Explored0123456789abc")
	base  = &url.URL{Scheme: "http", Host: "pets.example", Path: "/v1"}
	asOf  = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ample = spec.Plan{Name: spec.Enterprise.Name, PerMinute: 900_000, PerDay: 9_000_000}
)

func serve(tb testing.TB, cfg reference.Config) http.RoundTripper {
	tb.Helper()
	if len(cfg.Keys) == 0 {
		cfg.Keys = []reference.Key{{Name: "explored", Secret: key, Plan: ample}}
	}
	s, err := reference.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return inprocess.Transport{Handler: s, Latency: time.Nanosecond}
}

// explored is the result of an exploration.
type explored struct {
	recording *exchange.Recording
	history   *history.History
	report    explore.Report
	checks    []verdict.Check
}

func run(tb testing.TB, target http.RoundTripper, cfg explore.Config) explored {
	tb.Helper()
	if cfg.Meta.Patience == 0 {
		cfg.Meta.Patience = patience
	}
	if cfg.Meta.AsOf.IsZero() {
		cfg.Meta.AsOf = asOf
	}
	cfg.Meta = exchange.Meta{Format: exchange.Format, Kind: "check", Target: base.String(), Run: "t1", Seed: cfg.Meta.Seed, Started: asOf,
		AsOf: cfg.Meta.AsOf, CategoryID: 1, Planned: []string{explore.CheckID}, Patience: cfg.Meta.Patience}
	rec := &exchange.Recording{Meta: cfg.Meta}
	var mu sync.Mutex
	c, err := client.New(client.Config{Base: base, Key: key, Transport: target, Record: func(x exchange.Exchange) error {
		mu.Lock()
		defer mu.Unlock()
		rec.Exchanges = append(rec.Exchanges, x)
		return nil
	}})
	if err != nil {
		tb.Fatal(err)
	}
	report, err := explore.Run(tb.Context(), c, cfg)
	if err != nil {
		tb.Fatal(err)
	}
	slices.SortFunc(rec.Exchanges, func(a, b exchange.Exchange) int { return a.N - b.N })
	e := explored{recording: rec, history: history.Of(rec), report: report}
	e.checks, _ = rules.Judge(rules.All(), e.history)
	e.checks = append(e.checks, explore.Judge(e.history))
	return e
}

// findings returns the findings of every check.
func (e explored) findings() []verdict.Finding {
	var all []verdict.Finding
	for _, c := range e.checks {
		all = append(all, c.Findings...)
	}
	return all
}
