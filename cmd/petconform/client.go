package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/clients"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

type clientCommand struct {
	serviceFlags `group:"Service:"`
	Command      []string      `arg:"" optional:"" help:"Command that runs the client under test, after --. It gets the target in PETCONFORM_TARGET and the key in PETCONFORM_KEY. Default: none; the run ends with Ctrl-C."`
	Key          string        `help:"Key that the service accepts as PETCONFORM_KEY. Default: the one in PETCONFORM_KEY, else a random one." placeholder:"KEY"`
	Require      []string      `help:"Requirement that the client has to meet, by id; a should that is required counts as a must." placeholder:"CLIENT-4" ids:"clients"`
	For          time.Duration `help:"Time after which the run ends; 0 means at the end of the command, or with Ctrl-C or SIGTERM." default:"0"`
	Clients      int           `help:"Number of clients that use a key at the same time; 0 means that it is not known." default:"0"`
	AsOf         string        `help:"Day on which getPet is asked for: the service removes it after 2030-12-05. Default: today." placeholder:"DATE"`
	Plain        bool          `help:"The service without the scenario: no freedom, and the plan Business with a minute of 60 s, as with --freedom."`
	Seed         string        `help:"Seed that varies the scenario: a number, or random. Default: 1." default:"1" placeholder:"N|random"`
	Out          string        `help:"Folder for the recording, the results and the report. Default: petconform-client." default:"petconform-client" placeholder:"DIR"`
	Strict       bool          `help:"Let a broken should fail the run, like a broken must."`
	Verbose      bool          `short:"v" help:"Print every failure separately, with all its cases."`
	Build        string        `help:"Version and commit of the client under test, for the report." placeholder:"TEXT"`

	// flags are those that show the same service again, and required are the requirements of --require.
	flags    []exchange.Flag
	required []spec.ID
	asOf     time.Time
	seed     uint64
}

// AfterApply keeps the flags that the line to run again needs.
func (c *clientCommand) AfterApply(ctx *kong.Context) error { //nolint:unparam // a hook of kong returns an error
	c.flags = flagsToRepeat(ctx, clientToRepeat)
	return nil
}

// clientAnimals is the number of animals in the store at the start if --animals is not set: more than a page of 20.
const clientAnimals = 30

// Run serves until the run ends, judges what clients sent, writes the folder and prints the outcome.
func (c *clientCommand) Run(ctx context.Context, std streams) error {
	return reported(std, c.Out, verdict.Results{Kind: verdict.ClientKind}, func() error { return c.run(ctx, std) })
}

func (c *clientCommand) run(ctx context.Context, std streams) error {
	switch {
	case c.Clients < 0:
		return usage("--clients is %d; use 0 or more", c.Clients)
	case c.For < 0:
		return usage("--for is %s; use 0s or more", c.For)
	case c.Plain && len(words(c.Freedom)) > 0:
		return usage("--plain and --freedom %s exclude each other", strings.Join(c.Freedom, ","))
	}
	if err := c.prepare(); err != nil {
		return err
	}
	if c.Animals == 0 {
		c.Animals = clientAnimals
	}
	freedoms := c.scenario()
	s, err := c.open(ctx, reference.Config{Freedoms: freedoms, MaxBody: clients.MaxBody, AsOf: c.asOf})
	if err != nil {
		return err
	}
	file, err := newRecording(c.Out, reports.RecordingFile)
	if err != nil {
		return errors.Join(err, s.listener.Close())
	}
	defer file.Close()
	run, err := c.begin(s, freedoms, file)
	if err != nil {
		return noVerdict(err)
	}
	c.introduce(std, s, freedoms)
	until := func(ctx context.Context) error { return run.live(ctx, std.err) }
	if len(c.Command) > 0 {
		until = func(ctx context.Context) error { return run.command(ctx, c.Command, s, std.err) }
	}
	if err := run.serve(ctx, s, c.For, until, std.err); errors.As(err, &failed{}) {
		return err
	} else if err != nil {
		return noVerdict(err)
	}
	stage("judging")
	results, err := clients.Judge(&run.rec)
	if err != nil {
		return noVerdict(err)
	}
	redactor := exchange.NewRedactor(slices.Collect(maps.Values(run.watcher.Keys))...)
	return conclude(std, c.Out, reports.Input{Results: results, Recording: &run.rec, Redactor: redactor}, c.Verbose)
}

// scenario sets the service up, and returns its freedoms.
func (c *clientCommand) scenario() []string {
	freedoms := words(c.Freedom)
	if len(freedoms) == 0 && !c.Plain {
		freedoms = clients.Scenario(c.seed)
		c.Minute, c.PerMinute = cmp.Or(c.Minute, clients.ScenarioMinute), cmp.Or(c.PerMinute, clients.ScenarioPerMinute)
		c.flags = append(c.flags, exchange.Flag{Name: "seed", Value: fmt.Sprint(c.seed)})
	}
	if c.PerMinute > 0 {
		c.plan = spec.Enterprise
		c.plan.PerMinute, c.plan.PerDay = c.PerMinute, cmp.Or(c.PerDay, enterprisePerDay)
	}
	return freedoms
}

