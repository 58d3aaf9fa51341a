package load

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

type PlanKey struct {
	// Plan has the limits. Those of Enterprise are custom, so they must be given (--per-minute, --per-day).
	Plan spec.Plan
	Key  exchange.Secret
	// Label names the key in recordings and reports; the default is the plan's name.
	Label string
	// ban says that it is Config.BanKey.
	ban bool
}

// Config configures a load run. Of Meta it has what the caller knows: the random name of the run, the version of
// petconform, the seed, the day to judge by, the tested build, how the transport reaches it, and what may be created.
// CategoryID 0 means the smallest one in a listing, or 1 if there is none.
type Config struct {
	exchange.Meta
	// Base is the base address of the target.
	Base *url.URL
	// Plans are the keys that are loaded, side by side.
	Plans []PlanKey
	// OtherKey is a second key, which the overload must not affect. Without it there is no isolation phase.
	OtherKey exchange.Secret

	// Minute is how long the target's minute lasts; default a minute. A scaled target runs faster.
	Minute time.Duration
	// Day is how long the target's day lasts; 0, the default, does not test the day's limit.
	Day time.Duration
	// LimitsNotExpected says that the target is not expected to apply the plans' limits, so a plan without a 429 does
	// not fail. The interface does not say whether the limits apply to these operations (RATE-17).
	LimitsNotExpected bool
	// ProvokeBan repeats requests with BanKey after a 429 until it is banned.
	ProvokeBan bool
	BanKey     PlanKey

	// Phases are the phases to run; nil means all that the rest of the configuration allows.
	Phases []record.Phase
	// planned are the phases to run, in order.
	planned []Phase
	// Quick runs only the fill and the recovery, with at most mostFills fills. It usually takes three windows, four or
	// five if they are on the clock, and six on a sliding counter.
	Quick bool
	// MaxWait bounds one wait for Retry-After or X-RateLimit-Reset; default 10 of the target's minutes, and at least
	// leastMaxWait.
	MaxWait time.Duration

	// Connect returns an independent transport to the target; nil means client.NewTransport. The run uses the first
	// one. The mixed phase uses further ones to test whether connections share an allowance.
	Connect func() http.RoundTripper
	// Secrets are other secrets that the transport sends, which must not be in any file.
	Secrets []exchange.Secret
	// Timeout bounds one exchange; default 30 s.
	Timeout time.Duration
	// LockDir is the folder of the locks of keys, one for all processes that may load the same; default one of the
	// user's own in os.TempDir.
	LockDir string
	// Shard and Shards say which part of the keys this process has; if Shards is 0, it has all.
	Shard, Shards int

	// Recording receives the run while it goes on, as Judge reads it. It may be nil.
	Recording io.Writer
	// Progress receives events, from the goroutines of all keys; it may be nil.
	Progress func(Event)
}

// leastMaxWait is the smallest MaxWait in minutes of the target: 4. The longest waits are 3.2 minutes for windows
// without requests, and 3 minutes and 3 s for X-RateLimit-Reset.
const leastMaxWait = 4

// complete checks a configuration and fills in the defaults.
func (c Config) complete() (Config, error) {
	c.Minute = cmp.Or(max(0, c.Minute), time.Minute)
	c.Timeout = cmp.Or(max(0, c.Timeout), client.DefaultTimeout)
	c.MaxWait = max(cmp.Or(c.MaxWait, 10*c.Minute), leastMaxWait*c.Minute)
	c.Tool = cmp.Or(c.Tool, "petconform")
	if c.Connect == nil {
		c.Connect = func() http.RoundTripper { return client.NewTransport(client.DefaultConnections) }
	}
	if c.AsOf.IsZero() {
		c.AsOf = time.Now()
	}
	if err := cmp.Or(c.selected(), c.keyed(), c.shard()); err != nil {
		return c, err
	}
	if longest := c.schedule().Longest; c.Day > 0 && c.Day < longest {
		return c, fmt.Errorf("the target's day of %s is too short for all phases, which take up to %s: a reset of the day "+
			"between them would hide its limit; give a longer --day, or fewer phases with --phase",
			c.Day, longest.Truncate(time.Second)+time.Second)
	}
	return c, nil
}

// selected finds the phases to run, in order. The headers are always read: all other phases need them. A phase that runs
// within another, or needs one before it, selects the other.
func (c *Config) selected() error {
	if c.Quick {
		if c.Phases != nil {
			return errors.New("--quick selects the phases; omit --phase")
		}
		c.Phases = []record.Phase{record.Fill, record.Recover}
	}
	known, asked := Phases(), map[record.Phase]bool{}
	for _, id := range c.Phases {
		if asked[id] = true; !slices.Contains(ids(known), id) {
			return fmt.Errorf("there is no phase %q; the phases are %v", id, ids(known))
		}
	}
	for _, p := range slices.Backward(known) {
		switch can := p.Needs == nil || p.Needs(c); {
		case !can && asked[p.ID]:
			return fmt.Errorf("the phase %s can't run: %s", p.ID, p.Without)
		case can && (c.Phases == nil || asked[p.ID] || p.ID == record.Headers):
			c.planned = append(c.planned, p)
			asked[p.Within], asked[p.After] = true, true // or "", which is no phase
		}
	}
	slices.Reverse(c.planned)
	return nil
}

