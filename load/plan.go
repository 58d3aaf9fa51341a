package load

import (
	"math"
	"time"

	"petconform/load/record"
)

// Schedule is what a run will send, told beforehand.
type Schedule struct {
	Keys []KeySchedule `json:"keys"`
	// Requests and Creates are the most that is sent over all keys.
	Requests int `json:"requests"`
	Creates  int `json:"creates"`
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
	// Requests is the most that the key sends, and OfDay the part of the plan's day that it is; 0 when the plan has none.
	Requests int     `json:"requests"`
	OfDay    float64 `json:"ofDay,omitempty"`
	// Warning says what the key's owner should know before.
	Warning string `json:"warning,omitempty"`
}

// PhaseSchedule is one phase of a key.
type PhaseSchedule struct {
	Phase record.Phase `json:"phase"`
	// Requests is the most that is sent on a target that keeps the interface.
	Requests int           `json:"requests"`
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
	s.Fastest, s.Longest = max(s.Fastest, fastest), max(s.Longest, longest)
	s.Keys = append(s.Keys, k)
}

func (c *Config) keySchedule(p PlanKey, phases []record.Phase) KeySchedule {
	k := KeySchedule{Label: p.Label, Plan: p.Plan.Name}
	for _, phase := range phases {
		one := c.phaseSchedule(p, phase, phases)
		k.Phases = append(k.Phases, one)
		k.Requests += one.Requests
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
		one.Requests, one.Fastest, one.Longest = headerLooks+len(searchStatuses), w/headerSpan, w/headerSpan+w
	case record.Fill:
		one.Requests, one.Fastest, one.Longest = fillRounds*(limit+1), 0, 2*w+w/8
	case record.Recover:
		one.Requests, one.Longest = 2, w
	case record.Backoff:
		one.Requests, one.Longest = 1, 2*w
	case record.Under:
		one.Requests = c.Windows*limit - c.Windows*limit/20
		one.Fastest, one.Longest = time.Duration(c.Windows)*w, time.Duration(c.Windows+2)*w
	case record.Mixed:
		one.Requests, one.Creates, one.Longest = limit+2+3, c.mixedCreates(), 3*w
	case record.Overload:
		one.Requests, one.Fastest, one.Longest = c.overloadRequests(limit), w/2, 4*w
		if contains(all, record.RefusedCreate) {
			one.Creates = refusedCreates
		}
	case record.Isolation:
		one.Requests = controlReads + besideReads
	case record.RefusedCreate:
		one.Requests, one.Longest = len(searchStatuses), 0
	case record.Day:
		one.Requests = int(p.Plan.PerDay) + 1
		one.Fastest = time.Duration(math.Floor(float64(p.Plan.PerDay)/float64(limit))) * w
		one.Longest = one.Fastest + one.Fastest/8 + w
	case record.Ban:
		one.Requests, one.Fastest, one.Longest = limit+1+banRequests(limit)+banProbes, 0, w+c.BanWait
	}
	return one
}

func contains(all []record.Phase, p record.Phase) bool {
	for _, one := range all {
		if one == p {
			return true
		}
	}
	return false
}
