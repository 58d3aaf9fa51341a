package judge

import (
	"net/http"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// TestHeadersAgainstEachOther checks the verdicts on headers that contradict each other or the number of accepted requests.
func TestHeadersAgainstEachOther(t *testing.T) {
	for _, c := range []struct {
		name string
		// says gives the headers of request k of fill i. Request 60 gets the 429, and request 61 is sent after Retry-After.
		says func(i, k int) says
		id   spec.ID
		want verdict.Verdict
	}{
		{"the truth", func(_, k int) says { return says{60, max(0, 59-k%61), 60} }, "RATE-15", verdict.Passed},
		{"a Reset of the hour with a Limit of the minute", func(_, k int) says { return says{60, max(0, 59-k%61), 3600} }, "RATE-9", verdict.Failed},
		{"a Reset of the day with the day's Limit", func(_, k int) says { return says{1000, max(0, 999-k), 36000} }, "RATE-15", verdict.Passed},
		{"whole again before Reset", func(_, k int) says { return says{60, max(0, 59-k%61), 110} }, "RATE-9", verdict.Failed},
		{"Limits that take turns", func(_, k int) says { return says{60 + 940*(k%2), max(0, 59-k%61), 60} }, "RATE-15", verdict.Passed},
		{"Remaining stays at Limit", func(int, int) says { return says{60, 60, 60} }, "RATE-4", verdict.Failed},
		{"Remaining stays below Limit", func(int, int) says { return says{60, 42, 60} }, "RATE-4", verdict.Failed},
		{"Remaining counts up", func(_, k int) says { return says{60, k%61 + 1, 60} }, "RATE-15", verdict.Failed},
		{"Remaining begins at 1 after its Reset", func(_, k int) says { return says{60, min(k%61+1, max(0, 59-k%61)), 60} }, "RATE-15", verdict.Inconclusive},
		{"a 429 with 1 left", func(_, k int) says { return says{60, max(k/60%2, 59-k%61), 60} }, "RATE-15", verdict.Failed},
		{"a 429 with 1 left, once", func(i, k int) says { return says{60, max((1-i)*(k/60%2), 59-k%61), 60} }, "RATE-15", verdict.Inconclusive},
		{"one too many left, once", func(i, k int) says { return says{60, max(0, 59-k%61+(1-i)*(1-k/60)), 60} }, "RATE-15", verdict.Passed},
		{"whole again before Reset, once", func(i, k int) says { return says{60, max(0, 59-k%61), 60 + 50*i} }, "RATE-9", verdict.Inconclusive},
		{"a Reset of the hour in one fill of two", func(i, k int) says { return says{60, max(0, 59-k%61), 60 + 3540*i} }, "RATE-15", verdict.Passed},
		{"Limits that change with every fifth response", func(_, k int) says { return says{60 + 940*(k/5%2), max(0, 59-k%61), 60} }, "RATE-15", verdict.Passed},
		{"Remaining stays in one fill of two", func(i, k int) says { return says{60, (1-i)*42 + i*max(0, 59-k%61), 60} }, "RATE-4", verdict.Passed},
		{"Remaining stays in one fill, and is 0 in the other", func(i, _ int) says { return says{60, (1 - i) * 42, 60} }, "RATE-4", verdict.Passed},
		{"a Reset two windows away, as of a sliding counter", func(_, k int) says { return says{60, max(0, 59-k) + k/61*20, 122} }, "RATE-15", verdict.Passed},
		{"whole again before Reset, by its rounding", func(_, k int) says { return says{60, max(0, 59-k%61), 62} }, "RATE-9", verdict.NotRun},
		{"Remaining goes down", func(_, k int) says { return says{60, max(0, 59-k%61), 60} }, "RATE-4", verdict.Passed},
	} {
		rec := tellStory(func(s *story) {
			s.rec.Settings.Phases = append(s.rec.Settings.Phases, record.Headers)
			for i := range 2 {
				s.at(time.Duration(i) * 10 * time.Minute)
				for k := range 62 {
					status, role, phase := http.StatusOK, record.Spend, record.Fill
					switch k {
					case 60:
						status = http.StatusTooManyRequests
					case 61:
						role, phase = record.Probe, record.Recover
						s.now += time.Minute
					}
					s.say(c.says(i, k))
					s.took = time.Millisecond
					s.answer(phase, i+1, role, status)
				}
			}
		})
		if got := verdictOf(t, rec, c.id); got != c.want {
			t.Errorf("%s: want %s %s; got %s", c.name, c.id, c.want, got)
		}
	}
}

// TestHeadersOfFills judges the headers of whole fills.
func TestHeadersOfFills(t *testing.T) {
	hold(t, map[string]row{
		"whole again before Reset, when a clock jumped": {"RATE-9", func(s *story) {
			for i := range 2 {
				s.at(time.Duration(i) * apart)
				s.jump()
				s.fillSaying(i+1, 60, quick, func(k int) says { return says{60, max(0, 59-k), 110} })
				s.say(says{60, 59, 60})
				s.probe(i+1, http.StatusOK)
			}
		}, verdict.Inconclusive, "but a clock jumped meanwhile"},
		// Only a bucket accepts 62 and 65, and it gains 10 in 10 s.
		"whole again before Reset, and before a bucket is": {"RATE-9", func(s *story) {
			s.wait = 1
			for i, accepted := range []int{62, 65} {
				s.at(time.Duration(i) * apart)
				s.fillSaying(i+1, accepted, time.Duration(accepted-59)*time.Second, func(k int) says { return says{60, max(0, 59-k), 60} })
				s.now += 10 * time.Second
				s.say(says{60, 59, 50})
				s.answer(record.Recover, i+1, record.Probe, http.StatusOK)
			}
		}, verdict.Failed, "59 of 60 requests were left 1"},
		"an edge in each fill, Reset rounded": {"RATE-15", func(s *story) {
			for i := range 2 {
				s.at(time.Duration(i)*5*time.Minute + 900*time.Millisecond)
				s.fillSaying(i+1, 90, 200*time.Millisecond, func(k int) says {
					if k < 30 {
						return says{60, 59 - k, 2}
					}
					return says{60, max(0, 89-k), 61}
				})
			}
		}, verdict.Passed, ""},
	})
}

// Responses to requests that were sent at the same time may have their Remaining in any order.
func TestRemainingOutOfOrder(t *testing.T) {
	const together = 20
	rec := tellStory(func(s *story) {
		s.rec.Settings.Phases = append(s.rec.Settings.Phases, record.Headers)
		for i := range 2 {
			s.at(time.Duration(i) * 10 * time.Minute)
			for k := range 60 {
				// In each group the limiter counts the request that was sent first last; its response comes first.
				left := 60 - (k/together+1)*together + k%together
				s.say(says{60, left, 60})
				s.took = 100 * time.Millisecond
				s.answer(record.Fill, i+1, record.Spend, http.StatusOK)
				s.now -= s.took - time.Millisecond // the next one is sent before this one is answered
				if k%together == together-1 {
					s.now += s.took
				}
			}
			s.took = time.Millisecond
			s.headers["X-Ratelimit-Remaining"] = []string{"0"}
			s.answer(record.Fill, i+1, record.Spend, http.StatusTooManyRequests)
		}
	})
	if got := verdictOf(t, rec, "RATE-15"); got == verdict.Failed {
		t.Error("RATE-15 failed")
	}
}

// A Remaining that is one too small is found although responses take so long that a bucket would gain a request, if only fixed windows
// explain the responses.
func TestRemainingOfASlowWindow(t *testing.T) {
	for less, want := range map[int]verdict.Verdict{0: verdict.Passed, 1: verdict.Failed} {
		rec := tellStory(func(s *story) {
			s.rec.Settings.Phases = append(s.rec.Settings.Phases, record.Headers)
			for i := range 3 { // the first and the last take 55 s of a window; a sliding log would refuse the quick one between them
				s.at(time.Duration(i) * 61 * time.Second)
				for k := range 61 {
					status := http.StatusOK
					if k == 60 {
						status = http.StatusTooManyRequests
					}
					s.say(says{60, max(0, 59-k-less), i*61 + 60 - int(s.now/time.Second)})
					if s.took, s.wait = 900*time.Millisecond, 6; i%2 == 1 {
						s.took, s.wait = time.Millisecond, 60
					}
					role := record.Spend
					if k == 0 {
						role = record.Look
					}
					s.answer(record.Fill, i+1, role, status)
				}
			}
		})
		if got := verdictOf(t, rec, "RATE-15"); got != want {
			t.Errorf("%d too few: want RATE-15 %s; got %s", less, want, got)
		}
	}
}
