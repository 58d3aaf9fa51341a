// Package explore sends generated sequences of requests: valid and invalid bodies, values at their bounds, repeated requests, early
// and repeated reads, and requests at the same time. The expected answer follows from the request and from what the run has
// created, so judging is a pure function of the recording.
//
// A sequence that fails is shrunk by ddmin until no request can be left out, on the same target and within the same budget of
// requests and creations. pgregory.net/rapid does not fit: it limits shrinking by time and not by requests, it assumes that a
// target does not remember earlier requests, and it adds its flags to every binary that links it.
package explore
