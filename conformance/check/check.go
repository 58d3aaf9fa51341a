// Package check is what a check is written in: the [Check] itself, the [Sender] by which it makes exchanges, and the
// [Judge] that reads them, with matchers.
//
// A Check is a value. Its Send may look at a response only to decide whether to ask again (a replica may lag) or what
// to ask next (an id). Its Judge reads recorded exchanges and nothing else, so the same verdict can be computed again
// from a recording.
package check

import (
	"petconform/spec"
)

// Explore is the id of the exploration among the checks.
const Explore = "explore"

// Check proves one requirement by requests of its own.
type Check struct {
	// ID names the check in results, on the command line and in waivers. It never changes.
	ID    string
	Title string
	// Proves is the requirement that the check exists for: if the check is inconclusive, so is the requirement. It is
	// empty for a check without a Judge, whose responses only rules judge.
	Proves spec.ID
	// Also lists the other requirements that its findings and observations may name.
	Also      []spec.ID
	Operation spec.Operation
	// Requests and Creates are how many requests the check sends and how many animals it creates on a lawful target,
	// not counting the requests that are repeated for a lagging replica.
	Requests, Creates int
	// Deeper is the number of requests that only a full run sends, as those that Deep returns. Varied are the steps
	// that a quick run sends with some seeds only.
	Deeper int
	Varied []string
	// Animals is the number of animals that the store has to have. The check creates those that are missing.
	Animals int
	// Needs lists the checks whose exchanges this one reads: they are sent before it, in a part of a run too.
	Needs []string
	// After lists the checks that are sent before this one if the run sends them.
	After []string
	// Last makes the check wait for all checks that are not Last, since it examines the animals that they left.
	Last bool
	// Spare marks a check of a should or of an open question. It is sent after all others, and a standard run leaves it
	// out if the others used up StandardRequests.
	Spare bool
	// Gets says that the check calls getPet, so that it is not sent after the removal.
	Gets bool
	// Reads says that the check judges exchanges of other checks, so that it may send nothing of its own.
	Reads bool
	Send  func(s *Sender)
	// Further returns more createPet requests. They are sent after the Send of every check that is not Last. So each
	// requirement has its most important request even if the target creates what it has to refuse and the run reaches
	// MaxCreates. Those of a check without a Send come last.
	Further func(s *Sender) []Request
	// Deep returns the requests that only a full run sends. They are sent after all that a quick run sends, so that a
	// full run finds whatever a quick run finds.
	Deep func(s *Sender) []Request
	// Parts returns the parts of requests that failed with several odd things at once. They are sent after the requests
	// of every check, so that they spend only creations that are left.
	Parts func(s *Sender) []Request
	// Judge reads the check's exchanges. It is a pure function of the recording. It is nil where rules alone judge what
	// is sent.
	Judge func(j *Judge)
}

// Requirements returns every requirement that findings and observations of the check may name, Proves first.
func (c Check) Requirements() []spec.ID {
	if c.Proves == "" {
		return []spec.ID{}
	}
	return append([]spec.ID{c.Proves}, c.Also...)
}

// Writes reports whether the check sends createPet with a valid key, so that a read-only run leaves it out. A body that
// must be refused counts too: a service that does not refuse the body creates an animal.
func (c Check) Writes() bool { return c.Creates > 0 || c.Operation == spec.CreatePet }
