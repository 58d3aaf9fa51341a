// Package conformance holds the checks, the Ginkgo suite that runs them, and the judge.
//
// A check is a value. Its Send makes exchanges and may look at the answers only to decide whether to ask again (a replica
// that lags) or what to ask next (an id); its Judge reads recorded exchanges and nothing else. So a verdict can be computed
// again from a recording, and a judge is tested without a server.
package conformance

import (
	"petconform/spec"
)

// Check proves one or a few requirements by requests of its own.
type Check struct {
	// ID names the check for good: in results, on the command line, in waivers.
	ID    string
	Title string
	// Proves lists the requirements that the check's findings may name.
	Proves    []spec.ID
	Operation spec.Operation
	// Requests and Creates are what the check sends and creates on a target that does as the interface says, without what
	// a lagging replica makes it ask again.
	Requests, Creates int
	// After lists the checks that are sent before this one, because it reads their exchanges.
	After []string
	// Last makes the check wait for every other one that is not Last: it looks at what the run has left behind.
	Last bool
	// Reads says that the check judges other checks' exchanges, so that it may send nothing of its own.
	Reads bool
	Send  func(s *Sender)
	// Judge reads the check's exchanges. It is a pure function of the recording.
	Judge func(j *Judge)
}

// Writes says whether the check sends createPet with a valid key, so that a read-only run leaves it out. A body that has to
// be refused counts too: a service that does not refuse it creates an animal.
func (c Check) Writes() bool { return c.Creates > 0 || c.Operation == spec.CreatePet }
