package judge

import (
	"net/http"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec/verdict"
)

// timedFills are two fills of a bucket to which a timer adds two every two seconds, though its Retry-After asks to wait 60 s. In each the
// timer adds once, so that 62 are accepted in 100 ms. headers are those of response k when so many were added before it.
func timedFills(headers func(k, added int) says) func(*story) {
	return func(s *story) {
		for i := range 2 {
			s.at(time.Duration(i) * 320 * time.Second)
			s.fillSaying(i+1, 62, quick, func(k int) says { return headers(k, min(k/30*2, 2)) })
		}
	}
}

// onEdges are two fills of 90 in 200 ms, with an edge of the clock in the middle of each. Every response says the same.
func onEdges(h says) func(*story) {
	return func(s *story) {
		for i := range 2 {
			s.at(time.Duration(i)*5*time.Minute + 900*time.Millisecond)
			s.fillSaying(i+1, 90, 200*time.Millisecond, func(int) says { return h })
		}
	}
}

// TestAccounts checks the verdicts on responses that only some kinds of limiter explain.
func TestAccounts(t *testing.T) {
	hold(t, map[string]row{
		"around an edge":                           {"RATE-6", onEdges(says{60, 0, 2}), verdict.Passed, "fill 1: 90 accepted"}, // both Date and Reset are rounded
		"around an edge that is not at Reset":      {"RATE-6", onEdges(says{60, 0, 40}), verdict.Passed, "fill 1: 90 accepted"},
		"around an edge, headers of the day":       {"RATE-6", onEdges(says{1000, 400, 36000}), verdict.Passed, "fill 1: 90 accepted"},
		"a timer adds, as Remaining shows":         {"RATE-6", timedFills(func(k, added int) says { return says{60, max(0, 59-k+added), 60} }), verdict.Passed, "fill 1: 62 accepted"},
		"Remaining does not count its own request": {"RATE-6", timedFills(func(k, _ int) says { return says{60, max(0, 60-k), 60} }), verdict.Failed, "no kind of limiter explains it"},
		"Remaining of the day is larger":           {"RATE-6", timedFills(func(k, _ int) says { return says{1000, 999 - k, 36000} }), verdict.Failed, "no kind of limiter explains it"},
		"the day is spent":                         {"RATE-7", func(s *story) { s.wait = tillMidnight; s.rounds(record.Fill, 40, 40) }, verdict.Inconclusive, "no fill reached the plan"},
		"under: early 429s":                        {"RATE-7", func(s *story) { s.rounds(record.Under, 40, 40) }, verdict.Failed, "no kind of limiter explains it"},
		"early 429s, each after a 429 to a look": {"RATE-7", func(s *story) {
			for round := 1; round <= 4; round += 2 {
				s.fill(round, 60, quick)
				s.answer(record.Fill, round+1, record.Look, http.StatusTooManyRequests) // lawful: the window is full
				s.now += apart
				s.fill(round+1, 40, quick)
				s.now += apart
			}
		}, verdict.Failed, "no kind of limiter explains it"},
		// The fills are a sliding log's, which refuses a request after 59 s. A clock contradicts the fills once and explains the mixed rounds.
	})
}
