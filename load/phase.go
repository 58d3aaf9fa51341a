package load

import (
	"net/http"
	"slices"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

// Phase is one part of a load run: the steps that it sends, and what they prove. Sending judges nothing.
type Phase struct {
	judge.Phase
	// Needs reports whether the configuration has what the phase needs, and Without says what that is; nil means that
	// the phase needs nothing.
	Needs   func(*Config) bool
	Without string
	// OfAll says that the phase judges what all phases send. Neither such a phase nor one of BanKey is selected by its name
	// alone.
	OfAll bool
	// Options returns what a command line needs beside --phase to run the phase again; nil means nothing.
	Options func(*judge.Report) []string
	// Cost is what the phase sends for a plan, and how long it takes, on a target whose minute lasts so long.
	Cost func(p spec.Plan, minute time.Duration) Schedule
	// Steps returns the steps of the next round. It may skip the phase. Nil means that another phase sends the requests.
	Steps func(*lane) []Step
	// Again reports whether there is one more round after what came of those before; nil means that there is one round.
	Again func(*lane) bool
}

// Step is one part of a round: requests of one role, how fast they are sent, and when they end. A request waits for the
// Retry-After of the last 429, one of role AtReset for its X-RateLimit-Reset, and one of role Press for nothing. The zero
// fields of a step mean: nothing sent, in a closed loop, by one worker, listPets, to the end, with the lane's own key.
type Step struct {
	// Phase is that of its requests; by default that of the round. Doing says what the key does from now on.
	Phase record.Phase
	Doing string
	// If decides whether the step is taken; nil means yes. GiveUp ends the key's run for this reason.
	If     func(*lane) bool
	GiveUp string

	// Pause is the least time since the last request before the step.
	Pause time.Duration
	// The rest is as in sender.Attack, where Call is Next and Every is Interval.
	Role    record.Role
	Over    []http.RoundTripper
	Call    func(i int) sender.Call
	Budget  int
	Every   time.Duration
	Workers int
	Spread  bool
	// AtFirst429 ends the step at the first 429, and all later steps of the round that have it.
	AtFirst429 bool

	// Other says that the run's other key is sent, and While is such a step that is taken at the same time. One lane of
	// all runs at a time is in a round with such steps, so that the other key shows the effect of one overload.
	Other bool
	While *Step
}

// Phases returns every phase in the order in which a key goes through them.
func Phases() []Phase {
	return []Phase{
		headersPhase,
		fillPhase,
		recoverPhase,
		underPhase,
		mixedPhase,
		overloadPhase,
		isolationPhase,
		refusedCreatePhase,
		dayPhase,
		banPhase,
	}
}

// of returns the planned phases of a key. The ban key has only the headers and the ban phase.
func (c *Config) of(key *PlanKey) []Phase {
	return slices.DeleteFunc(slices.Clone(c.planned), func(p Phase) bool {
		return p.BanKey != key.ban && p.ID != record.Headers
	})
}

// judged returns what the judge knows of phases.
func judged(phases []Phase) (out []judge.Phase) {
	for _, p := range phases {
		out = append(out, p.Phase)
	}
	return out
}

func ids(phases []Phase) (out []record.Phase) {
	for _, p := range phases {
		out = append(out, p.ID)
	}
	return out
}
