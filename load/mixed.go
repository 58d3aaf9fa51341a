package load

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"petconform/load/judge"
	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

var mixedPhase = Phase{
	Phase: judge.Phase{ID: record.Mixed, Title: "All operations and connections share one allowance",
		Proves: []spec.ID{"RATE-11", "RATE-6", "RATE-7"}, Spends: true, Adds: true, Shows: (*judge.View).Mixed,
		After:  record.Fill, // whose count is that of one operation on one connection
		Breaks: map[limiter.What][]spec.ID{limiter.Over: {"RATE-11"}}},
	Cost: func(p spec.Plan, minute time.Duration) Schedule {
		return Schedule{Requests: int(6 + p.PerMinute), Creates: mixedRounds * mixedCreates,
			Usual: 3 * minute / 2, Longest: 5 * minute}
	},
	Steps: mixed,
	// Requests right before the first round may explain its number, and a finding needs two cases.
	Again: func(l *lane) bool { return l.round.n < mixedRounds && l.unclear() },
}

const (
	// connections is the number of independent connections in the mixed phase: 4.
	connections = 4
	// mixedRounds is the largest number of rounds: 3. mixedCreates is how many animals each creates: 2. getPet needs
	// one if the target has none.
	mixedRounds, mixedCreates = 3, 2
)

// mixed spends one fresh allowance with all operations over several connections, and recovers at Reset. More is
// accepted if an operation or a connection has an allowance of its own.
func mixed(l *lane) []Step {
	var apart []http.RoundTripper
	for range connections {
		apart = append(apart, l.run.cfg.Connect())
	}
	sent := 0
	burst := l.burst(connections, func(int) sender.Call {
		sent++
		return l.mixedCall(sent - 1)
	})
	for i := range burst {
		burst[i].Over = apart
	}
	reset := atReset(func(early time.Duration) bool { return early <= 0 }) // when Retry-After has passed too
	return slices.Concat(l.fresh("spending one allowance with all operations", 0), burst, []Step{reset}, l.recover())
}

// mixedCall returns request i: the operations take turns. Only mixedCreates requests create an animal, since the
// service has no delete.
func (l *lane) mixedCall(i int) sender.Call {
	call := list(i)
	switch {
	case !l.run.cfg.ReadOnly && (i == 2 || i == 5):
		call = l.create(fmt.Sprintf("mixed %d %d", l.round.n, i), "")
	case i%2 == 1 && l.petID != "":
		call.Path = "/pets/" + l.petID
	case i%4 == 2:
		call.Path = "/pets?status=" + string(spec.Available) + "&limit=1"
	}
	return call
}
