package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/limiter"
)

// serveCommand is petconform serve.
type serveCommand struct {
	Listen    string        `help:"Address to listen on." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	DB        string        `name:"db" help:"File to keep the animals in. Default: in memory." placeholder:"FILE"`
	Animals   int           `help:"Animals that are there from the start." default:"0"`
	Limiter   string        `help:"How requests are counted: ${limiters}." default:"fixed-first"`
	Minute    time.Duration `help:"How long a plan's minute lasts." default:"1m"`
	Day       time.Duration `help:"How long a plan's day lasts." default:"24h"`
	PerMinute int64         `help:"Enterprise's requests per minute." default:"6000"`
	PerDay    int64         `help:"Enterprise's requests per day." default:"1000000"`
	Keys      string        `help:"File of further keys to accept: a plan and a key a line, as for load." placeholder:"FILE"`
	Deviate   []string      `help:"Switch a fault on; see petconform list deviations." placeholder:"NAME"`
	Freedom   []string      `help:"Switch a lawful variant on; see petconform list freedoms." placeholder:"NAME"`
	Log       string        `help:"Log of requests on standard error: text, json or off." enum:"text,json,off" default:"text"`
}

// Run is petconform serve.
func (c *serveCommand) Run(ctx context.Context, std streams) error {
	keys, lines, err := c.keys()
	if err != nil {
		return err
	}
	service, err := reference.New(reference.Config{Keys: keys, DBFile: c.DB, Minute: c.Minute, Day: c.Day, Limiter: limiter.Kind(c.Limiter),
		Seed: c.Animals, Deviations: words(c.Deviate), Freedoms: words(c.Freedom), Logger: c.logger(std)})
	if err != nil {
		return usage("serve: %w", err)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return usage("serve: --listen %s: %w", c.Listen, errors.Join(err, service.Close()))
	}
	fmt.Fprintf(std.out, "export PETCONFORM_TARGET=http://%s/v1\n%s", l.Addr(), lines)
	return errors.Join(service.Serve(ctx, l), service.Close())
}

func (c *serveCommand) logger(std streams) *slog.Logger {
	switch c.Log {
	case "json":
		return slog.New(slog.NewJSONHandler(std.err, nil))
	case "text":
		return slog.New(slog.NewTextHandler(std.err, nil))
	}
	return nil
}

// keys gives each plan a key, from the environment or made up. The lines can be pasted into a shell; a key that came
// from the environment is not repeated.
func (c *serveCommand) keys() (keys []reference.Key, lines string, err error) {
	var b strings.Builder
	add := func(variable string, plan spec.Plan) error {
		if plan.PerMinute == 0 {
			plan.PerMinute, plan.PerDay = c.PerMinute, c.PerDay
		}
		k := reference.RandomKey(strings.ToLower(strings.TrimPrefix(variable, "PETCONFORM_")), plan)
		if given := exchange.NewSecret(os.Getenv(variable)); !given.IsZero() {
			if err := given.Validate(); err != nil {
				return usage("%s: %w", variable, err)
			}
			k.Secret = given
		} else {
			fmt.Fprintf(&b, "export %s=%s\n", variable, k.Secret.Reveal())
		}
		keys = append(keys, k)
		return nil
	}
	for _, k := range []struct {
		variable string
		plan     spec.Plan
	}{{"PETCONFORM_KEY", spec.Business}, {"PETCONFORM_KEY_FREE", spec.Free}, {"PETCONFORM_KEY_PRO", spec.Pro},
		{"PETCONFORM_KEY_BUSINESS", spec.Business}, {"PETCONFORM_KEY_ENTERPRISE", spec.Enterprise}, {"PETCONFORM_KEY_OTHER", spec.Business}} {
		if err := add(k.variable, k.plan); err != nil {
			return nil, "", err
		}
	}
	more, err := c.fromFile()
	return append(keys, more...), b.String(), err
}

func (c *serveCommand) fromFile() ([]reference.Key, error) {
	if c.Keys == "" {
		return nil, nil
	}
	all, err := readKeys(c.Keys)
	if err != nil {
		return nil, err
	}
	keys := make([]reference.Key, len(all))
	for i, k := range all {
		keys[i] = reference.Key{Name: k.Label, Secret: k.Key, Plan: k.Plan}
	}
	return keys, nil
}

// limiters lists the kinds of limiter for the help.
func limiters() string {
	var names []string
	for _, k := range limiter.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
