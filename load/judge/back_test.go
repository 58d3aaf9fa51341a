package judge

import (
	"net/http"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec/verdict"
)

// wait is a fill, other requests after its 429, and then one that waited; twice.
type wait struct {
	begins  time.Duration
	headers says // none if the limit is 0
	// others are the responses to the other requests, which have a role and each take some time.
	others []int
	as     record.Role
	take   time.Duration
	// lasts is how long the last request waited, from the last response on. It has a role and gets a status.
	lasts time.Duration
	role  record.Role
	gets  int
}

func (w wait) tell(s *story) {
	for i := range 2 {
		s.at(w.begins + time.Duration(i)*apart)
		w.once(s, i+1)
	}
}

func (w wait) once(s *story, round int) {
	s.resets = w.headers.reset
	s.fill(round, 60, quick)
	for _, status := range w.others {
		s.took = max(w.take, time.Millisecond)
		s.answer(record.Fill, round, w.as, status)
	}
	s.now += w.lasts
	s.took = time.Millisecond
	s.answer(record.Recover, round, w.role, w.gets)
}

// TestBack checks the verdicts on requests that waited after a 429. Retry-After asks to wait 60 s.
func TestBack(t *testing.T) {
	const minute, second = time.Minute, time.Second
	const early, banned = "the run did not wait until Retry-After had passed", "and a ban, an outage or a clock that jumped may be the cause"
	once := says{60, 30, 30}
	hold(t, map[string]row{
		"59 s after a 429 that took 2 s": {"RATE-8", wait{others: []int{429}, as: record.Spend, take: 2 * second, lasts: 59 * second, role: record.Probe, gets: 429}.tell, verdict.Inconclusive, early},
		// Many are in flight in an overload: another one may have taken a bucket's token.
		"a request of an overload": {"RATE-8", wait{lasts: minute, role: record.Press, gets: 429}.tell, verdict.Failed, "429, in 2 independent cases"},
		"only at Reset":            {"RATE-8", wait{headers: once, lasts: 31 * second, role: record.AtReset, gets: 200}.tell, verdict.Inconclusive, early},
		"at Reset, and then after Retry-After": {"RATE-8", func(s *story) {
			wait{headers: once, lasts: 31 * second, role: record.AtReset, gets: 200}.tell(s)
			wait{begins: 2 * apart, headers: once, lasts: minute, role: record.Probe, gets: 200}.tell(s)
		}, verdict.Passed, "2 of 2 requests accepted after Retry-After"},
		"refused at Reset":                   {"RATE-9", wait{headers: once, lasts: 31 * second, role: record.AtReset, gets: 429}.tell, verdict.Failed, "the X-RateLimit-Reset of the 429 asked to wait 30s"},
		"a Reset that no request waited for": {"RATE-9", wait{headers: says{60, 30, -int(begun.Unix())}, lasts: minute, role: record.Probe, gets: 200}.tell, verdict.NotRun, "no response of the load shows it"},
		"a Reset that is no time":            {"RATE-9", wait{headers: says{60, 30, -int(begun.Unix())}, lasts: minute, role: record.Probe, gets: 200}.tell, verdict.NotRun, "the run did not wait until X-RateLimit-Reset had passed"},
		"refused once, and accepted": {"RATE-8", func(s *story) {
			for i, status := range []int{200, 429} {
				s.at(time.Duration(i) * 2 * apart)
				s.fill(i+1, 60, quick)
				s.probe(i+1, status)
			}
		}, verdict.Inconclusive, "but it was only once"},
		"a 503 after Retry-After":                    {"RATE-8", wait{lasts: minute, role: record.Probe, gets: 503}.tell, verdict.Inconclusive, "no request was accepted after Retry-After"},
		"refused after two 429s":                     {"RATE-8", wait{others: []int{429}, as: record.Spend, lasts: minute, role: record.Probe, gets: 429}.tell, verdict.Failed, "429, in 2 independent cases"},
		"refused after three 429s":                   {"RATE-8", wait{others: []int{429, 429}, as: record.Spend, lasts: minute, role: record.Probe, gets: 429}.tell, verdict.Inconclusive, banned},
		"refused after three 429s, two in a press":   {"RATE-8", wait{others: []int{429, 429}, as: record.Press, lasts: minute, role: record.Probe, gets: 429}.tell, verdict.Inconclusive, banned},
		"Retry-After in milliseconds, named at once": {"RATE-5", func(s *story) { s.say(says{60, 30, 40}); s.wait = 40_000; s.rounds(record.Fill, 60) }, verdict.Failed, ""},
		"refused after Retry-After, and at a Reset when a clock jumped": {"RATE-9", func(s *story) {
			wait{lasts: minute, role: record.Probe, gets: http.StatusTooManyRequests}.tell(s)
			for i := range 2 {
				s.ahead += time.Hour
				s.at(time.Duration(2+i) * apart)
				wait{headers: once, lasts: 31 * second, role: record.AtReset, gets: http.StatusTooManyRequests}.once(s, 3+i)
			}
		}, verdict.Inconclusive, "but a clock jumped meanwhile"},
	})
}
