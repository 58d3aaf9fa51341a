package load

import (
	"fmt"
	"net/http"

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
	Cost: Cost{Requests: amount{6, 1, 0}, Creates: mixedRounds * mixedCreates,
		Usual: amount{1.5, 0, 0}, Longest: amount{5, 0, 0}},
	// Requests right before the first round may explain its number, and a finding needs two cases.
	Rounds: func(l *lane, take func(...Step) bool) {
		for round := range mixedRounds {
			if !take(mixedSteps(l, round)...) || l.asPlanned(0) {
				return
			}
		}
	},
}

const (
	// connections is the number of independent connections in the mixed phase: 4.
	connections = 4
	// mixedRounds is the largest number of rounds: 3. mixedCreates is how many animals each creates: 2. getPet needs
	// one if the target has none.
	mixedRounds, mixedCreates = 3, 2
)

// mixedSteps spends one fresh allowance with all operations over several connections, and recovers at Reset. More is
// accepted if an operation or a connection has an allowance of its own.
func mixedSteps(l *lane, round int) []Step {
	var apart [connections]http.RoundTripper
	for i := range apart {
		apart[i] = l.run.cfg.Connect()
	}
	at := -1
	spend := func(int) sender.Call {
		at++
		call := l.mixedCall(at, round)
		call.Over = apart[at%connections]
		return call
	}
	fresh := Step{Wait: Fresh, Doing: "one allowance for all operations"}
	if round > 0 {
		fresh.Pause = l.windows(2)
	}
	return append([]Step{fresh, {Burst: true, Role: record.Spend, Workers: connections, Call: spend}},
		l.recover()...)
}

// mixedCall returns request i: the operations take turns. Only mixedCreates requests create an animal, since the
// service has no delete.
func (l *lane) mixedCall(i, round int) sender.Call {
	call := list(record.Spend)
	switch {
	case !l.run.cfg.ReadOnly && (i == 2 || i == 5):
		call = l.create(record.Spend, fmt.Sprintf("mixed %d %d", round, i), "")
	case i%2 == 1 && l.petID != "":
		call.Path = "/pets/" + l.petID
	case i%4 == 2:
		call.Path = "/pets?status=" + string(spec.Available) + "&limit=1"
	}
	return call
}
