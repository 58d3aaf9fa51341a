package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
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
	Clients      int      `help:"Number of clients that use a key at the same time: 1, or 0 if it is not known." enum:"0,1" default:"0" repeat:""`
	Plain        bool     `help:"The service without the scenario: no freedom, and the plan Business with a minute of 60 s, as with --freedom." xor:"plain" repeat:""`
	Out          string   `help:"Folder for the recording, the results and the report. Default: petconform-client." default:"petconform-client" placeholder:"DIR"`
	Strict       bool     `help:"Let a broken should fail the run, and what the client did not meet leave it without a verdict." repeat:""`
	Verbose      bool     `short:"v" help:"Print every failure separately, with all its cases."`
	Build        string   `help:"Name, version and commit of the client under test, for the report." placeholder:"TEXT"`
}

// clientGrace is how long a request in flight may take when the run ends. A client that goes on may be hostile.
const clientGrace = time.Second

func (c *clientCommand) Run(ctx context.Context, a *app, line *kong.Context) error {
	return a.reported(c.Out, verdict.Results{Kind: verdict.ClientKind}, func() error {
		meta, err := c.meta(flagsToRepeat(line))
		if err != nil {
			return err
		}
		s, err := c.open(ctx, a, reference.Config{Freedoms: c.Freedom, MaxBody: clients.MaxBody})
		if err != nil {
			return err
		}
		meta.Target = s.target()
		c.introduce(a, s)
		if err := c.serve(ctx, a, s, meta); err != nil {
			return noVerdict(err)
		}
		a.stage("judging")
		run, err := openRun(reports.Opening{Any: true}, c.Out)
		if err != nil {
			return err
		}
		return a.conclude(c.Out, run, c.Verbose)
	})
}

// meta checks the flags, completes those of the service, and returns what the recording says of the run.
func (c *clientCommand) meta(flags []exchange.Flag) (m exchange.Meta, err error) {
	if len(c.Command) > 0 {
		c.Listen = cmp.Or(c.Listen, "127.0.0.1:0")
		if _, err := exec.LookPath(c.Command[0]); err != nil {
			return m, usage("the command cannot be run: %w", err)
		}
	}
	c.Animals = cmp.Or(c.Animals, 30) // more than a page of 20
	if len(c.Freedom) == 0 && !c.Plain {
		c.Freedom, c.Minute = clients.Scenario, cmp.Or(c.Minute, clients.ScenarioMinute)
		c.PerMinute = cmp.Or(c.PerMinute, clients.ScenarioPerMinute)
	}
	if c.PerMinute > 0 {
		c.serviceFlags.plan = c.agreed(spec.Enterprise)
	}
	now := time.Now().UTC()
	m = exchange.Meta{Kind: verdict.ClientKind, Tool: tool, Reference: true, Build: c.Build, Flags: flags, Environment: "local",
		Run: run.NewName(), Started: now, AsOf: now, Strict: c.Strict}
	m.Settings, err = json.Marshal(clients.Settings{Clients: c.Clients})
	return m, err
}

// introduce prints what is judged and how the run ends. What a command prints is not mixed with the variables that it
// has.
func (c *clientCommand) introduce(a *app, s listening) {
	if len(c.Command) == 0 {
		fmt.Fprint(a.out, s.exports())
	}
	a.err.Paragraph("", fmt.Sprintf("Judging the clients of %s, the built-in reference service. The run ends with the command, "+
		"or by Ctrl-C, and writes the report.\nThe service is lawful, and has these variants (--plain: none): %s.", s.target(),
		cmp.Or(strings.Join(c.Freedom, ", "), "none")))
}

// serve runs the service until ctx or the command ends, or the recording is full.
func (c *clientCommand) serve(ctx context.Context, a *app, s listening, meta exchange.Meta) error {
	a.stage("serving")
	file, err := a.newRecording(reports.RecordingFile)
	if err != nil {
		return errors.Join(err, s.listener.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	keys := map[string]exchange.Secret{}
	for _, k := range s.keys {
		keys[k.Name] = k.Secret
		a.hide(k.Secret) // not before they were printed
	}
	watcher, err := clients.NewWatcher(s.service, keys, meta, file, cancel)
	if err != nil {
		return err
	}
	failure := make(chan string, 1)
	go func() {
		defer cancel()
		failure <- c.command(ctx, a, s)
	}()
	served := s.service.ServeBehind(ctx, watcher.Listen(s.listener),
		reference.Front{Handler: watcher, Connected: watcher.Connected, Grace: clientGrace})
	cancel()
	return errors.Join(served, watcher.End(<-failure))
}

// command runs the client under test until it ends or ctx does. Without one it waits for ctx. It returns how a command
// failed: it may have left out what it was about to do, so the run has no verdict, unless the client deviates.
func (c *clientCommand) command(ctx context.Context, a *app, s listening) (failure string) {
	if len(c.Command) == 0 {
		<-ctx.Done()
		return ""
	}
	child := exec.CommandContext(ctx, c.Command[0], c.Command[1:]...)
	child.Env = append(os.Environ(), s.variables()...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = 5 * time.Second // after it was told to end
	err := child.Run()
	switch {
	case ctx.Err() != nil:
		failure = "the run ended before the command did"
	case err != nil:
		failure = "the command failed: " + err.Error()
	}
	a.err.Paragraph("petconform: ", cmp.Or(failure, "the command ended with exit code 0"))
	return failure
}
