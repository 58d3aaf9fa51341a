package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

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
	Command      []string `arg:"" optional:"" help:"Command that runs the client under test, after --. It gets the target in PETCONFORM_TARGET and the key in PETCONFORM_KEY. Default: none; the run ends with Ctrl-C."`
	Require      []string `help:"Requirement that the client has to meet, by id; a should that is required counts as a must." placeholder:"CLIENT-4" repeat:""`
	Clients      uint     `help:"Number of clients that use a key at the same time; 0 means that it is not known." default:"0" repeat:""`
	AsOf         string   `help:"Day on which getPet is asked for: the service removes it after 2030-12-05. Default: today." placeholder:"DATE" repeat:""`
	Plain        bool     `help:"The service without the scenario: no freedom, and the plan Business with a minute of 60 s, as with --freedom." xor:"plain" repeat:""`
	Seed         uint32   `help:"Seed that varies the scenario. Default: 1." placeholder:"N"`
	Out          string   `help:"Folder for the recording, the results and the report. Default: petconform-client." default:"petconform-client" placeholder:"DIR"`
	Strict       bool     `help:"Let a broken should fail the run, like a broken must." repeat:""`
	Verbose      bool     `short:"v" help:"Print every failure separately, with all its cases."`
	Build        string   `help:"Version and commit of the client under test, for the report." placeholder:"TEXT"`
}

const (
	// clientAnimals is the number of animals in the store at the start if --animals is not set: more than a page of 20.
	clientAnimals = 30
	// clientGrace is how long a request in flight may take when the run ends. A client that is still sending may be
	// hostile.
	clientGrace = time.Second
	// commandGrace is how long a command may take to end after it was told to.
	commandGrace = 5 * time.Second
)

func (c *clientCommand) Run(ctx context.Context, a *app, line *kong.Context) error {
	return a.reported(c.Out, verdict.Results{Kind: verdict.ClientKind}, func() error {
		meta, settings, err := c.plan(flagsToRepeat(line))
		if err != nil {
			return err
		}
		s, err := c.open(ctx, a, reference.Config{Freedoms: settings.Freedoms, MaxBody: clients.MaxBody, AsOf: meta.AsOf})
		if err != nil {
			return err
		}
		meta.Target = s.target()
		c.introduce(a, s, settings.Freedoms, meta.Seed)
		rec, err := c.serve(ctx, a, s, meta)
		if err != nil {
			return err
		}
		a.stage("judging")
		results, err := clients.Judge(rec)
		if err != nil {
			return noVerdict(err)
		}
		return a.conclude(c.Out, reports.Input{Results: results, Recording: rec}, c.Verbose)
	})
}

// plan checks the flags, sets the service up, and returns what the recording says of the run.
func (c *clientCommand) plan(flags []exchange.Flag) (m exchange.Meta, s clients.Settings, err error) {
	s = clients.Settings{Clients: int(c.Clients), Command: len(c.Command) > 0, Freedoms: c.Freedom}
	m = exchange.Meta{Format: exchange.Format, Kind: clients.Kind, Tool: tool, Reference: true, Build: c.Build,
		Environment: "local", Run: run.NewName(), Started: time.Now().UTC(), Strict: c.Strict,
		Seed: cmp.Or(uint64(c.Seed), run.DefaultSeed)}
	if m.AsOf, err = dayOf(c.AsOf); err != nil {
		return m, s, err
	}
	for _, id := range c.Require {
		q, known := spec.TheLedger().Find(spec.ID(id))
		switch {
		case !known || q.Proof != spec.ByClient:
			return m, s, usage("--require %s: there is no such requirement of clients; petconform list requirements has them", id)
		case q.Level == spec.Open:
			return m, s, usage("--require %s: the interface leaves it open, so nothing can break it", id)
		}
		s.Require = append(s.Require, q.ID)
	}
	if s.Command {
		c.Listen = cmp.Or(c.Listen, "127.0.0.1:0")
		if _, err := exec.LookPath(c.Command[0]); err != nil {
			return m, s, usage("the command cannot be run: %w", err)
		}
	}
	c.Animals = cmp.Or(c.Animals, clientAnimals)
	if len(s.Freedoms) == 0 && !c.Plain {
		s.Freedoms = clients.Scenario(m.Seed)
		c.Minute, c.PerMinute = cmp.Or(c.Minute, clients.ScenarioMinute), cmp.Or(c.PerMinute, clients.ScenarioPerMinute)
		flags = append(flags, exchange.Flag{Name: "seed", Value: fmt.Sprint(m.Seed)})
	}
	if c.PerMinute > 0 {
		c.serviceFlags.plan = spec.Enterprise
		c.serviceFlags.plan.PerMinute, c.serviceFlags.plan.PerDay = c.PerMinute, cmp.Or(c.PerDay, enterprisePerDay)
	}
	m.Flags = flags
	m.Settings, err = json.Marshal(s)
	return m, s, err
}