// introduce prints what is judged, how the run ends, and how to run the same service again. What a command prints is
// not mixed with the variables that it has.
func (c *clientCommand) introduce(std streams, s listening, freedoms []string) {
	end := "Ctrl-C ends the run"
	if c.For > 0 {
		end = fmt.Sprintf("The run ends after %s, or with Ctrl-C", c.For)
	}
	if len(c.Command) > 0 {
		end = "The run ends with the command"
	} else {
		fmt.Fprint(std.out, s.exports())
	}
	terminal.Paragraph(std.err, "", fmt.Sprintf(
		"Judging the clients of %s, the built-in reference service. %s and writes the report.", s.target(), end))
	if len(freedoms) > 0 {
		terminal.Paragraph(std.err, "", fmt.Sprintf(
			"The service is lawful, and has these variants (--seed %d; --plain: none): %s.",
			c.seed, strings.Join(freedoms, ", ")))
	}
}

// clientRun is a run that goes on. Its recording grows.
type clientRun struct {
	watcher *clients.Watcher
	out     *exchange.Writer
	// full says that the recording has reached a bound.
	full chan string
	// failed says how the command failed, if it did.
	failed string

	mu  sync.Mutex
	rec exchange.Recording
}

func (c *clientCommand) begin(s listening, freedoms []string, file io.Writer) (*clientRun, error) {
	given, err := json.Marshal(clients.Settings{Clients: c.Clients, Command: len(c.Command) > 0,
		Require: c.required, Freedoms: freedoms})
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	run := &clientRun{full: make(chan string, 1), rec: exchange.Recording{Meta: exchange.Meta{Format: exchange.Format,
		Kind: clients.Kind, Tool: tool(), Target: s.target(), Reference: true, Build: c.Build, Environment: "local",
		Run: run.NewName(), Seed: c.seed, Started: now, AsOf: c.asOf, Strict: c.Strict,
		Planned: clients.RuleIDs(), Settings: given, Flags: c.flags}}}
	if run.out, err = exchange.NewWriter(file, run.rec.Meta); err != nil {
		return nil, err
	}
	keys := map[string]exchange.Secret{}
	for _, k := range s.keys {
		keys[k.Name] = k.Secret
	}
	run.watcher = &clients.Watcher{Service: s.service, BasePath: "/v1", Keys: keys, Record: run.record,
		Full: func(why string) { run.full <- why }}
	return run, nil
}

func (r *clientRun) record(x exchange.Exchange) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rec.Exchanges = append(r.rec.Exchanges, x)
	return r.out.Write(x)
}

func (r *clientRun) len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.rec.Exchanges)
}

// soFar is the recording as it is now. Responses may end in another order than their requests came.
func (r *clientRun) soFar() exchange.Recording {
	r.mu.Lock()
	now := r.rec
	now.Exchanges = slices.Clone(now.Exchanges)
	r.mu.Unlock()
	slices.SortFunc(now.Exchanges, func(a, b exchange.Exchange) int { return a.N - b.N })
	return now
}

// serve runs the service until ctx, the time or until ends, or the recording is full, and completes the recording.
func (r *clientRun) serve(ctx context.Context, s listening, most time.Duration, until func(context.Context) error,
	w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if most > 0 {
		defer time.AfterFunc(most, cancel).Stop()
	}
	stage("serving")
	go func() {
		select {
		case why := <-r.full:
			terminal.Paragraph(w, time.Now().Format(time.TimeOnly)+"  ", why+", so the run ends")
			cancel()
		case <-ctx.Done():
		}
	}()
	done := make(chan error, 1)
	go func() {
		defer cancel()
		done <- until(ctx)
	}()
	front := reference.Front{Handler: r.watcher, Connected: r.watcher.Connected, Grace: clientGrace,
		CutOff: r.watcher.CutOff}
	err := errors.Join(s.service.ServeBehind(ctx, clients.Listen(s.listener), front), <-done)
	end := r.watcher.End()
	end.Stopped = cmp.Or(end.Stopped, r.failed)
	r.rec = r.soFar()
	r.rec.End = &end
	return errors.Join(err, r.out.End(end))
}

const (
	// clientGrace is how long a request in flight may take when the run ends. A client that is still sending may be
	// hostile.
	clientGrace = time.Second
	// liveEvery is how long a finding may take to be told.
	liveEvery = 300 * time.Millisecond
	// liveShare bounds the time spent on judging during the run: one part in ten.
	liveShare = 10
	// liveMost is the largest number of requests that are judged while the run goes on. Judging a flood again and
	// again would take as much memory as its report.
	liveMost = 5000
)

// live judges what was recorded, again and again, and prints findings as they appear.
func (r *clientRun) live(ctx context.Context, w io.Writer) error {
	var live clients.Live
	seen, pause := 0, liveEvery
	for spec.Sleep(ctx, pause) == nil {
		n := r.len()
		if n == seen || n > liveMost {
			continue
		}
		rec := r.soFar()
		if seen == 0 {
			fmt.Fprintf(w, "%s  the first request\n", time.Now().Format(time.TimeOnly))
		}
		began := time.Now()
		seen = len(rec.Exchanges)
		results, err := clients.Judge(&rec)
		if err != nil {
			return err
		}
		for _, line := range live.News(results) {
			terminal.Paragraph(w, time.Now().Format(time.TimeOnly)+"  ", line)
		}
		pause = max(liveEvery, liveShare*time.Since(began))
	}
	return nil
}
