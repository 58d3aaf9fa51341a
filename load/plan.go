package load

import (
	"cmp"
	"time"
)

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
