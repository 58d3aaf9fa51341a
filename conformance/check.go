// Package conformance tests a pet adoption service against its interface.
//
// [Describe] adds the checks to a Ginkgo suite, and [Test] runs them as subtests of go test:
//
//	var _ = conformance.Describe(conformance.At("http://localhost:8080/v1", os.Getenv("PETCONFORM_KEY")))
//
//	func TestInterface(t *testing.T) { conformance.Test(t, conformance.Serving(handler, "a-key")) }
//
// A [Check] is a value. Its Send makes exchanges; it may look at a response only to decide whether to ask again (a replica
// may lag) or what to ask next (an id). Its Judge reads recorded exchanges and nothing else, so [JudgeRecording] computes
// the same verdict again from a recording, without sending.
package conformance

import (
	"petconform/spec"
)

// Check proves one requirement by requests of its own.
type Check struct {
	// ID names the check in results, on the command line and in waivers. It never changes.
	ID    string
	Title string
	// Proves is the requirement that the check is there for: when the check is inconclusive, so is this requirement. It is
	// empty for a check without a Judge, which sends what rules judge.
	Proves spec.ID
	// Also lists the other requirements that its findings and observations may name.
	Also      []spec.ID
	Operation spec.Operation
	// Requests and Creates are how many requests the check sends and how many animals it creates on a lawful target, not
	// counting the requests that are repeated for a lagging replica.
	Requests, Creates int
	// Deeper is how many requests more the check sends in a deep run. Varied are the steps that a standard run sends with some seeds only.
	Deeper int
	Varied []string
	// Animals is how many animals the check has to find in the store: it creates those that are missing.
	Animals int
	// Needs lists the checks whose exchanges this one reads: they are sent before it, in a part of a run too.
	Needs []string
	// After lists the checks that are sent before this one where they are sent at all.
	After []string
	// Last makes the check wait for every other check that is not Last: it looks at what the run has left behind.
	Last bool
	// Spare is for what the interface leaves open, or says as a should: the check comes after all others, and a standard run leaves
	// it out where the others needed so many of StandardRequests that none are left.
	Spare bool
	// Reads says that the check judges exchanges of other checks, so that it may send nothing of its own.
	Reads bool
	Send  func(s *Sender)
	// Further gives more createPet requests. They are sent after the Send of every check that is not Last, so that where a target creates
	// what it has to refuse, no requirement goes without its most telling request. Those of a check without a Send come last.
	Further func(s *Sender) []posting
	// Judge reads the check's exchanges. It is a pure function of the recording. It is nil where rules alone judge what is sent.
	Judge func(j *Judge)
}

// Requirements gives every requirement that the check may speak of, the one that it proves first.
func (c Check) Requirements() []spec.ID {
	if c.Proves == "" {
		return []spec.ID{}
	}
	return append([]spec.ID{c.Proves}, c.Also...)
}

// Writes says whether the check sends createPet with a valid key, so that a read-only run leaves it out. A body that must be
// refused counts too: a service that does not refuse the body creates an animal.
func (c Check) Writes() bool { return c.Creates > 0 || c.Operation == spec.CreatePet }
