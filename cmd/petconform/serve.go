package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"petconform/load"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/limiter"
)

// serviceFlags set up the reference service as a server.
type serviceFlags struct {
	Listen    string        `help:"Address to listen on. Default: 127.0.0.1:8080; any free port in client with a command." placeholder:"HOST:PORT"`
	Animals   int           `help:"Number of animals in the store at the start. In client, 0 means 30." default:"0" repeat:""`
	Limiter   string        `help:"Kind of rate limiter: ${limiters}." default:"fixed-first"`
	Minute    time.Duration `help:"Length of a plan's minute; shorter values scale time. Default: 1m; 2s in the scenario of client." default:"0" repeat:""`
	Day       time.Duration `help:"Length of a plan's day." default:"24h" repeat:""`
	PerMinute int64         `help:"Enterprise's requests per minute; in client those of PETCONFORM_KEY, too. Default: 6000; 20 in the scenario of client." default:"0" repeat:""`
	PerDay    int64         `help:"Enterprise's requests per day. Default: 1000000." default:"0" repeat:""`
	Keys      string        `help:"File of further keys to accept: one plan and key per line, as for load --keys." placeholder:"FILE"`
	Freedom   []string      `help:"Freedom (lawful variant) to switch on; see petconform list freedoms." placeholder:"NAME" xor:"plain" repeat:""`

	// plan is that of PETCONFORM_KEY, if it is not the usual one.
	plan spec.Plan
}

// The numbers of Enterprise, which has none in the interface.
const (
	enterprisePerMinute = 6000
	enterprisePerDay    = 1_000_000
)

type serveCommand struct {
	serviceFlags
	Deviate []string `help:"Deviation (fault) to switch on; see petconform list deviations." placeholder:"NAME"`
	Log     string   `help:"Form of the request log on standard error: text, json or off." enum:"text,json,off" default:"text"`
}

func (c *serveCommand) Run(ctx context.Context, a *app) error {
	log := map[string]slog.Handler{"json": slog.NewJSONHandler(a.err, nil), "text": slog.NewTextHandler(a.err, nil), "off": slog.DiscardHandler}
	s, err := c.open(ctx, a, reference.Config{Freedoms: c.Freedom, Deviations: c.Deviate, Logger: slog.New(log[c.Log])})
	if err != nil {
		return err
	}
	fmt.Fprint(a.out, s.exports())
	return s.service.Serve(ctx, s.listener)
}

// listening is the reference service with its listener.
type listening struct {
	service  *reference.Service
	listener net.Listener
	keys     []reference.Key
}

// variables are those of the environment that have the target and the keys, each as NAME=VALUE.
func (s listening) variables() []string {
	all := []string{targetVariable + "=" + s.target()}
	for i, k := range servedKeys {
		all = append(all, k.variable+"="+s.keys[i].Secret.Reveal())
	}
	return all
}

// exports are shell commands that export the target and the random keys. A key from the environment is not printed.
func (s listening) exports() (lines string) {
	for _, v := range s.variables() {
		if name, _, _ := strings.Cut(v, "="); name == targetVariable || exchange.NewSecret(os.Getenv(name)).IsZero() {
			lines += "export " + v + "\n"
		}
	}
	return lines
}

func (s listening) target() string { return fmt.Sprintf("http://%s/v1", s.listener.Addr()) }

// open makes the service of a configuration, completed by the flags, and listens.
func (c *serviceFlags) open(ctx context.Context, a *app, cfg reference.Config) (s listening, err error) {
	if s.keys, err = c.keys(a); err != nil {
		return s, err
	}
	cfg.Keys, cfg.Minute, cfg.Day, cfg.Limiter, cfg.Seed = s.keys, c.Minute, c.Day, limiter.Kind(c.Limiter), c.Animals
	if s.service, err = reference.New(cfg); err != nil {
		return s, usage("the reference service: %w", err)
	}
	address := cmp.Or(c.Listen, "127.0.0.1:8080")
	if s.listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", address); err != nil {
		return s, usage("--listen %s: %w; use another address, like 127.0.0.1:0 for any free port", address, err)
	}
	return s, nil
}

