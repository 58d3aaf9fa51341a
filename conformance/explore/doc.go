// Package explore sends generated sequences of requests: valid and invalid bodies, values at their bounds, repeated
// requests, early and repeated reads, and requests at the same time. A request is made to test something, which its
// step says in the recording: the tables of package invalid and the rules judge the answer, and the animals that the
// run has created say what a read has to show. So judging is a pure function of the recording.
//
// A sequence that fails is shrunk by leaving out one request after the other, on the same target and within the same
// budget of requests and creations. pgregory.net/rapid does not fit: it limits shrinking by time and not by requests,
// it assumes that a target does not remember earlier requests, and it adds its flags to every binary that links it.
package explore
