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

	"petconform/load"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/limiter"
)

// serviceFlags set up the reference service as a server.
type serviceFlags struct {
	Listen    string        `help:"Address to listen on. Default: 127.0.0.1:8080." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	DB        string        `name:"db" help:"File for the animals. Default: keep them in memory." placeholder:"FILE" predictor:"file"`
	Animals   int           `help:"Number of animals in the store at the start. In client, 0 means 30." default:"0"`
	Limiter   string        `help:"Kind of rate limiter: ${limiters}." default:"fixed-first"`
	Minute    time.Duration `help:"Length of a plan's minute; shorter values scale time." default:"1m"`
	Day       time.Duration `help:"Length of a plan's day." default:"24h"`
	PerMinute int64         `help:"Enterprise's requests per minute." default:"6000"`
	PerDay    int64         `help:"Enterprise's requests per day." default:"1000000"`
	Keys      string        `help:"File of further keys to accept: one plan and key per line, as for load --keys." placeholder:"FILE" predictor:"file"`
	Freedom   []string      `help:"Freedom (lawful variant) to switch on; see petconform list freedoms." placeholder:"NAME" predictor:"freedom"`
}

// serveCommand is petconform serve.
type serveCommand struct {
	serviceFlags
	Deviate []string `help:"Deviation (fault) to switch on; see petconform list deviations." placeholder:"NAME" predictor:"deviation"`
	Log     string   `help:"Form of the request log on standard error: text, json or off." enum:"text,json,off" default:"text"`
}

// Run is petconform serve.
func (c *serveCommand) Run(ctx context.Context, std streams) error {
	s, err := c.open(ctx, reference.Config{Freedoms: words(c.Freedom), Deviations: words(c.Deviate), Logger: c.logger(std)})
	if err != nil {
		return err
	}
	fmt.Fprint(std.out, s.exports)
	return errors.Join(s.service.Serve(ctx, s.listener), s.service.Close())
}

// listening is the reference service with its listener.
type listening struct {
	service  *reference.Service
	listener net.Listener
	keys     []reference.Key
	// exports are shell commands that export the target and the random keys.
	exports string
}

// target is the base address.
func (s listening) target() string { return fmt.Sprintf("http://%s/v1", s.listener.Addr()) }

// open makes the service of a configuration, completed by the flags, and listens.
func (c *serviceFlags) open(ctx context.Context, cfg reference.Config) (listening, error) {
	keys, lines, err := c.keys()
	if err != nil {
		return listening{}, err
	}
	cfg.Keys, cfg.DBFile, cfg.Minute, cfg.Day, cfg.Limiter, cfg.Seed = keys, c.DB, c.Minute, c.Day, limiter.Kind(c.Limiter), c.Animals
	s := listening{keys: keys}
	if s.service, err = reference.New(cfg); err != nil {
		return s, usage("the reference service: %w", err)
	}
	if s.listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen); err != nil {
		return s, usage("--listen %s: %w; use another address, like 127.0.0.1:0 for any free port", c.Listen, errors.Join(err, s.service.Close()))
	}
	s.exports = fmt.Sprintf("export PETCONFORM_TARGET=%s\n%s", s.target(), lines)
	return s, nil
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

// keys returns a key for each plan, from the environment or random, and those of the file of keys. lines are shell commands that
// export the random keys; a key from the environment is not printed.
func (c *serviceFlags) keys() (keys []reference.Key, lines string, err error) {
	for _, k := range servedKeys {
		if k.plan.PerMinute == 0 {
			k.plan.PerMinute, k.plan.PerDay = c.PerMinute, c.PerDay
		}
		key := reference.RandomKey(strings.ToLower(strings.TrimPrefix(k.variable, "PETCONFORM_")), k.plan)
		if given := exchange.NewSecret(os.Getenv(k.variable)); given.IsZero() {
			lines += fmt.Sprintf("export %s=%s\n", k.variable, key.Secret.Reveal())
		} else if err := given.Validate(); err != nil {
			return nil, "", usage("%s: %w", k.variable, err)
		} else {
			key.Secret = given
		}
		keys = append(keys, key)
	}
	if c.Keys == "" {
		return keys, lines, nil
	}
	more, err := readFile("--keys", c.Keys, load.ReadKeys)
	for _, k := range more {
		keys = append(keys, reference.Key{Name: k.Label, Secret: k.Key, Plan: k.Plan})
	}
	return keys, lines, err
}

// limiters returns the kinds of limiter for the help text.
func limiters() string {
	var names []string
	for _, k := range limiter.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
