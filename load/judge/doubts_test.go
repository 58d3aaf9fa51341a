package judge

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// someoneElse reads the headers twice. Between the two, someone else spends five requests.
func (s *story) someoneElse() {
	for _, left := range []int{59, 53} {
		s.headers = http.Header{"X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {fmt.Sprint(left)}}
		s.answer(record.Headers, 1, record.Look, http.StatusOK)
	}
	s.headers = nil
	s.now += apart
}

// jump moves the target's clock after a request.
func (s *story) jump() {
	s.answer(record.Headers, 1, record.Look, http.StatusOK)
	s.now += apart
	s.ahead += time.Hour
}

// instead adds two rounds of a phase with n accepted requests each. In the first times of them, requests beyond the plan get a status other than
// 429, or are accepted if it is 200.
func (s *story) instead(p record.Phase, n, times, status int) {
	for i := range 2 {
		for k := range n + 2 {
			s.took = time.Millisecond
			switch {
			case k < n:
				s.answer(p, i+1, record.Spend, http.StatusOK)
			case i < times:
				s.answer(p, i+1, record.Spend, status)
			case k == n:
				s.answer(p, i+1, record.Spend, http.StatusTooManyRequests)
			}
		}
		s.now += apart
	}
}

// presses adds two overloads, and requests under the second.
func (s *story) presses(statuses ...int) {
	s.rounds(record.Overload, 60, 60)
	for _, status := range statuses {
		s.answer(record.Overload, 2, record.Press, status)
	}
}

// TestDoubts checks that a requirement is inconclusive if someone else, a clock or the network may be the cause, or if there was only one
// case, and that it fails otherwise.
func TestDoubts(t *testing.T) {
	fills := func(s *story) { s.rounds(record.Fill, 60, 60) }
	slowly := func(p record.Phase) func(*story) { // in 80 s, which is more than a window
		return func(s *story) {
			fills(s)
			for s.took = 2 * time.Second; len(s.rec.Records) < 162; {
				s.answer(p, 1, record.Spend, http.StatusOK)
			}
		}
	}
	unlimitedSlowly := func(s *story) { // a bucket gains 58 in the time of the fill
		s.accepted(1, 118, 59*time.Second)
		s.now += apart
		s.instead(record.Mixed, 120, 2, 200)
	}
	missing := func(counts ...int) func(*story) { // ten are missing when a fill begins
		return func(s *story) {
			s.headers = http.Header{"X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {"49"}}
			s.rounds(record.Fill, counts...)
		}
	}
	slowFills := func(s *story) { // a bucket gains 5.5 in the time of each
		for i := range 2 {
			s.fill(i+1, 62, 5500*time.Millisecond)
			s.now += apart
		}
	}
	hold(t, map[string]row{
		"fill: early 429s, someone else":                       {"RATE-7", func(s *story) { s.someoneElse(); s.rounds(record.Fill, 59, 59) }, verdict.Inconclusive, "someone else used the key meanwhile"},
		"fill: an early 429, a jump":                           {"RATE-7", func(s *story) { s.jump(); s.rounds(record.Fill, 59) }, verdict.Inconclusive, "but a clock jumped meanwhile"},
		"fill: too many":                                       {"RATE-6", func(s *story) { s.rounds(record.Fill, 130, 130) }, verdict.Failed, "no kind of limiter explains it"},
		"fill: too many, a jump":                               {"RATE-6", func(s *story) { s.jump(); s.rounds(record.Fill, 130, 130) }, verdict.Inconclusive, "but a clock jumped meanwhile"},
		"fill: a bucket that lacks three tokens":               {"RATE-6", func(s *story) { slowFills(s) }, verdict.Failed, "no kind of limiter explains it"},
		"fill: a bucket that lacks three tokens, someone else": {"RATE-6", func(s *story) { s.someoneElse(); slowFills(s) }, verdict.Passed, "62 accepted in 5."},
		"fill: too many, once":                                 {"RATE-6", func(s *story) { s.rounds(record.Fill, 130, 60) }, verdict.Inconclusive, "but it was only once"},
		"fill: 503s":                                           {"RATE-6", func(s *story) { s.instead(record.Fill, 60, 2, 503) }, verdict.Failed, "503, in 2 independent cases"},
		"fill: 503s once":                                      {"RATE-6", func(s *story) { s.instead(record.Fill, 60, 1, 503) }, verdict.Passed, ""},
		"fill: 503s within the plan":                           {"RATE-6", func(s *story) { s.instead(record.Fill, 40, 2, 503) }, verdict.Inconclusive, "the limit was not reached"},
		"fill: no limit":                                       {"RATE-6", func(s *story) { s.instead(record.Fill, 120, 2, 200) }, verdict.Failed, "no kind of limiter explains it"},
		"fill: no limit expected": {"RATE-6", func(s *story) { s.rec.Settings.ExpectLimits = false; s.instead(record.Fill, 120, 2, 200) }, verdict.Inconclusive,
			"not limited here, as the configuration expects"},
		"fill: 503s, after a 429 to a look": {"RATE-6", func(s *story) {
			for i := range 2 {
				s.answer(record.Fill, i+1, record.Look, http.StatusTooManyRequests)
				s.accepted(i+1, 60, quick)
				s.answer(record.Fill, i+1, record.Spend, 503)
				s.answer(record.Fill, i+1, record.Spend, 503)
				s.now += apart
			}
		}, verdict.Failed, "503, in 2 independent cases"},
		"mixed: 503s within the plan":                         {"RATE-11", func(s *story) { fills(s); s.instead(record.Mixed, 40, 2, 503) }, verdict.Inconclusive, "the limit was not reached within a window"},
		"mixed: no limit, with a fill that a bucket explains": {"RATE-6", unlimitedSlowly, verdict.Failed, "no kind of limiter explains it"},
		"mixed: no limit expected, with a fill that a bucket explains": {"RATE-6", func(s *story) { s.rec.Settings.ExpectLimits = false; unlimitedSlowly(s) }, verdict.Inconclusive,
			"not limited here, as the configuration expects"},
		"mixed: the fills too": {"RATE-11", func(s *story) { s.rounds(record.Fill, 130, 130); s.rounds(record.Mixed, 150, 150) }, verdict.Inconclusive, "another finding says why"},
		"mixed: too many, where no fill reached the limit": {"RATE-6", func(s *story) {
			s.instead(record.Fill, 40, 2, 503)
			s.rounds("under", 40, 40)
			s.rounds(record.Mixed, 150, 150)
		}, verdict.Failed, "accepted, in 2 independent cases; no kind of limiter explains it"},
		"mixed: no limit":         {"RATE-11", func(s *story) { s.instead(record.Fill, 120, 2, 200); s.instead(record.Mixed, 120, 2, 200) }, verdict.Inconclusive, "RATE-6"},
		"mixed: early 429s":       {"RATE-7", func(s *story) { fills(s); s.rounds(record.Mixed, 40, 40) }, verdict.Failed, "no kind of limiter explains it"},
		"overload: the fills too": {"RATE-14", func(s *story) { s.rounds(record.Fill, 130, 130); s.rounds(record.Overload, 150, 150) }, verdict.Inconclusive, "another finding says why"},
		"overload: the mixed too": {"RATE-14", func(s *story) { fills(s); s.rounds(record.Mixed, 150, 150); s.rounds(record.Overload, 150, 150) }, verdict.Inconclusive, "another finding says why"},
		"overload: too many":      {"RATE-14", func(s *story) { fills(s); s.rounds(record.Overload, 150, 150) }, verdict.Failed, "60 accepted"},
		"overload: too many once": {"RATE-14", func(s *story) { fills(s); s.rounds(record.Overload, 150, 60) }, verdict.Inconclusive, "but it was only once"},
		"overload: no limit":      {"RATE-14", func(s *story) { s.instead(record.Overload, 120, 2, 200) }, verdict.Failed, "accepted in 122ms, and no 429"},
		"overload: none expected": {"RATE-14", func(s *story) { s.rec.Settings.ExpectLimits = false; s.instead(record.Overload, 120, 2, 200) }, verdict.Inconclusive, "as the configuration expects"},
		"overload: one 500": {"RATE-14", func(s *story) {
			fills(s)
			s.rounds(record.Overload, 60, 60)
			s.answer(record.Overload, 2, record.Press, 500)
		}, verdict.Failed, "500, in 1 independent case"},
		"overload: one 503, as of a gateway that starts again": {"RATE-14", func(s *story) {
			fills(s)
			s.rounds(record.Overload, 60, 60)
			s.answer(record.Overload, 2, record.Press, 503)
		}, verdict.Inconclusive, "but it was only once"},
		"overload: two 503s of one outage": {"RATE-14", func(s *story) { fills(s); s.presses(503, 503, 429) }, verdict.Inconclusive, "but it was only once"},
		"overload: 503s in two rounds, and nothing served between": {"RATE-14", func(s *story) {
			fills(s)
			s.rounds(record.Overload, 60)
			s.answer(record.Overload, 1, record.Press, 503)
			s.now += apart
			s.answer(record.Overload, 2, record.Spend, 503)
		}, verdict.Inconclusive, "but it was only once"},
		"overload: 503s in two rounds": {"RATE-14", func(s *story) {
			fills(s)
			for i := range 2 {
				s.spend(record.Overload, i+1, 60)
				s.answer(record.Overload, i+1, record.Press, 503)
				s.now += apart
			}
		}, verdict.Failed, "503, in 2 independent cases"},
		"overload: two 503s of a round": {"RATE-14", func(s *story) { fills(s); s.presses(503, 429, 503) }, verdict.Inconclusive, "but it was only once"},
		"overload: a 500 in a fill": {"RATE-14", func(s *story) {
			fills(s)
			s.answer(record.Fill, 2, record.Spend, 500)
			s.rounds(record.Overload, 60, 60)
		}, verdict.Failed, "500, in 1 independent case"},
		"overload: time-outs": {"RATE-14", func(s *story) {
			fills(s)
			s.lose(exchange.Timeout, record.Overload, 1, 3)
			s.rounds(record.Overload, 60, 60)
		}, verdict.Inconclusive, "3 of 125 requests got no response"},
		"overload: early 429s, someone else": {"RATE-14", func(s *story) { s.someoneElse(); fills(s); s.rounds(record.Overload, 40, 40) }, verdict.Inconclusive, "someone else used the key meanwhile"},
		"recover: refused, a jump": {"RATE-8", func(s *story) {
			s.jump()
			s.fill(1, 60, quick)
			s.probe(1, 429)
		}, verdict.Inconclusive, "but a clock jumped meanwhile"},
		"fill: ten missing twice":        {"RATE-7", missing(50, 50), verdict.Inconclusive, "shows requests that are not the run"},
		"fill: ten missing three times":  {"RATE-7", missing(50, 50, 50), verdict.Inconclusive, "did not watch X-RateLimit-Remaining for a window"},
		"mixed: an edge in one fill":     {"RATE-6", func(s *story) { s.rounds(record.Fill, 61, 60); s.rounds(record.Mixed, 150, 150) }, verdict.Failed, "accepted, in 2 independent cases; no kind of limiter explains it"},
		"mixed: slower than a window":    {"RATE-11", slowly(record.Mixed), verdict.Inconclusive, "the limit was not reached within a window: mixed 1: 29 accepted in 58s, and no 429 within the window"},
		"overload: slower than a window": {"RATE-14", slowly(record.Overload), verdict.Inconclusive, "the limit was not reached within a window: overload 1: 29 accepted in 58s, and no 429 within the window"},
		"isolation: a wrong key":         {"RATE-10", func(s *story) { s.besideOf(record.Control, 401, 60); s.beside(record.Beside, 60, 59) }, verdict.Inconclusive, "401 before the overload"},
		"isolation: refused":             {"RATE-10", func(s *story) { s.beside(record.Control, 60, 59); s.besideOf(record.Beside, 429, 58, 58) }, verdict.Failed, "429; refused in 2 of 2 reads"},
	})
}

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
		// A Retry-After of the day says nothing of when the timer adds.
		"a timer may add, and each 429 is of the day's limit": {"RATE-6", func(s *story) {
			s.wait = tillMidnight
			timedFills(func(k, _ int) says { return says{60, max(0, 60-k), 60} })(s)
		}, verdict.Passed, "fill 1: 62 accepted"},
		"Remaining of the day is larger": {"RATE-6", timedFills(func(k, _ int) says { return says{1000, 999 - k, 36000} }), verdict.Failed, "no kind of limiter explains it"},
		"the day is spent":               {"RATE-7", func(s *story) { s.wait = tillMidnight; s.rounds(record.Fill, 40, 40) }, verdict.Inconclusive, "no fill reached the plan"},
		"under: early 429s":              {"RATE-7", func(s *story) { s.rounds("under", 40, 40) }, verdict.Failed, "no kind of limiter explains it"},
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
