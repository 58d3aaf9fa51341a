package load

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

// PlanKey is a key with the plan that it is on.
type PlanKey struct {
	// Plan has the figures. Enterprise's are custom, so they have to be given (--per-minute, --per-day).
	Plan spec.Plan
	Key  exchange.Secret
	// Label names the key in what is written; the plan's name when it is empty.
	Label string
}

// Config is what a load run is told.
type Config struct {
	// Base is the base address of the target.
	Base *url.URL
	// Plans are the keys that are loaded, side by side.
	Plans []PlanKey
	// OtherKey is a key that the run does not load, to see that it is left alone. Without one there is no isolation phase.
	OtherKey exchange.Secret

	// Minute is how long the target's minute lasts; default a minute. A scaled target runs faster.
	Minute time.Duration
	// Day is how long the target's day lasts; 0, the default, leaves the day's requests unspent.
	Day time.Duration
	// LimitsNotExpected says that the plans' limits are not expected to apply here; then a plan that is never limited is
	// observed, and does not fail. (The interface does not show whether they apply: RATE-17.)
	LimitsNotExpected bool
	// ProvokeBan repeats requests after a 429 until the key is banned. BanKey is the key to do it with.
	ProvokeBan bool
	BanKey     PlanKey

	// CategoryID is the category of the animals that are created. ReadOnly creates none.
	CategoryID int64
	ReadOnly   bool

	// Phases are gone through; nil means all that the rest of the configuration allows.
	Phases []record.Phase
	// Quick runs the fill and what hangs on it, without the further fills that clear up doubts: the exact count, the 429 and
	// the way back, in at most 2.2 windows from a fresh allowance.
	Quick bool
	// MaxWait bounds one wait for the target's allowance; default 10 minutes of the target's.
	MaxWait time.Duration

	// Connect makes a new independent connection to the target; nil means client.NewTransport. The first one that it
	// makes carries the run, and further ones show whether connections share an allowance.
	Connect func() http.RoundTripper
	// Timeout bounds one exchange; default 30 s.
	Timeout time.Duration
	// LedgerDir keeps what each key has spent, so that another run does not spend it twice; "" keeps it for this run only.
	LedgerDir string
	// Shard and Shards say which part of the keys this process has; Shards 0 means all of them. StartAt, when set, is
	// when all shards begin.
	Shard, Shards int
	StartAt       time.Time

	// Run is the random name of the run, Tool the version of petconform, AsOf the day to judge by.
	Run, Tool string
	Seed      uint64
	AsOf      time.Time
	Strict    bool
	Target    record.Target

	// Recording and Vegeta take the run as it goes: what Judge reads, and what vegeta's commands read. Either may be nil.
	Recording, Vegeta io.Writer
	// Progress is told of what happens, from one goroutine at a time; it may be nil.
	Progress func(Event)
	// Fault is told the first panic of the run's goroutines, which ends the run, with its stack; it may be nil.
	Fault func(value any, stack string)

	// wall is the wall clock, for tests; nil means time.Now.
	wall func() time.Time
}

// Recording is a load run as it was sent.
type Recording = record.Recording

// Read reads a recording that Run wrote.
func Read(r io.Reader) (*Recording, error) { return record.Read(r) }

// Write writes a recording, as Run does.
func Write(w io.Writer, rec *Recording) error { return record.Write(w, rec) }

// Merge puts the recordings of a run's shards together, or those of runs of several keys.
func Merge(parts ...*Recording) (*Recording, error) { return record.Merge(parts...) }

// RecordingFormat is the value of "format" in the first line of a load recording; conformance recordings have another.
const RecordingFormat = record.Format

// complete checks a configuration and fills in the defaults.
func (c Config) complete() (Config, error) {
	if c.Base == nil {
		return c, errors.New("a base address is wanted, like https://host/v1")
	}
	if len(c.Plans) == 0 {
		return c, errors.New("no plan: at least one plan with its key is wanted, like --plan Free with PETCONFORM_KEY_FREE")
	}
	c.Plans = slices.Clone(c.Plans)
	for i := range c.Plans {
		if err := c.Plans[i].complete(); err != nil {
			return c, err
		}
	}
	if err := c.keysApart(); err != nil {
		return c, err
	}
	c.Minute = orDefault(c.Minute, time.Minute)
	c.Timeout = orDefault(c.Timeout, client.DefaultTimeout)
	c.MaxWait = orDefault(c.MaxWait, 10*c.Minute)
	c.CategoryID = orDefault(c.CategoryID, 1)
	if c.Connect == nil {
		c.Connect = func() http.RoundTripper { return client.NewTransport(client.DefaultConnections) }
	}
	if c.Progress == nil {
		c.Progress = func(Event) {}
	}
	if c.Fault == nil {
		c.Fault = func(any, string) {}
	}
	if c.AsOf.IsZero() {
		c.AsOf = time.Now()
	}
	if c.Tool == "" {
		c.Tool = "petconform"
	}
	if err := c.selected(); err != nil {
		return c, err
	}
	if c.ProvokeBan {
		if c.BanKey.Key.IsZero() {
			return c, errors.New("a ban is only provoked on a key given for it: set the ban key, or leave --provoke-ban out")
		}
		if err := c.BanKey.complete(); err != nil {
			return c, fmt.Errorf("the ban key: %w", err)
		}
		c.BanKey.Label += " (ban)"
	}
	return c.shardOf()
}