// keys returns a key for each of servedKeys, from the environment or random, and those of the file of keys.
func (c *serviceFlags) keys(a *app) (keys []reference.Key, err error) {
	for _, k := range servedKeys {
		if k.variable == keyVariable && c.plan.PerMinute > 0 {
			k.plan = c.plan
		}
		key := reference.RandomKey(strings.ToLower(strings.TrimPrefix(k.variable, "PETCONFORM_")), c.agreed(k.plan))
		if given := exchange.NewSecret(os.Getenv(k.variable)); !given.IsZero() {
			if err := given.Validate(); err != nil {
				return nil, usage("%s: %w", k.variable, err)
			}
			key.Secret = given
		}
		keys = append(keys, key)
	}
	more, err := a.readKeys(c.Keys)
	for _, k := range more {
		keys = append(keys, reference.Key{Name: k.Label, Secret: k.Key, Plan: c.agreed(k.Plan)})
	}
	return keys, err
}

// agreed is a plan with the limits of the flags, where the plan has none of its own.
func (c *serviceFlags) agreed(plan spec.Plan) spec.Plan {
	if plan.PerMinute == 0 {
		plan.PerMinute, plan.PerDay = cmp.Or(c.PerMinute, enterprisePerMinute), cmp.Or(c.PerDay, enterprisePerDay)
	}
	return plan
}

// servedKeys are the keys that serve and client give out: the environment variable of each, and its plan.
var servedKeys = []struct {
	variable string
	plan     spec.Plan
}{{keyVariable, spec.Business}, {keyVariable + "_FREE", spec.Free}, {keyVariable + "_PRO", spec.Pro},
	{keyVariable + "_BUSINESS", spec.Business}, {keyVariable + "_ENTERPRISE", spec.Enterprise}, {otherKeyVariable, spec.Business}}

const (
	// scaledMinute is how long a minute of the built-in reference service lasts under load, unless --minute says
	// otherwise.
	scaledMinute = 3 * time.Second
	// unlimitedDay is the day of an Enterprise plan without --per-day.
	unlimitedDay = 1 << 40
)

// openOwn starts the built-in reference service on loopback, and gives a key to each of plans.
func (a *app) openOwn(ctx context.Context, cfg reference.Config, plans []load.PlanKey) (*target, error) {
	t := &target{own: map[string]exchange.Secret{},
		connect: func() http.RoundTripper { return staged{client.NewTransport(client.DefaultConnections), a} }}
	give := func(name string, plan spec.Plan) exchange.Secret {
		plan.PerDay = cmp.Or(plan.PerDay, unlimitedDay)
		key := reference.RandomKey(name, plan)
		cfg.Keys, t.own[name] = append(cfg.Keys, key), key.Secret
		a.hide(key.Secret)
		return key.Secret
	}
	give(keyVariable, spec.Business)
	give(otherKeyVariable, spec.Business)
	if len(plans) > 0 {
		give(banKeyVariable, plans[0].Plan)
	}
	for i, p := range plans {
		plans[i].Key = give(fmt.Sprintf("%s-%d", strings.ToLower(p.Plan.Name), i), p.Plan)
	}
	service, err := reference.New(cfg)
	if err != nil {
		return nil, usage("the reference service: %w", err)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, noVerdict(fmt.Errorf("the reference service cannot listen on 127.0.0.1: %w", err))
	}
	t.base = &url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/v1"}
	a.addresses = append(a.addresses, t.base.String())
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var server sync.WaitGroup
	server.Go(func() { _ = service.Serve(serving, l) }) // an error of the shutdown cannot change the verdict
	t.close = func() {
		cancel()
		server.Wait()
	}
	return t, nil
}
