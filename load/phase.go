package load

import (
	"slices"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
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
	Cost    Cost
	// Rounds gives take the steps of one round after the other, of which the next may depend on what came of those before.
	// It returns when take is false, and may skip the phase. Nil means that another phase sends the requests.
	Rounds func(l *lane, take func(...Step) bool)
}

// Step is one part of a round: what to wait for, what to send and how fast, and when to stop. Its zero fields mean:
// no wait, nothing sent, in a closed loop, by one worker, a listPets, to the end, with the lane's own key.
type Step struct {
	// Phase is that of its requests; by default that of the round. Doing says what the key does from now on.
	Phase record.Phase
	Doing string
	// If decides whether the step is taken; nil means yes. GiveUp ends the key's run for this reason.
	If     func(*lane) bool
	GiveUp string

	// Wait is what is waited for, and Pause the least time since the last request before it.
	Wait  Wait
	Pause time.Duration

	// Budget is the largest number of requests. Every is the time between two of them; 0 sends as soon as a worker is
	// free. Workers is the largest number in flight.
	Budget  int
	Every   time.Duration
	Workers int
	// Burst sends a whole allowance in parts, in place of Budget, the first by at least Workers. Slow is the time of its
	// first part.
	Burst bool
	Slow  time.Duration
	// Call returns request i; nil means a listPets with Role.
	Role record.Role
	Call func(i int) sender.Call

	// AtFirst429 ends the step at the first 429, and all later steps of the round that have it. Ends learns from each
	// response, and reports whether it ends the step; it may be nil.
	AtFirst429 bool
	Ends       func(*record.Record) bool

	// Other says that the run's other key is sent, and While is such a step that is taken at the same time. One lane of
	// all runs at a time is in a round with such steps, so that the other key shows the effect of one overload.
	Other bool
	While *Step
}

// Wait is what a step waits for.
type Wait int

const (
	NoWait Wait = iota
	// RetryAfter waits until the Retry-After of the last 429 has passed, and Reset for its X-RateLimit-Reset.
	RetryAfter
	Reset
	// Fresh waits for a fresh allowance, which a request shows.
	Fresh
)

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

// planned returns the phases to run, in order. The headers are always read: all other phases need them.
func (c *Config) planned() []Phase {
	return slices.DeleteFunc(Phases(), func(p Phase) bool {
		asked := c.Phases == nil || slices.Contains(c.Phases, p.ID) || p.ID == record.Headers
		return !asked || p.lacks(c) != ""
	})
}

// of returns the planned phases of a key. The ban key has only the headers and the ban phase.
func (c *Config) of(ban bool) []Phase {
	return slices.DeleteFunc(c.planned(), func(p Phase) bool { return p.BanKey != ban && p.ID != record.Headers })
}

func ids(phases []Phase) (out []record.Phase) {
	for _, p := range phases {
		out = append(out, p.ID)
	}
	return out
}

// lacks says what the configuration lacks for the phase, or "".
func (p *Phase) lacks(c *Config) string {
	if p.Needs == nil || p.Needs(c) {
		return ""
	}
	return p.Without
}
