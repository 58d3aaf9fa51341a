package load

import (
	"math"
	"time"

	"petconform/load/record"
)

// Schedule is what a run will send, told beforehand.
type Schedule struct {
	Keys []KeySchedule `json:"keys"`
	// Requests is what a target that keeps the interface is sent at most, over all keys, as long as its answers leave no
	// doubt. Most is the end of it on any target: doubts, and faults, are looked at again.
	Requests int `json:"requests"`
	Most     int `json:"most"`
	// Creates is the most animals that are created.
	Creates int `json:"creates"`
	// Longest is how long the run takes at most on a target that keeps the interface: the keys run side by side.
	Longest time.Duration `json:"longestNs"`
	// Fastest is what the phases need on a target whose answers take no time.
	Fastest time.Duration `json:"fastestNs"`
}

// KeySchedule is the part of one key.
type KeySchedule struct {
	Label  string          `json:"label"`
	Plan   string          `json:"plan"`
	Phases []PhaseSchedule `json:"phases"`
	// Requests and Most are as in Schedule, and OfDay is the part of the plan's day that Requests is; 0 when the plan has none.
	Requests int     `json:"requests"`
	Most     int     `json:"most"`
	OfDay    float64 `json:"ofDay,omitempty"`
	// Warning says what the key's owner should know before.
	Warning string `json:"warning,omitempty"`
}

// PhaseSchedule is one phase of a key.
type PhaseSchedule struct {
	Phase record.Phase `json:"phase"`
	// Requests and Most are as in Schedule.
	Requests int           `json:"requests"`
	Most     int           `json:"most"`
	Creates  int           `json:"creates,omitempty"`
	Fastest  time.Duration `json:"fastestNs"`
	Longest  time.Duration `json:"longestNs"`
}

// Plan says what Run would send. It sends nothing.
func Plan(cfg Config) (Schedule, error) {
	c, err := cfg.complete()
	if err != nil {
		return Schedule{}, err
	}
	var s Schedule
	for _, p := range c.Plans {
		s.add(c.keySchedule(p, without(c.phases(), record.Ban)))
	}
	if c.ProvokeBan {
		s.add(c.keySchedule(c.BanKey, []record.Phase{record.Headers, record.Ban}))
	}
	return s, nil
}

func without(all []record.Phase, one record.Phase) []record.Phase {
	var out []record.Phase
	for _, p := range all {
		if p != one {
			out = append(out, p)
		}
	}
	return out
}

func (s *Schedule) add(k KeySchedule) {
	var fastest, longest time.Duration
	for _, p := range k.Phases {
		s.Creates += p.Creates
		fastest, longest = fastest+p.Fastest, longest+p.Longest
	}
	s.Requests += k.Requests
	s.Most += k.Most
	s.Fastest, s.Longest = max(s.Fastest, fastest), max(s.Longest, longest)
	s.Keys = append(s.Keys, k)
}

func (c *Config) keySchedule(p PlanKey, phases []record.Phase) KeySchedule {
	k := KeySchedule{Label: p.Label, Plan: p.Plan.Name}
	for _, phase := range phases {
		one := c.phaseSchedule(p, phase, phases)
		k.Phases = append(k.Phases, one)
		k.Requests += one.Requests
		k.Most += one.Most
	}
	if p.Plan.PerDay > 0 {
		k.OfDay = float64(k.Requests) / float64(p.Plan.PerDay)
		if k.OfDay > 1 && !c.has(record.Day) {
			k.Warning = "the phases together need more than the plan's day allows"
		}
	}
	return k
}

// phaseSchedule counts what the phase sends. The times are those of waiting for a fresh window, of which a target that is
// limited by the minute can't spare any client one; answers that take no time make the fastest.
func (c *Config) phaseSchedule(p PlanKey, phase record.Phase, all []record.Phase) PhaseSchedule {
	limit, w := int(p.Plan.PerMinute), c.Minute
	one := PhaseSchedule{Phase: phase}
	switch phase {
	case record.Headers:
		one.Requests, one.Most = headerLooks+len(searchStatuses), headerLooks+2*len(searchStatuses)
		one.Fastest, one.Longest = w/headerSpan, w/headerSpan+w
	case record.Fill:
		one.Requests = (fillRounds + 1) * (fewLooks + limit + 1 + refills/2 + 1)
		one.Most = mostFills*(mostLooks+mostOfBurst(limit)) + (mostFills-fillRounds)*watchLooks
		one.Longest = 3*w + w/8
	case record.Recover:
		one.Requests, one.Longest = c.comebacks(all), w
		one.Most = (mostFills + 8) * mostProbes
	case record.Backoff:
		one.Requests, one.Longest = 1, 2*w
	case record.Under:
		one.Requests = fewLooks + c.Windows*limit + limit
		one.Most = 2 * (mostLooks + c.Windows*limit + limit)
		one.Fastest, one.Longest = time.Duration(c.Windows)*w, time.Duration(c.Windows+4)*w
	case record.Mixed:
		one.Requests, one.Most = fewLooks+limit+1+beyondMixed, 2*(mostLooks+mostOfBurst(limit)+beyondMixed)
		one.Creates, one.Longest = c.mixedCreates(), 3*w
	case record.Overload:
		one.Requests = overloads*fewLooks + c.overloadRequests(limit) + (overloads-1)*(limit+limit/2)
		one.Most = mostOverloads*mostLooks + c.overloadRequests(limit) + (mostOverloads-1)*(limit+limit/2)
		one.Fastest, one.Longest = w/2, 6*w
		if contains(all, record.RefusedCreate) {
			one.Creates = refusedCreates
		}
	case record.Isolation:
		one.Requests = controlReads + besideReads
	case record.RefusedCreate:
		one.Requests, one.Most = 1, 2
	case record.Day:
		one.Fastest = time.Duration(math.Floor(float64(p.Plan.PerDay)/float64(limit))) * w
		one.Longest = one.Fastest + one.Fastest/8 + w
		one.Requests = fewLooks + int(p.Plan.PerDay) + 1
		one.Most = dayRounds*mostLooks + 2*int(p.Plan.PerDay)
	case record.Ban:
		one.Requests, one.Fastest, one.Longest = fewLooks+limit+1+banRequests(limit)+banProbes, 0, w+c.BanWait
		one.Most = one.Requests + mostLooks + limit + 1
	}
	one.Most = max(one.Most, one.Requests)
	return one
}

const (
	// fewLooks and mostLooks are how many requests show that a window is fresh: fresh's tries, and one more after a 429.
	fewLooks, mostLooks = 2, 4
	// mostProbes is how many requests one way back takes at most: the probes, and one at Reset before them.
	mostProbes = most429 + 2
	// beyondMixed are the requests of every operation after the mixed phase's 429.
	beyondMixed = 3
)

// mostOfBurst is what a burst sends when nothing ever stops it.
func mostOfBurst(limit int) int { return 2*limit + 3 }

// comebacks counts the 429s that are come back from, once each, but for the fill's second.
func (c *Config) comebacks(all []record.Phase) int {
	n := 1
	for _, p := range []record.Phase{record.Mixed, record.Overload} {
		if contains(all, p) {
			n++
		}
	}
	return 2 * n
}

func contains(all []record.Phase, p record.Phase) bool {
	for _, one := range all {
		if one == p {
			return true
		}
	}
	return false
}
