package load

import (
	"petconform/load/record"
	"petconform/spec"
)

var refusedCreatePhase = Phase{
	ID: record.RefusedCreate, Title: "A createPet that was answered 429 created nothing", Proves: []spec.ID{"RATE-12"},
	After: record.Overload, // which sends the createPets
	Needs: func(c *Config) bool { return !c.ReadOnly }, Without: "it creates animals, and --read-only creates none",
	Skip: func(l *lane) string {
		switch {
		case l.scarce.n < 0:
			return "no listing could be read, so it is not known whether one shows every animal of its status"
		case l.scarce.n >= 100:
			return record.StoreFull
		}
		return ""
	},
	Cost:   Cost{Requests: amount{1, 0, 0}, Most: amount{mostSearches, 0, 0}, Creates: refusedCreates},
	Rounds: []Rounds{{Steps: searchSteps}},
}

const (
	// refusedCreates is the largest number of createPets during the overload: 3, each right after a 429.
	refusedCreates = 3
	// banGuess is how long the search waits for the end of a ban, in the target's minutes: 3. The interface says only
	// that a ban is temporary.
	banGuess = 3
	// mostSearches is the largest number of listings.
	mostSearches = 3
)

// searchSteps lists the animals with the status of the refused createPets, and again if the key was banned, since the
// overload sent requests after 429s.
func searchSteps(l *lane, _ int) []Step {
	steps := search(l.scarce.status, nil)
	steps[0].Doing = "searching for animals of refused createPets"
	banned := steps[0]
	banned.Pause = banGuess * l.run.cfg.Minute
	banned.If = func(l *lane) bool { return l.newest.Barred() }
	return append(steps, banned)
}
