// Package explore sends sequences that nobody wrote down: valid and invalid bodies, values at their bounds, the same again,
// reads too early and too often, clients side by side. What each answer has to be follows from the request and from what the
// run has created, so judging is a pure function of the recording, as everywhere.
//
// A sequence is a list of actions. One that fails is made shorter until nothing can be left out (ddmin), on the same target and
// within the same budget of requests and creations. pgregory.net/rapid was weighed for this: it bounds shrinking by time and not
// by requests, which are what a target's allowance counts, it cannot be told that a target remembers what it was sent before, and
// it adds its flags to every binary that links it.
package explore
