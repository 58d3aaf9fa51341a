package reference

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
)

// Config says what service to make. The zero value of each field but Keys has a meaning.
type Config struct {
	// BasePath is what every path begins with: /v1 when empty.
	BasePath string
	// Keys may call the service; at least one is wanted.
	Keys []Key
	// Store keeps the animals, and stays open when the service is closed. Without one they are kept in DBFile, and
	// without that in memory.
	Store  store.Store
	DBFile string
	// Minute and Day are how long a plan's minute and day last; 0 means a real one.
	Minute, Day time.Duration
	// Limiter is how requests are counted; empty means limiter.FixedFirst.
	Limiter limiter.Kind
	// Now is the clock for everything that the service says about time; nil means time.Now.
	Now func() time.Time
	// Logger gets a line per request, never with a key in it; nil logs nothing.
	Logger *slog.Logger
	// MaxBody is the largest request body in bytes that is read; 0 means 1 MiB.
	MaxBody int64
	// Seed is how many animals are there from the start, in a store that is empty.
	Seed int
	// Deviations and Freedoms are names from Deviations() and Freedoms(). Freedoms are applied first, each in order.
	Deviations []string
	Freedoms   []string
}

// Key is an API key and what it may spend.
type Key struct {
	// Name stands for the key in logs.
	Name   string
	Secret exchange.Secret
	// Plan has its numbers; Enterprise, which the interface leaves to the contract, has to be given some.
	Plan spec.Plan
}

// RandomKey makes a key that nobody can guess.
func RandomKey(name string, plan spec.Plan) Key {
	return Key{Name: name, Secret: exchange.NewSecret("pet-" + rand.Text()), Plan: plan}
}

const defaultMaxBody = 1 << 20

// complete fills in what was left empty and says what cannot be served.
func (c Config) complete() (Config, error) {
	if c.BasePath == "" {
		c.BasePath = "/v1"
	}
	c.BasePath = "/" + strings.Trim(c.BasePath, "/")
	if c.BasePath == "/" {
		c.BasePath = ""
	}
	if c.Minute == 0 {
		c.Minute = time.Minute
	}
	if c.Day == 0 {
		c.Day = 24 * time.Hour
	}
	if c.Minute < 0 || c.Day < c.Minute {
		return c, fmt.Errorf("a minute of %s and a day of %s: a positive minute and a day at least as long are wanted", c.Minute, c.Day)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.MaxBody == 0 {
		c.MaxBody = defaultMaxBody
	}
	if c.Store != nil && c.DBFile != "" {
		return c, fmt.Errorf("the file %s and a store are both given, one of them is wanted", c.DBFile)
	}
	var err error
	if c.Limiter, err = limiter.ParseKind(string(c.Limiter)); err != nil {
		return c, err
	}
	return c, c.checkKeys()
}

func (c Config) checkKeys() error {
	if len(c.Keys) == 0 {
		return fmt.Errorf("no key is given, at least one is wanted: nobody could call the service")
	}
	seen := map[string]string{}
	for i, k := range c.Keys {
		name := k.Name
		if name == "" {
			name = fmt.Sprintf("number %d", i+1)
		}
		if k.Secret.IsZero() {
			return fmt.Errorf("the key %s has no secret", name)
		}
		if err := k.Secret.Validate(); err != nil {
			return fmt.Errorf("the key %s: %w", name, err)
		}
		if other, twice := seen[k.Secret.Reveal()]; twice {
			return fmt.Errorf("the keys %s and %s are the same", other, name)
		}
		seen[k.Secret.Reveal()] = name
		if k.Plan.PerMinute <= 0 || k.Plan.PerDay <= 0 {
			return fmt.Errorf("the key %s has the plan %q with %d requests a minute and %d a day; figures above 0 are wanted",
				name, k.Plan.Name, k.Plan.PerMinute, k.Plan.PerDay)
		}
	}
	return nil
}
