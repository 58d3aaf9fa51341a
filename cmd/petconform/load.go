package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/run"
	"petconform/load"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// rateFlags say which plans are loaded and how.
type rateFlags struct {
	Plan          []string       `help:"Plan to load: Free, Pro, Business or Enterprise; repeatable, all run side by side. Default: Free. Its key comes from PETCONFORM_KEY_FREE and so on, else PETCONFORM_KEY." placeholder:"NAME"`
	PerMinute     int64          `help:"Enterprise's requests per minute." placeholder:"N"`
	PerDay        int64          `help:"Enterprise's requests per day." placeholder:"N"`
	Minute        span           `help:"Length of the target's minute, for a target whose time is scaled. Default: 1m." placeholder:"TIME"`
	Day           dayLength      `help:"Also spend the quota of a day of this length: 24h, or less for a target whose time is scaled. Default: off." placeholder:"TIME"`
	Keys          string         `help:"File of many keys: one plan and key per line." placeholder:"FILE"`
	Shard         string         `help:"Load only this part of the keys: INDEX/COUNT, with the index from 0." placeholder:"I/N"`
	LimitsUnasked bool           `name:"limits-not-expected" help:"Do not require the target to enforce the plans' limits: if it never answers 429, report an observation instead of a failure. A sign-off has no verdict then."`
	ProvokeBan    bool           `help:"Repeat requests after a 429 until the key is banned. The key comes from PETCONFORM_KEY_BAN."`
	Phase         []record.Phase `help:"Phase to run; repeatable: ${phases}." placeholder:"NAME"`
}

type loadCommand struct {
	targetFlags `group:"Target:"`
	rateFlags   `group:"Load:"`
	Quick       bool `group:"Load:" help:"Run only the phases fill and recover: the exact limit, the 429 and the recovery, in three to five of the target's minutes."`
	runFlags
}

func (c *loadCommand) Run(ctx context.Context, a *app) error {
	return c.run(a, c.begun("load"), func(*reports.Input) (none reports.Input, err error) {
		cfg, t, err := c.config(ctx, a)
		if err != nil {
			return none, err
		}
		defer t.close()
		if err := schedule(a, cfg); err != nil || c.DryRun {
			return none, err
		}
		if err := c.waitReady(ctx, a, t); err != nil {
			return none, err
		}
		return c.send(ctx, a, cfg)
	})
}

func schedule(a *app, cfg load.Config) error {
	s, err := load.Plan(cfg)
	if err != nil {
		return usage("%w", err)
	}
	a.err.Schedule(cfg.Base.String(), s)
	if cfg.Phases == nil && !cfg.Quick && cfg.OtherKey.IsZero() {
		a.err.Paragraph("  ", "The isolation of keys (RATE-10) is not tested: set PETCONFORM_KEY_OTHER to a second key.")
	}
	return nil
}

// judgingGoal is the soft memory limit of the Go runtime while a load is judged, in bytes. With it a day of Business stays
// below 100 MB.
const judgingGoal = 48 << 20

// send runs the load and judges it. Its recording is in the folder even if a later step fails.
func (c *loadCommand) send(ctx context.Context, a *app, cfg load.Config) (none reports.Input, err error) {
	if err := c.refuseKeys(a, c.Build, c.Environment); err != nil {
		return none, err
	}
	recording, err := a.newRecording(reports.LoadRecordingFile)
	if err != nil {
		return none, err
	}
	p := terminal.NewProgress(a.err)
	cfg.Recording = recording
	cfg.Progress = p.Load
	endWatch := context.AfterFunc(ctx, func() { p.Stopped(context.Cause(ctx)) })
	rec, err := load.Run(ctx, cfg)
	endWatch()
	if f := (sender.Fault{}); errors.As(err, &f) {
		a.report(f.Value, f.Stack)
	}
	if rec == nil { // else the recording has the reason why the run stopped, and the verdict gives it
		return none, noVerdict(fmt.Errorf("load: %w", err))
	}
	a.stage("judging the load")
	debug.SetMemoryLimit(judgingGoal)
	results, err := load.Judge(rec)
	if err != nil {
		return none, noVerdict(fmt.Errorf("load: %w", err))
	}
	return reports.Input{Results: *results, Loaded: reports.Named(rec, *results)}, nil
}

