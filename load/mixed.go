package load

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"

	"petconform/load/judge"
	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
	"petconform/spec/history"
)

var mixedPhase = Phase{
	Phase: judge.Phase{ID: record.Mixed, Title: "All operations and connections share one allowance",
		Proves: []spec.ID{"RATE-11", "RATE-6", "RATE-7"}, Spends: true, Adds: true, Shows: (*judge.View).Mixed,
		After:  record.Fill, // whose count is that of one operation on one connection
		Breaks: map[limiter.What][]spec.ID{limiter.Over: {"RATE-11"}}},
	Cost: Cost{Requests: amount{6, 1, 0}, Creates: mixedRounds * mixedCreates,
		Usual: amount{1.5, 0, 0}, Longest: amount{5, 0, 0}},
	// Requests right before the first round may explain its number, and a finding needs two cases.
	Rounds: []Rounds{{Steps: mixedSteps, Again: func(l *lane, round int) bool {
		return !l.asPlanned(&l.runner.all) && round < mixedRounds
	}}},
}

const (
	// connections is the number of independent connections in the mixed phase: 4.
	connections = 4
	// mixedRounds is the largest number of rounds: 3. mixedCreates is how many animals each creates: 2. getPet needs
	// one if the target has none. beyondMixed are the requests of every operation after the 429.
	mixedRounds, mixedCreates, beyondMixed = 3, 2, 3
)

// mixedSteps spends one fresh allowance with all operations over several connections, then sends one request of each
// operation right after the 429, each on another connection, and recovers at Reset. An operation with an allowance of
// its own is accepted.
func mixedSteps(l *lane, round int) []Step {
	at := 0
	spend := func(int) sender.Call {
		at++
		return l.mixedCall(at-1, round)
	}
	var steps []Step
	if round > 1 {
		steps = append(steps, Step{Round: round - 1, Wait: Silence})
	}
	steps = append(steps, Step{Wait: Fresh, Doing: "one allowance for all operations"},
		Step{Burst: true, Role: record.Spend, Conns: connections, Call: spend, See: l.findPet, Ends: odd(8)})
	press := Step{Role: record.Press, Budget: beyondMixed, Conns: connections,
		If:   func(l *lane) bool { return l.newest.Limited() },
		Call: func(i int) sender.Call { return l.pressCall(i, round) }}
	if l.run.cfg.ReadOnly {
		press.Budget--
	}
	steps = append(steps, press)
	return append(steps, l.atReset()...)
}

// pressCall returns the request of operation i after the 429.
func (l *lane) pressCall(i, round int) sender.Call {
	call := list(record.Press)
	switch {
	case i == 1 && l.petID != "":
		call.Path = "/pets/" + l.petID
	case i == 2:
		call = l.create(record.Press, fmt.Sprintf("beyond %d", round), l.scarce.status)
	}
	call.Connection = i + 1
	return call
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
	call.Connection = i%connections + 1
	return call
}

// findPet uses a created animal for getPet if no listing had one.
func (l *lane) findPet(r *record.Record) {
	if l.petID == "" && r.Status == http.StatusCreated {
		x := history.ReadExchange(l.run.rec.Of(r))
		if p, ok := x.Pet(); ok {
			l.petID = p.ID
		}
	}
}

// list returns a listPets of one animal, the cheapest request.
func list(role record.Role) sender.Call {
	return sender.Call{Method: http.MethodGet, Path: "/pets?limit=1", Role: role}
}

// create returns a createPet. The animal's name contains the name of the run.
func (l *lane) create(role record.Role, what, status string) sender.Call {
	name := fmt.Sprintf("petconform %s load %d %s", l.run.cfg.Run, l.id, what)
	category := cmp.Or(l.run.cfg.CategoryID, l.category, 1)
	body, _ := json.Marshal(spec.NewPet{Name: name, CategoryID: category, Status: spec.PetStatus(status)})
	return sender.Call{Method: http.MethodPost, Path: "/pets", Body: body, Role: role}
}
