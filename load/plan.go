package load

import (
	"slices"
	"time"

	"petconform/load/record"
)

// Schedule is what a run will send, and how long it will take.
type Schedule struct {
	Keys []KeySchedule `json:"keys"`
	// Requests is the largest number of requests to a conforming target if no result is unclear, over all keys. Most is
	// the largest number to any target: unclear results and failures are repeated.
	Requests int `json:"requests"`
	Most     int `json:"most"`
	// Creates is the most animals that the run creates.
	Creates int `json:"creates"`
	// Longest is the longest time that the run takes on a conforming target. The keys run side by side.
	Longest time.Duration `json:"longestNs"`
	// Usual is the time that the run takes on most kinds of limiter.
	Usual time.Duration `json:"usualNs"`
	// Without lists what the run does not test for want of a setting, a sentence each.
	Without []string `json:"without,omitempty"`
}

// KeySchedule is the part of one key.
type KeySchedule struct {
	Label  string          `json:"label"`
	Plan   string          `json:"plan"`
	Phases []PhaseSchedule `json:"phases"`
	// Requests and Most are as in Schedule, and OfDay is the part of the plan's day that Requests is; 0 when the plan
	// has none.
	Requests int     `json:"requests"`
	Most     int     `json:"most"`
	OfDay    float64 `json:"ofDay,omitempty"`
	// Warning says what the key's owner should know before the run.
	Warning string `json:"warning,omitempty"`
}

// PhaseSchedule is one phase of a key.
type PhaseSchedule struct {
	Phase record.Phase `json:"phase"`
	// Rounds is how many rounds the phase usually has, of equal length.
	Rounds int `json:"rounds,omitempty"`
	// Requests and Most are as in Schedule.
	Requests int           `json:"requests"`
	Most     int           `json:"most"`
	Creates  int           `json:"creates,omitempty"`
	Usual    time.Duration `json:"usualNs"`
	Longest  time.Duration `json:"longestNs"`
}

// Plan returns what Run would send. It sends nothing. It returns an error if the configuration is wrong.
func Plan(cfg Config) (Schedule, error) {
	c, err := cfg.complete()
	if err != nil {
		return Schedule{}, err
	}
	var s Schedule
	for _, p := range c.Plans {
		s.add(c.keySchedule(p, false))
	}
	if c.ProvokeBan {
		s.add(c.keySchedule(c.BanKey, true))
	}
	if c.Phases == nil && !c.Quick && c.OtherKey.IsZero() {
		s.Without = append(s.Without, "The isolation of keys (RATE-10) is not tested: set PETCONFORM_KEY_OTHER to a second key.")
	}
	return s, c.dayHolds(s)
}

func (s *Schedule) add(k KeySchedule) {
	var longest, usual time.Duration
	for _, p := range k.Phases {
		s.Creates += p.Creates
		usual, longest = usual+p.Usual, longest+p.Longest
	}
	s.Requests += k.Requests
	s.Most += k.Most
	s.Usual, s.Longest = max(s.Usual, usual), max(s.Longest, longest)
	s.Keys = append(s.Keys, k)
}

// keySchedule returns the schedule of one key. The ban key has only the headers and the ban phase.
func (c *Config) keySchedule(p PlanKey, ban bool) KeySchedule {
	planned := slices.DeleteFunc(c.planned(), func(p Phase) bool { return p.BanKey != ban && p.ID != record.Headers })
	k := KeySchedule{Label: p.Label, Plan: p.Plan.Name}
	for _, phase := range planned {
		one := phase.schedule(c, p.Plan)
		k.Phases = append(k.Phases, one)
		k.Requests += one.Requests
		k.Most += one.Most
	}
	if p.Plan.PerDay > 0 {
		k.OfDay = float64(k.Requests) / float64(p.Plan.PerDay)
		if k.OfDay > 1 && !slices.Contains(ids(planned), record.Day) {
			k.Warning = "the phases need more requests than the plan has a day"
		}
	}
	return k
}
