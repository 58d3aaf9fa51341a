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
	for i, p := range c.keys() {
		k := c.keySchedule(p, i == len(c.Plans))
		s.Parts = append(s.Parts, k)
		s.Requests, s.Creates = s.Requests+k.Requests, s.Creates+k.Creates
		s.Usual, s.Longest = max(s.Usual, k.Usual), max(s.Longest, k.Longest)
	}
	return s
}

// day is the length of the target's day, by default 1,440 of its minutes.
func (c *Config) day() time.Duration { return cmp.Or(c.Day, 24*60*c.Minute) }

// keySchedule returns the schedule of one key.
func (c *Config) keySchedule(p PlanKey, ban bool) Schedule {
	k, minute, day := Schedule{Name: p.Label}, float64(p.Plan.PerMinute), float64(p.Plan.PerDay)
	lasts := func(a amount) time.Duration { return time.Duration(float64(c.Minute) * a.of(0, day/minute)) }
	for _, phase := range c.of(ban) {
		cost := phase.Cost
		if c.ReadOnly {
			cost.Creates = 0
		}
		one := Schedule{Name: string(phase.ID), Requests: int(cost.Requests.of(minute, day)), Creates: cost.Creates,
			Usual: lasts(cost.Usual), Longest: lasts(cost.Longest)}
		k.Parts = append(k.Parts, one)
		k.Requests, k.Creates = k.Requests+one.Requests, k.Creates+one.Creates
		k.Usual, k.Longest = k.Usual+one.Usual, k.Longest+one.Longest
	}
	if day > 0 {
		k.OfDay = float64(k.Requests) / day
	}
	return k
}

// Cost is what a phase sends and how long it takes, as in Schedule. Usual and Longest are in the target's minutes.
type Cost struct {
	Requests       amount
	Creates        int
	Usual, Longest amount
}

// amount is a number, and so many times what the plan has a minute, and a day.
type amount struct{ plus, minutes, days float64 }

func (a amount) of(minute, day float64) float64 { return a.plus + a.minutes*minute + a.days*day }
