// Package load proves from outside that each plan is limited as the interface says, and that a well-behaved client gets
// through (Limits / Rate limits by plan).
//
// Run sends and records; it decides nothing about the target. Judge reads a recording and sends nothing, so the verdict of
// a run can be computed again from its file. Plan says beforehand what a run will send and how long it will take.
//
// "60 requests per minute" does not name a kind of limiter. Fixed windows, on the clock or from the first request,
// a sliding log, a sliding counter and a bucket are all lawful, and the verdicts do not depend on which it is.
//
// What the sender costs beside vegeta's library and its own command, and how late its requests are, is told by
//
//	go test ./load/sender -run AgainstVegeta -v -args -rounds 11
//
// Every kind of limiter, every deviation of limits and every freedom, twenty times each: on simulated time, and in real
// time with minutes of four seconds, hundreds of runs side by side. And the three plans in real minutes:
//
//	go test ./load -run 'EveryDeviation|EveryKind|EveryFreedom' -timeout 1h -args -runs 20
//	go test ./load -run ScaledRealTimeMatrix -parallel 300 -timeout 1h -args -matrix 20
//	go test ./load -run RealTimeSideBySide -v -timeout 1h -args -real
package load
