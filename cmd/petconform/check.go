package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"petconform/conformance"
	"petconform/reports"
	"petconform/spec/exchange"
)

// checkCommand is petconform check.
type checkCommand struct {
	targetFlags
	gateFlags
	partFlags
	Out         string        `help:"Folder for the recording, the results and the report." default:"petconform-out" placeholder:"DIR"`
	CategoryID  int64         `name:"category-id" help:"A category that exists: a service may refuse unknown ones." default:"1"`
	ReadOnly    bool          `help:"Create nothing; what needs an animal of its own is left out."`
	MaxCreates  int           `help:"Most animals that the run creates; they stay, the service has no delete." default:"30"`
	MaxRequests int           `help:"Most requests that the run sends; 0 for no bound." default:"0"`
	Only        []string      `help:"Run only these: ids of checks, rules, requirements, or operations; * matches." placeholder:"NAME" sep:"none"`
	Skip        []string      `help:"Leave these out; names as for --only." placeholder:"NAME" sep:"none"`
	Concurrency int           `help:"Checks that send at a time." default:"8"`
	Patience    time.Duration `help:"How long to look again for what a replica does not show yet." default:"10s"`
	AsOf        string        `help:"Day by which dated requirements are judged, like 2030-12-05. Default: today." placeholder:"DATE"`
	Strict      bool          `help:"Count a should as a must."`
	Verbose     bool          `short:"v" help:"Show what Ginkgo prints: each spec with its verdict and evidence."`
	Seed        uint64        `help:"Seed of the run's choices; 0 chooses one." default:"0"`
	Build       string        `help:"Version and commit of the build that is tested, for the report." placeholder:"TEXT"`
	Environment string        `help:"Name of the environment, for the report." placeholder:"TEXT"`
	Explore     int           `help:"Requests to spend on generated sequences, after the checks." default:"0" placeholder:"N"`
	Since       string        `help:"Folder of an earlier run to compare with." placeholder:"DIR"`
	Waivers     string        `help:"File of waivers." placeholder:"FILE"`
}

// Run is petconform check: send, judge, write, tell.
func (c *checkCommand) Run(ctx context.Context, std streams) error {
	if err := c.gateFlags.check(); err != nil {
		return err
	}
	before, err := withHistory(reports.Input{}, c.Since, c.Waivers) // read first: the folder may be the one to be written
	if err != nil {
		return err
	}
	in, err := c.send(ctx, std)
	if err != nil {
		return err
	}
	in.Previous, in.Rejudged, in.Waivers = before.Previous, before.Rejudged, before.Waivers
	c.gateFlags.apply(&in)
	c.partFlags.apply(&in)
	return conclude(std, c.Out, in)
}

// send runs the checks and judges what they recorded.
func (c *checkCommand) send(ctx context.Context, std streams) (reports.Input, error) {
	cfg, err := c.config()
	if err != nil {
		return reports.Input{}, err
	}
	filter, err := conformance.LabelFilter(words(c.Only), words(c.Skip))
	if err != nil {
		return reports.Input{}, noVerdict(err)
	}
	t, err := c.open(ctx)
	if err != nil {
		return reports.Input{}, err
	}
	defer t.close()
	p := newProgress(std.err)
	cfg.Reference, cfg.Build, cfg.Environment = t.reference, c.Build, c.Environment
	cfg.Base, cfg.Key, cfg.Transport, cfg.Progress = t.base, t.key, t.transport, p.event
	cfg.Judging = func(id string) { stage("judging " + id) }
	suite := conformance.Describe(cfg)
	plan := suite.Preview(filter)
	if len(plan.Judged) == 0 {
		return reports.Input{}, noVerdict(fmt.Errorf("nothing is selected: --only %s leaves nothing after --skip %s", strings.Join(words(c.Only), ","), strings.Join(words(c.Skip), ",")))
	}
	recording, err := openFolder(c.Out, reports.RecordingFile)
	if err != nil {
		return reports.Input{}, err
	}
	defer recording.Close()
	p.start(t, cfg, plan)
	rec, stopped := suite.Send(ctx, recording)
	p.end()
	if rec == nil {
		return reports.Input{}, noVerdict(stopped)
	}
	// What stopped a run is in the recording, and so in the verdict.
	if err := recording.Sync(); err != nil {
		return reports.Input{}, noVerdict(fmt.Errorf("the recording could not be written: %w", err))
	}
	return reports.Input{Results: judgeSent(suite, filter, std, c.Verbose), Recording: rec, Redactor: exchange.NewRedactor(t.key)}, nil
}

func (c *checkCommand) config() (conformance.Config, error) {
	asOf := time.Now().UTC()
	if c.AsOf != "" {
		var err error
		if asOf, err = time.Parse(time.DateOnly, c.AsOf); err != nil {
			return conformance.Config{}, usage("--as-of %s: a day like 2030-12-05 is wanted", c.AsOf)
		}
	}
	switch {
	case c.Concurrency < 1 || c.Concurrency > 256:
		return conformance.Config{}, usage("--concurrency %d: 1 to 256 are possible", c.Concurrency)
	case c.MaxCreates < 0 || c.MaxRequests < 0:
		return conformance.Config{}, usage("--max-creates %d, --max-requests %d: 0 or more are wanted", c.MaxCreates, c.MaxRequests)
	case c.Patience < 0:
		return conformance.Config{}, usage("--patience %s: 0 or more is wanted", c.Patience)
	}
	if c.Explore < 0 {
		return conformance.Config{}, usage("--explore %d: 0 or more is wanted", c.Explore)
	}
	seed := c.Seed
	if seed == 0 {
		seed = conformance.NewSeed()
	}
	return conformance.Config{Explore: c.Explore, CategoryID: c.CategoryID, ReadOnly: c.ReadOnly, MaxCreates: c.MaxCreates,
		MaxRequests: c.MaxRequests, Concurrency: c.Concurrency, AsOf: asOf, Strict: c.Strict, Seed: seed,
		Run: conformance.NewName(), Patience: c.Patience, Timeout: c.Timeout, MaxWait: c.MaxWait, Tool: tool()}, nil
}