// introduce prints what is judged, how the run ends, and how to run the same service again. What a command prints is
// not mixed with the variables that it has.
func (c *clientCommand) introduce(a *app, s listening, freedoms []string, seed uint64) {
	end := "The run ends with the command"
	if len(c.Command) == 0 {
		end = "Ctrl-C ends the run"
		fmt.Fprint(a.out, s.exports())
	}
	about := fmt.Sprintf("Judging the clients of %s, the built-in reference service. %s and writes the report.", s.target(), end)
	if len(freedoms) > 0 {
		about += fmt.Sprintf("\nThe service is lawful, and has these variants (--seed %d; --plain: none): %s.", seed, strings.Join(freedoms, ", "))
	}
	a.err.Paragraph("", about)
}

// serve runs the service until ctx or the command ends, or the recording is full. The recording has the requests in the
// order in which they came.
func (c *clientCommand) serve(ctx context.Context, a *app, s listening, meta exchange.Meta) (*exchange.Recording, error) {
	a.stage("serving")
	file, err := a.newRecording(reports.RecordingFile)
	if err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	defer file.Close()
	out, err := exchange.NewWriter(file, meta)
	if err != nil {
		return nil, noVerdict(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rec, keys := exchange.Recording{Meta: meta}, map[string]exchange.Secret{}
	for _, k := range s.keys {
		keys[k.Name] = k.Secret
		a.hide(k.Secret) // not before they were printed
	}
	watcher := &clients.Watcher{Service: s.service, Keys: keys,
		Record: func(x exchange.Exchange) error {
			rec.Exchanges = append(rec.Exchanges, x)
			return out.Write(x)
		},
		Full: func(why string) {
			a.err.Paragraph(time.Now().Format(time.TimeOnly)+"  ", why+", so the run ends")
			cancel()
		}}
	failure, done := "", make(chan error, 1)
	go func() {
		defer close(done)
		if len(c.Command) > 0 {
			defer cancel()
			var wrong error
			failure, wrong = c.command(ctx, a, s)
			done <- wrong
		}
	}()
	front := reference.Front{Handler: watcher, Connected: watcher.Connected, Grace: clientGrace, CutOff: watcher.CutOff}
	err = errors.Join(s.service.ServeBehind(ctx, watcher.Listen(s.listener), front), <-done)
	end := watcher.End()
	end.Stopped = cmp.Or(end.Stopped, failure)
	slices.SortFunc(rec.Exchanges, func(a, b exchange.Exchange) int { return a.N - b.N })
	rec.End = &end
	if err = errors.Join(err, out.End(end)); err != nil && !errors.As(err, &failed{}) {
		err = noVerdict(err)
	}
	return &rec, err
}

// command runs the client under test until it ends or ctx does. It returns how a command failed that may have left out
// what it was about to do, so that its run has no verdict, unless the client deviates.
func (c *clientCommand) command(ctx context.Context, a *app, s listening) (failure string, err error) {
	child := exec.CommandContext(ctx, c.Command[0], c.Command[1:]...)
	child.Env = append(os.Environ(), s.variables()...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = commandGrace
	err = child.Run()
	if child.ProcessState == nil {
		return "", usage("the command cannot be run: %w", err)
	}
	whole, ended := err == nil && ctx.Err() == nil, fmt.Sprintf("the command ended with exit code %d", child.ProcessState.ExitCode())
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		ended = "the run ended before the command did"
	case errors.As(err, &exit) && !exit.Exited():
		ended = "the command was ended by a signal: " + exit.String()
	}
	a.err.Paragraph("petconform: ", ended)
	if whole {
		return "", nil
	}
	return ended, nil
}