func phases() string {
	var all []record.Phase
	for _, p := range load.Phases() {
		if !p.BanKey {
			all = append(all, p.ID)
		}
	}
	return spec.Join(all, ", ")
}

// config makes the load's configuration and opens the target, which the caller has to close.
func (c *loadCommand) config(ctx context.Context, a *app) (cfg load.Config, t *target, err error) {
	cfg = load.Config{Minute: time.Duration(c.Minute), Day: time.Duration(c.Day), LimitsNotExpected: c.LimitsUnasked,
		ProvokeBan: c.ProvokeBan, Timeout: time.Duration(c.Timeout), MaxWait: time.Duration(c.MaxWait), Quick: c.Quick, Phases: c.Phase,
		Meta: exchange.Meta{Build: c.Build, Environment: c.Environment, CategoryID: c.CategoryID, ReadOnly: c.ReadOnly,
			Tool: tool, AsOf: time.Now().UTC(), Strict: c.Strict,
			Seed: 1 + rand.Uint64N(1<<53-1)}} // every JSON reader keeps it exactly
	if cfg.Shard, cfg.Shards, err = load.ParseShard(c.Shard); err != nil {
		return cfg, nil, usage("%w", err)
	}
	if err = c.plans(a, &cfg); err != nil {
		return cfg, nil, err
	}
	if c.Target == "" {
		cfg.Minute = cmp.Or(cfg.Minute, scaledMinute)
	}
	if t, err = c.open(ctx, a, reference.Config{Minute: cfg.Minute, Day: max(cfg.Day, 1440*cfg.Minute)}, cfg.Plans); err != nil {
		return cfg, nil, err
	}
	cfg.Base, cfg.Connect, cfg.Secrets, cfg.Way, cfg.Flags = t.base, t.connect, t.secrets, t.way, t.flags
	cfg.Reference = t.own != nil
	if err = c.keyed(a, &cfg, t); err != nil {
		t.close()
	}
	cfg.Run = run.NewName(a.secrets...)
	return cfg, t, err
}

// plans finds the plans; their keys come later, since the reference service makes its own.
func (c *loadCommand) plans(a *app, cfg *load.Config) (err error) {
	if cfg.Plans, err = a.readKeys(c.Keys); err != nil {
		return err
	}
	names := c.Plan
	if len(names) == 0 && len(cfg.Plans) == 0 {
		names = []string{spec.Free.Name}
	}
	for _, name := range names {
		plan, ok := spec.PlanNamed(name)
		if !ok {
			return usage("--plan %s: there is no such plan; use Free, Pro, Business or Enterprise", name)
		}
		cfg.Plans = append(cfg.Plans, load.PlanKey{Plan: plan})
	}
	for i := range cfg.Plans {
		if plan := &cfg.Plans[i].Plan; plan.PerMinute == 0 {
			if c.PerMinute <= 0 {
				return usage("plan Enterprise: its limits are in the contract; give them with --per-minute and --per-day")
			}
			plan.PerMinute, plan.PerDay = c.PerMinute, c.PerDay
		}
	}
	return nil
}

// keyed gives each plan its key from the environment.
func (c *loadCommand) keyed(a *app, cfg *load.Config, t *target) (err error) {
	for i := range cfg.Plans {
		p := &cfg.Plans[i]
		if !p.Key.IsZero() {
			continue
		}
		ofPlan := keyVariable + "_" + strings.ToUpper(p.Plan.Name)
		variable := ofPlan
		if os.Getenv(variable) == "" {
			variable = keyVariable
		}
		if p.Key, err = c.key(a, t, variable); err != nil {
			return err
		}
		if p.Key.IsZero() {
			return usage("no key for the plan %s: put it into %s, or into %s", p.Plan.Name, ofPlan, keyVariable)
		}
	}
	if cfg.OtherKey, err = c.key(a, t, otherKeyVariable); err != nil || !cfg.ProvokeBan {
		return err
	}
	cfg.BanKey.Plan = cfg.Plans[0].Plan
	if cfg.BanKey.Key, err = c.key(a, t, banKeyVariable); err == nil && cfg.BanKey.Key.IsZero() {
		return usage("--provoke-ban needs a key that may be banned, in %s", banKeyVariable)
	}
	return err
}