// selected checks the phases that are asked for. A phase that runs within another brings that one along.
func (c *Config) selected() error {
	if c.Quick {
		if c.Phases != nil {
			return errors.New("--quick selects its phases itself; leave --phase out")
		}
		c.Phases = []record.Phase{record.Fill, record.Recover}
	}
	var names []string
	for _, p := range phases() {
		names = append(names, string(p.ID))
		if p.within != "" && slices.Contains(c.Phases, p.ID) && !slices.Contains(c.Phases, p.within) {
			c.Phases = append(slices.Clone(c.Phases), p.within)
		}
	}
	for _, p := range c.Phases {
		if !slices.Contains(names, string(p)) {
			return fmt.Errorf("there is no phase %q; the phases are %s", p, strings.Join(names, ", "))
		}
		if c.Phases != nil && !c.has(p) {
			return fmt.Errorf("the phase %s can't run: %s", p, needs[p])
		}
	}
	return nil
}

// needs says what a phase that is asked for by name lacks.
var needs = map[record.Phase]string{
	record.Isolation: "it needs a second key, in PETCONFORM_KEY_OTHER", record.RefusedCreate: "it creates animals, and --read-only creates none",
	record.Day: "it needs --day", record.Ban: "it needs --provoke-ban",
}

// dayHolds says whether the target's day is long enough for all phases, before any of it is spent.
func (c *Config) dayHolds(s Schedule) error {
	if c.Day > 0 && c.Day < s.Longest {
		return fmt.Errorf("the target's day of %s can't hold all phases, which take up to %s: a reset in between would leave the day's limit untold; "+
			"give --day of at least that, or fewer phases with --phase", c.Day, s.Longest.Round(time.Second))
	}
	return nil
}

// keysApart: two that spend one allowance at the same time can't tell whose request was refused.
func (c *Config) keysApart() error {
	labels := map[string]string{}
	for _, p := range c.Plans {
		if other, ok := labels[p.Key.Reveal()]; ok {
			return fmt.Errorf("%s and %s have the same key; each plan is loaded on a key of its own (PETCONFORM_KEY_FREE and so on)", other, p.Label)
		}
		labels[p.Key.Reveal()] = p.Label
	}
	if label, ok := labels[c.OtherKey.Reveal()]; ok {
		return fmt.Errorf("the other key, which is looked at while %s is loaded, is the same key; give a second one in PETCONFORM_KEY_OTHER, or none", label)
	}
	return nil
}

func orDefault[T int64 | time.Duration](given, def T) T {
	if given <= 0 {
		return def
	}
	return given
}

func (p *PlanKey) complete() error {
	if p.Label == "" {
		p.Label = p.Plan.Name
	}
	switch {
	case p.Plan.PerMinute <= 0:
		return fmt.Errorf("the plan %s has no requests per minute of its own; give them with --per-minute", p.Plan.Name)
	case p.Plan.PerMinute < minPerMinute:
		return fmt.Errorf("the plan %s has %d requests per minute; at least %d are wanted, or nothing can be told from outside", p.Plan.Name, p.Plan.PerMinute, minPerMinute)
	case p.Key.IsZero():
		return fmt.Errorf("no key for %s; set PETCONFORM_KEY or the plan's own", p.Label)
	}
	return p.Key.Validate()
}

// minPerMinute is the smallest plan that can be loaded: the phases need a few requests to look around.
const minPerMinute = 10

// shardOf keeps the keys of this shard: key i belongs to shard i modulo Shards, so that plans spread evenly.
func (c Config) shardOf() (Config, error) {
	if c.Shards <= 1 {
		c.Shard, c.Shards = 0, 0
		return c, nil
	}
	if c.Shard < 0 || c.Shard >= c.Shards {
		return c, fmt.Errorf("shard %d of %d: a number from 0 to %d is wanted", c.Shard, c.Shards, c.Shards-1)
	}
	var own []PlanKey
	for i, p := range c.Plans {
		if i%c.Shards == c.Shard {
			own = append(own, p)
		}
	}
	if len(own) == 0 {
		return c, fmt.Errorf("shard %d of %d has none of the %d keys; use at most as many shards as keys", c.Shard, c.Shards, len(c.Plans))
	}
	c.Plans = own
	c.ProvokeBan = c.ProvokeBan && c.Shard == 0
	return c, nil
}
