package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance"
	"petconform/conformance/run"
	"petconform/load"
	"petconform/reports"
	"petconform/reports/rerun"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// checkRun is a run of checks, by check or signoff.
type checkRun struct {
	targetFlags `group:"Target:"`
	Only        []string `group:"What to check:" help:"Run only these checks, rules, requirements or operations, by id; * matches any text." placeholder:"NAME"`
	Skip        []string `group:"What to check:" help:"Leave these out. NAME is as for --only." placeholder:"NAME"`
	Quick       bool     `group:"What to check:" help:"Send at most 125 requests to a lawful service, whatever the key may send." xor:"size"`
	Deep        bool     `group:"What to check:" help:"Send about 1,000 requests, at most 1,100 to a lawful service: every value and credential, of which a quick run sends those that find most, and generated sequences. Default: if the key may send twice as many in a window, or the target shows no limit." xor:"size"`
	Explore     uint     `group:"What to check:" help:"Number of requests to spend on generated sequences after the checks. Default: 0." default:"0" placeholder:"N"`
	Concurrency uint     `group:"What to check:" help:"Maximum number of requests that are sent at the same time." default:"16"`
	Patience    span     `group:"What to check:" help:"How long after its creation a new animal may be missing from responses, since a replica may lag. The run waits that long only where one is missing. Default: 10s; 3s for a target on this machine." placeholder:"TIME"`
	AsOf        string   `group:"What to check:" help:"Day on which to judge requirements that have dates, like 2030-12-05; more than a week from today, the run is a part. Default: today." placeholder:"DATE"`
	Seed        uint32   `group:"What to check:" help:"Seed of the generated sequences of a full run and of --explore; nothing else depends on it. Default: 1." placeholder:"N"`
	MaxCreates  *uint    `group:"What to check:" help:"Maximum number of animals to create. They stay: the service has no delete. Default: 30; 400 on this machine, where a target may accept what it has to refuse." placeholder:"N"`
	runFlags

	// largest is the plan and key that a sign-off checks with; nil in a check.
	largest *load.PlanKey
}

// mostExplored is the largest --explore. The recording also needs room for the other requests of the run and for
// repeated ones.
const mostExplored = exchange.MaxExchanges / 2

// partFolder is the default folder of a run of selected checks, so that it does not replace the report of a whole run.
const partFolder = "petconform-part"

func (c *checkRun) send(ctx context.Context, a *app, t *target) (none reports.Input, err error) {
	filter, err := run.LabelFilter(c.Only, c.Skip)
	if err != nil {
		return none, usage("%w", err)
	}
	cfg, err := c.config(a, t)
	if err != nil {
		return none, err
	}
	p := terminal.NewProgress(a.err)
	cfg.Progress = p.Check
	suite := conformance.Describe(cfg)
	plan := suite.Preview(filter)
	switch {
	case len(plan.Judged) == 0:
		return none, noVerdict(errors.New("nothing is selected: all is left out by --skip"))
	case c.DryRun:
		p.Start(cfg, plan)
		return none, nil
	}
	if err := c.waitReady(ctx, a, t); err != nil {
		return none, err
	}
	recording, err := a.newRecording(reports.RecordingFile)
	if err != nil {
		return none, err
	}
	p.Start(cfg, plan)
	rec, stopped := suite.Send(ctx, recording)
	if rec == nil { // else the recording has the reason why the run stopped, and the verdict gives it
		return none, noVerdict(stopped)
	}
	a.stage("judging")
	out := io.Discard
	if c.Verbose {
		out = a.out
	}
	suite.Run(filter, out, c.Verbose)
	for _, f := range suite.Faults() {
		a.report(f.Value, f.Stack)
	}
	return reports.Input{Results: suite.Results(), Recording: rec}, nil
}

func (c *checkRun) config(a *app, t *target) (cfg conformance.Config, err error) {
	switch {
	case c.Concurrency < 1 || c.Concurrency > 256:
		return cfg, usage("--concurrency is %d; use 1 to 256", c.Concurrency)
	case c.Explore > mostExplored:
		return cfg, usage("--explore is %d; use 0 to %d", c.Explore, mostExplored)
	}
	cfg = conformance.Config{Base: t.base, Transport: t.connect(), Secrets: t.secrets, Judging: func(id string) { a.stage("judging " + id) },
		Meta: exchange.Meta{Way: t.way, Flags: t.flags, Reference: t.own != nil, Build: c.Build, Environment: c.Environment, Tool: tool,
			Run: run.NewName(a.secrets...), Deep: !c.Quick, Fitted: !c.Deep && !c.Quick, CategoryID: c.CategoryID, ReadOnly: c.ReadOnly,
			Strict: c.Strict, Seed: cmp.Or(uint64(c.Seed), run.DefaultSeed),
			Patience: cmp.Or(time.Duration(c.Patience), run.PatienceFor(t.base))},
		Explore: int(c.Explore), Concurrency: int(c.Concurrency), MaxCreates: run.DefaultMaxCreates,
		Timeout: time.Duration(c.Timeout), MaxWait: time.Duration(c.MaxWait)}
	if run.Local(t.base) {
		cfg.MaxCreates, cfg.Wanted = run.LocalMaxCreates, run.DefaultMaxCreates
		cfg.MaxOutage = cmp.Or(time.Duration(c.MaxWait), run.LocalOutage)
	}
	if c.MaxCreates != nil {
		cfg.MaxCreates, cfg.Wanted = int(*c.MaxCreates), int(*c.MaxCreates)
	}
	if cfg.AsOf, err = dayOf(c.AsOf); err != nil {
		return cfg, err
	}
	if cfg.Key, err = c.key(a, t, keyVariable); err != nil {
		return cfg, err
	}
	if c.largest != nil {
		cfg.Key, cfg.Plan = c.largest.Key, c.largest.Plan.Name
	}
	if cfg.Key.IsZero() {
		return cfg, usage("no API key is given: put the key into %s, or into a file that --key-file names", keyVariable)
	}
	return cfg, c.refuseKeys(a, c.Build, c.Environment)
}

// checkCommand is petconform check: a run, or one that is repeated.
type checkCommand struct {
	checkRun
	Rerun *int `group:"What to check:" help:"Run failure N of the run in --out again, with all that it needs, and say whether it shows again." placeholder:"N"`
	Watch bool `group:"Output:" help:"Check again on Enter, and say what has changed."`
}

func (c *checkCommand) Run(ctx context.Context, a *app) error {
	if c.Out == "" && len(c.Only)+len(c.Skip) > 0 {
		c.Out = partFolder
	}
	c.Out = cmp.Or(c.Out, rerun.DefaultFolder)
	switch {
	case c.Rerun != nil:
		return c.again(ctx, a)
	case c.Watch:
		return c.watch(ctx, a)
	}
	return c.run(a, c.begun("check"), func(*reports.Input) (none reports.Input, err error) {
		t, err := c.open(ctx, a, reference.Config{}, nil)
		if err != nil {
			return none, err
		}
		defer t.close()
		return c.send(ctx, a, t)
	})
}
