package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"time"

	"petconform/load"
	"petconform/reports"
	"petconform/reports/compare"
	"petconform/reports/decision"
	"petconform/reports/rerun"
	"petconform/reports/waiver"
	"petconform/spec/bounded"
	"petconform/spec/verdict"
)

// partFlags says how a partial run ends.
type partFlags struct {
	AcceptPart bool `name:"accept-part" help:"Exit with 0 if a partial run (--only, --skip, --read-only, --quick, --phase, --shard) leaves nothing broken or undecided. Every output still calls it a part."`
}

// neededFlags say what a release needs beyond conformance.
type neededFlags struct {
	P99  span     `name:"p99" help:"Gate: 99 of 100 accepted requests take at most this long under load, of each plan. Default: no gate." placeholder:"TIME"`
	Need []string `name:"need" help:"Gate: what the decision on a release requires: check (a check run), load (a load run), comparison (an earlier run)." enum:"check,load,comparison" placeholder:"NAME"`
}

func (f neededFlags) policy() decision.Policy {
	return decision.Policy{Check: slices.Contains(f.Need, "check"), Load: slices.Contains(f.Need, "load"),
		Comparison: slices.Contains(f.Need, "comparison"), P99: time.Duration(f.P99)}
}

// reportFlags say what a report rests on beside the run. Nothing but flags does.
type reportFlags struct {
	partFlags
	neededFlags
	Waivers string `help:"YAML file of waivers." placeholder:"FILE"`
	Since   string `help:"Folder of an earlier run to compare this run with." placeholder:"DIR"`
}

// beside is what a report rests on beside the run: gates, waivers, and an earlier run of the target.
func (f reportFlags) beside(target verdict.Target) (in reports.Input, err error) {
	in.Policy = f.policy()
	in.Policy.AcceptPart = f.AcceptPart
	if f.Since != "" {
		if info, err := os.Stat(f.Since); err != nil || !info.IsDir() {
			return in, usage("--since %s is not the folder of a run", f.Since)
		}
		before, err := openRun(reports.Opening{}, f.Since)
		if err != nil {
			return in, noVerdict(fmt.Errorf("--since: %w", err))
		}
		if then := before.Results.Target; !compare.OneTarget(then, target) {
			return in, usage("--since %s is a run of %s, and this one is of %s; petconform diff compares two targets", f.Since, then.URL, target.URL)
		}
		in.Previous = &before
	}
	if f.Waivers == "" {
		return in, nil
	}
	data, err := bounded.ReadText(f.Waivers, bounded.Small)
	if err == nil {
		in.Waivers, err = waiver.Parse(data)
	}
	if err != nil {
		return in, usage("--waivers %s: %w; README.md has a waiver to copy", f.Waivers, err)
	}
	return in, nil
}

// resting returns in, resting on what beside has.
func resting(in, beside reports.Input) reports.Input {
	in.Policy, in.Previous, in.Waivers = beside.Policy, beside.Previous, beside.Waivers
	return in
}

// runFlags are those of a run against a service, by check, load or signoff.
type runFlags struct {
	CategoryID  int64 `group:"What to check:" name:"category-id" help:"A categoryId that exists, since a service may refuse others (default: one that a listing shows, else 1)." placeholder:"ID" repeat:""`
	ReadOnly    bool  `group:"What to check:" help:"Create no animals, and leave out what needs to create one." repeat:""`
	Strict      bool  `group:"What to check:" help:"Let a broken should fail the run, like a broken must."`
	reportFlags `group:"Release gates:"`
	Build       string `group:"Release gates:" help:"Version and commit of the build under test, for the report." placeholder:"TEXT"`
	Environment string `group:"Release gates:" help:"Name of the environment, for the report." placeholder:"TEXT"`
	Out         string `group:"Output:" help:"Folder for the recording, the results and the report. Default: petconform-out; petconform-part for a check of a selection." placeholder:"DIR"`
	DryRun      bool   `group:"Output:" help:"Print what would be sent, and send nothing."`
	Verbose     bool   `group:"Output:" short:"v" help:"Print every check and rule with its verdict and evidence, and all that there is to say of each failure."`
	Format      string `group:"Output:" help:"text, or line: a line for each place where a failure shows, for editors and grep. Default: text." enum:"text,line" default:"text" placeholder:"FORMAT"`
}

// run runs a command that sends, and writes its report. send gets what the report rests on beside the run. In a dry run
// it prints what it would send.
func (f *runFlags) run(a *app, begun verdict.Results, send func(beside *reports.Input) (reports.Input, error), add ...addition) error {
	if f.DryRun {
		_, err := send(&reports.Input{})
		return cmp.Or(err, a.err.Failed())
	}
	f.Out, a.lines, a.told = cmp.Or(f.Out, rerun.DefaultFolder), f.Format == "line", []string{f.Build, f.Environment}
	target := begun.Target
	target.Environment = f.Environment
	beside, err := f.beside(target) // --since may name the folder that the run is going to overwrite
	return a.reported(f.Out, begun, func() error {
		if err != nil {
			return err
		}
		if beside.Previous != nil && len(add) == 0 {
			beside.Previous.Recordings = nil // which only a bundle has
		}
		in, err := send(&beside)
		if err != nil {
			return err
		}
		return a.conclude(f.Out, resting(in, beside), f.Verbose, add...)
	})
}

// span is a time above 0.
type span time.Duration

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

func readFile(flag, name string) ([]byte, error) {
	data, err := bounded.ReadText(name, bounded.Small)
	if err != nil {
		return nil, usage("%s: %w", flag, err)
	}
	return data, nil
}

// readKeys reads the file of --keys; "" has none.
func (a *app) readKeys(name string) (plans []load.PlanKey, err error) {
	if name == "" {
		return nil, nil
	}
	data, err := readFile("--keys", name)
	if err != nil {
		return nil, err
	}
	if plans, err = load.ReadKeys(string(data)); err != nil {
		return nil, usage("--keys %s: %w", name, err)
	}
	for _, p := range plans {
		a.hide(p.Key)
	}
	return plans, nil
}