// keyed puts the ban key behind those of the plans and checks all of them. None may be given twice: each lane would spend
// the allowance of the other.
func (c *Config) keyed() error {
	c.Plans = slices.Clone(c.Plans)
	if c.ProvokeBan {
		c.BanKey.ban = true
		c.Plans = append(c.Plans, c.BanKey)
	}
	labels := map[string]string{c.OtherKey.Reveal(): "the other key"}
	for i := range c.Plans {
		p := &c.Plans[i]
		if err := p.complete(); err != nil {
			return err
		}
		if other, ok := labels[p.Key.Reveal()]; ok {
			return fmt.Errorf("%s and %s have the same key; each has to have its own, in PETCONFORM_KEY_FREE, "+
				"PETCONFORM_KEY_OTHER and so on", other, p.Label)
		}
		labels[p.Key.Reveal()] = p.Label
	}
	return nil
}

func (p *PlanKey) complete() error {
	if p.Label = cmp.Or(p.Label, p.Plan.Name); p.ban {
		p.Label += " (ban)"
	}
	if p.Plan.PerMinute < minPerMinute {
		return fmt.Errorf("the plan %s has %d requests per minute; a load run needs at least %d (--per-minute)",
			p.Plan.Name, p.Plan.PerMinute, minPerMinute)
	}
	if p.Key.IsZero() {
		return fmt.Errorf("no key for %s; set PETCONFORM_KEY or the plan's own", p.Label)
	}
	if err := p.Key.Validate(); err != nil {
		return fmt.Errorf("the key of %s: %w", p.Label, err)
	}
	return nil
}

// minPerMinute is the smallest plan that can be loaded: 10 requests a minute, since reading the headers takes 4.
const minPerMinute = 10

// shard keeps the keys of this shard. Key i belongs to shard i modulo Shards.
func (c *Config) shard() error {
	if c.Shards <= 1 {
		c.Shard, c.Shards = 0, 0
		return nil
	}
	if c.ProvokeBan {
		return errors.New("--provoke-ban bans one key; run it without --shard")
	}
	var own []PlanKey
	for i := c.Shard; i < len(c.Plans); i += c.Shards {
		own = append(own, c.Plans[i])
	}
	if c.Plans = own; len(own) == 0 {
		return fmt.Errorf("shard %d of %d has no key; use at most as many shards as keys", c.Shard, c.Shards)
	}
	return nil
}

// Schedule is what a run, a key or a phase sends, and how long it takes.
type Schedule struct {
	// Name is the label of a key, or the id of a phase.
	Name string
	// Requests is the largest number of requests to a conforming target if no result is unclear. Creates is the most
	// animals that are created.
	Requests, Creates int
	// Usual is the time on most kinds of limiter, and Longest the longest on a conforming target.
	Usual, Longest time.Duration
	// OfDay is the part of the plan's day that the requests of a key are; 0 if the plan has none.
	OfDay float64
	// Parts are the keys of a run, which run side by side, or the phases of a key.
	Parts []Schedule
}

// Plan returns what Run would send. It sends nothing. It returns an error if the configuration is wrong.
func Plan(cfg Config) (Schedule, error) {
	c, err := cfg.complete()
	return c.schedule(), err
}

func (c *Config) schedule() (s Schedule) {
	for i := range c.Plans {
		k := c.keySchedule(&c.Plans[i])
		s.Parts = append(s.Parts, k)
		s.Requests, s.Creates = s.Requests+k.Requests, s.Creates+k.Creates
		s.Usual, s.Longest = max(s.Usual, k.Usual), max(s.Longest, k.Longest)
	}
	return s
}

// day is the length of the target's day, by default 1,440 of its minutes.
func (c *Config) day() time.Duration { return cmp.Or(c.Day, 24*60*c.Minute) }

func (c *Config) keySchedule(key *PlanKey) Schedule {
	k := Schedule{Name: key.Label}
	for _, phase := range c.of(key) {
		one := phase.Cost(key.Plan, c.Minute)
		if one.Name = string(phase.ID); c.ReadOnly {
			one.Creates = 0
		}
		k.Parts = append(k.Parts, one)
		k.Requests, k.Creates = k.Requests+one.Requests, k.Creates+one.Creates
		k.Usual, k.Longest = k.Usual+one.Usual, k.Longest+one.Longest
	}
	if key.Plan.PerDay > 0 {
		k.OfDay = float64(k.Requests) / float64(key.Plan.PerDay)
	}
	return k
}
