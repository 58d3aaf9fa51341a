package load

import (
	"cmp"
	"time"

	"petconform/load/record"
)

// Expense is what a run, a key or a phase sends, and how long it takes.
type Expense struct {
	// Requests is the largest number of requests to a conforming target if no result is unclear. Creates is the most
	// animals that are created.
	Requests, Creates int
	// Usual is the time on most kinds of limiter, and Longest the longest on a conforming target.
	Usual, Longest time.Duration
}

// Schedule is what a run will send, and how long it will take. The keys run side by side.
type Schedule struct {
	Expense
	Keys []KeySchedule
}

// KeySchedule is the part of one key.
type KeySchedule struct {
	Expense
	Label  string
	Phases []PhaseSchedule
	// OfDay is the part of the plan's day that Requests is; 0 if the plan has none.
	OfDay float64
}

// PhaseSchedule is one phase of a key.
type PhaseSchedule struct {
	Expense
	Phase record.Phase
}

// Plan returns what Run would send. It sends nothing. It returns an error if the configuration is wrong.
func Plan(cfg Config) (Schedule, error) {
	c, err := cfg.complete()
	return c.schedule(), err
}

func (c *Config) schedule() (s Schedule) {
	for i, p := range c.keys() {
		k := c.keySchedule(p, i == len(c.Plans))
		s.Keys = append(s.Keys, k)
		s.Requests, s.Creates = s.Requests+k.Requests, s.Creates+k.Creates
		s.Usual, s.Longest = max(s.Usual, k.Usual), max(s.Longest, k.Longest)
	}
	return s
}

// day is the length of the target's day, by default 1,440 of its minutes.
func (c *Config) day() time.Duration { return cmp.Or(c.Day, 24*60*c.Minute) }

// keySchedule returns the schedule of one key.
func (c *Config) keySchedule(p PlanKey, ban bool) KeySchedule {
	k := KeySchedule{Label: p.Label}
	for _, phase := range c.of(ban) {
		one := phase.schedule(c, p.Plan)
		k.Phases = append(k.Phases, one)
		k.Requests, k.Creates = k.Requests+one.Requests, k.Creates+one.Creates
		k.Usual, k.Longest = k.Usual+one.Usual, k.Longest+one.Longest
	}
	if p.Plan.PerDay > 0 {
		k.OfDay = float64(k.Requests) / float64(p.Plan.PerDay)
	}
	return k
}
