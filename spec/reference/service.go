package reference

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
	"petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
)

// Config configures a service, whose base address ends in /v1. Every field except Keys may be left zero.
type Config struct {
	Keys  []Key        // Keys may call the service; at least one is required
	Store *store.Store // Store keeps the animals; default an empty one
	// Minute and Day are how long a plan's minute and day last; default 1 minute and 24 hours.
	Minute, Day time.Duration
	Limiter     limiter.Kind     // how requests are counted; default limiter.FixedFirst
	Now         func() time.Time // the service's clock; default time.Now
	AsOf        time.Time        // the day on which getPet is there or removed; default that of the clock
	Logger      *slog.Logger     // Logger gets a line for each request, without the key; nil logs nothing
	MaxBody     int64            // the largest request body, in bytes; default 1 MiB
	Seed        int              // the number of animals that an empty store begins with
	// Deviations and Freedoms are names of deviations.All() and freedoms.All(). Freedoms are applied first.
	Deviations []string
	Freedoms   []string
}

// Key is an API key and its plan.
type Key struct {
	Name   string // Name stands for the key in logs
	Secret exchange.Secret
	// Plan must have numbers above 0. Enterprise has none in the interface, so they must be set.
	Plan spec.Plan
}

// RandomKey returns a key with a random secret.
func RandomKey(name string, plan spec.Plan) Key {
	return Key{Name: name, Secret: exchange.NewSecret("pet-" + rand.Text()), Plan: plan}
}

const defaultMaxBody = 1 << 20

// complete fills in the defaults and checks the configuration.
func (c Config) complete() (Config, error) {
	c.Minute, c.Day = cmp.Or(c.Minute, time.Minute), cmp.Or(c.Day, 24*time.Hour)
	c.MaxBody = cmp.Or(c.MaxBody, defaultMaxBody)
	if c.Minute < 0 || c.Day < c.Minute {
		return c, fmt.Errorf("a minute of %s and a day of %s are invalid; use a positive minute and a day that is at least "+
			"as long", c.Minute, c.Day)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Store = cmp.Or(c.Store, store.New())
	var err error
	if c.Limiter, err = limiter.ParseKind(string(c.Limiter)); err != nil {
		return c, err
	}
	return c, c.checkKeys()
}

func (c Config) checkKeys() error {
	if len(c.Keys) == 0 {
		return fmt.Errorf("no key is set; use at least one")
	}
	seen := map[string]string{}
	for i, k := range c.Keys {
		name := cmp.Or(k.Name, fmt.Sprintf("number %d", i+1))
		if k.Secret.IsZero() {
			return fmt.Errorf("the key %s has no secret", name)
		}
		if err := k.Secret.Validate(); err != nil {
			return fmt.Errorf("the key %s: %w", name, err)
		}
		if other, twice := seen[k.Secret.Reveal()]; twice {
			return fmt.Errorf("the keys %s and %s have the same secret", other, name)
		}
		seen[k.Secret.Reveal()] = name
		if k.Plan.PerMinute <= 0 || k.Plan.PerDay <= 0 {
			return fmt.Errorf("the key %s has the plan %q with %d requests a minute and %d a day; use numbers above 0",
				name, k.Plan.Name, k.Plan.PerMinute, k.Plan.PerDay)
		}
	}
	return nil
}

// Service is the interface as an http.Handler.
type Service struct {
	behaviour *behaviour.Behaviour
}

// New makes a service.
func New(cfg Config) (*Service, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	b := behaviour.Plain()
	b.Now, b.AsOf, b.Logger = cfg.Now, cfg.AsOf, cfg.Logger
	b.Options = limiter.Options{Kind: cfg.Limiter, Minute: cfg.Minute, Day: cfg.Day}
	b.MaxBody, b.Seed = cfg.MaxBody, cfg.Seed
	if err := freedoms.Apply(b, cfg.Freedoms); err != nil {
		return nil, err
	}
	if err := deviations.Apply(b, cfg.Deviations); err != nil {
		return nil, err
	}
	for _, k := range cfg.Keys {
		b.AddAccount(k.Name, k.Secret.Reveal(), k.Plan)
	}
	b.Start(cfg.Store)
	return &Service{behaviour: b}, nil
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.behaviour.ServeHTTP(w, r) }
