package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"petconform/reports"
	"petconform/reports/decision"
	"petconform/spec/bounded"
)

// partFlags says how a partial run ends.
type partFlags struct {
	AcceptPart bool `name:"accept-part" help:"Exit with 0 if a partial run (--only, --skip, --read-only, --quick, --phase) leaves nothing broken or undecided. Every output still calls it a part."`
}

func (p partFlags) apply(in *reports.Input) { in.Policy.AcceptPart = p.AcceptPart }

// neededFlags say what a release needs beyond conformance.
type neededFlags struct {
	P99  span     `name:"p99" help:"Gate: 99 of 100 accepted requests take at most this long under load, of each plan. Default: no gate." placeholder:"TIME"`
	Need []string `name:"need" help:"Gate: what the decision on a release requires: check (a check run), load (a load run), comparison (an earlier run)." enum:"check,load,comparison" placeholder:"NAME"`
}

// policy returns the gates that were asked for.
func (g neededFlags) policy() decision.Policy {
	return decision.Policy{Check: slices.Contains(g.Need, "check"), Load: slices.Contains(g.Need, "load"),
		Comparison: slices.Contains(g.Need, "comparison"), P99: time.Duration(g.P99)}
}

// gateFlags say what a decision rests on beside the run. Nothing but flags does.
type gateFlags struct {
	partFlags
	neededFlags
}

func (f gateFlags) apply(in *reports.Input) {
	in.Policy = in.Policy.With(f.policy())
	f.partFlags.apply(in)
}

// runFlags are those of a run against a service, by check or by load.
type runFlags struct {
	CategoryID  int64 `group:"What to check:" name:"category-id" help:"A categoryId that exists, since a service may refuse others (default: one that a listing shows, else 1)." placeholder:"ID" repeat:""`
	ReadOnly    bool  `group:"What to check:" help:"Create no animals, and leave out what needs to create one." repeat:""`
	Strict      bool  `group:"What to check:" help:"Let a broken should fail the run, like a broken must."`
	gateFlags   `group:"Release gates:"`
	Waivers     string `group:"Release gates:" help:"YAML file of waivers." placeholder:"FILE"`
	Build       string `group:"Release gates:" help:"Version and commit of the build under test, for the report." placeholder:"TEXT"`
	Environment string `group:"Release gates:" help:"Name of the environment, for the report." placeholder:"TEXT"`
}

// span is a time above 0.
type span time.Duration

// String writes s as UnmarshalText reads it.
func (s span) String() string { return time.Duration(s).String() }

// UnmarshalText reads a time like 2s.
func (s *span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not a time above 0; use one like 60s or 2500ms", text)
	}
	*s = span(d)
	return nil
}

// dayLength is the length of the day whose quota a load spends; 0, written off, spends none.
type dayLength span

// UnmarshalText reads a time like 24h, or off.
func (d *dayLength) UnmarshalText(text []byte) error {
	if string(text) == "off" {
		*d = 0
		return nil
	}
	return (*span)(d).UnmarshalText(text)
}

// dayOf reads the day of --as-of; "" is today.
func dayOf(text string) (time.Time, error) {
	if text == "" {
		return time.Now().UTC(), nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return day, usage("--as-of %q is not a day; use one like 2030-12-05", text)
	}
	return day, nil
}

func readFile[T any](flag, name string, read func(io.Reader) (T, error)) (all T, err error) {
	f, err := bounded.Open(name, bounded.Small)
	if err != nil {
		return all, usage("%s: %w", flag, err)
	}
	defer func() { _ = f.Close() }()
	if all, err = read(f); err != nil {
		return all, usage("%s %s: %w", flag, name, err)
	}
	return all, nil
}
