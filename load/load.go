// Package load tests by requests that each plan is limited as the interface says, and that a compliant client is
// accepted (Limits / Rate limits by plan).
//
// Run sends and records, and judges nothing. Judge reads a recording and sends nothing, so the verdict of a run can be
// computed again from its file. Plan returns what a run will send and how long it will take.
//
// "60 requests per minute" does not name a kind of limiter. Package limiter has every lawful kind, and finds those that
// explain all responses to a key. No verdict depends on the kind. README.md shows, file by file, how one statement of
// the interface becomes a line of the report.
//
// The heavy tests, in this order: every kind of limiter, every deviation of limits and every freedom, twenty times
// each, in simulated time; the three plans in real minutes; the sender beside vegeta; and the judge on a day of Business:
//
//	go test ./load -run 'EveryDeviation|EveryKind|EveryFreedom' -timeout 1h -args -runs 20
//	go test ./load -run RealTimeSideBySide -v -timeout 1h -args -real
//	go test ./load/sender -run '^$' -bench AgainstVegeta -benchtime 11x
//	go test ./load/judge -run '^$' -bench DayOfBusiness -benchtime 3x
package load

import (
	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec/verdict"
)

// Judge judges a recording. It sends nothing, and the same recording gives the same results.
func Judge(rec *record.Recording) (*verdict.Results, error) {
	var known []judge.Phase
	for _, p := range Phases() {
		known = append(known, p.Phase)
	}
	return judge.Results(rec, known)
}
