package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// day sends n requests of the day's phase, one each second, and then one that gets a 429 with Retry-After: wait.
func (s *story) day(n, wait int) {
	s.spendDay(n, wait)
	s.answer(record.Day, 1, record.Spend, http.StatusTooManyRequests)
}

func (s *story) spendDay(n, wait int) {
	s.rec.Settings.Phases, s.wait = []record.Phase{record.Day}, wait
	for range n {
		s.answer(record.Day, 1, record.Spend, http.StatusOK)
		s.now += time.Second - s.took
	}
}

// reset gives the following responses a limit that resets after d.
func (s *story) reset(limit int, d time.Duration) {
	s.headers = http.Header{"X-Ratelimit-Limit": {fmt.Sprint(limit)}, "X-Ratelimit-Remaining": {"400"},
		"X-Ratelimit-Reset": {fmt.Sprint(begun.Add(s.now + d).Unix())}}
}

// answered keeps the first n requests, as if the run had sent no more.
func (s *story) answered(n int) { s.rec.Records = s.rec.Records[:n] }

// tillDayEnds is a Retry-After until the end of a day that began with the first of n requests, in seconds.
func tillDayEnds(n int) int { return 86_400 - n }

// tillMidnight is a Retry-After that only the day's limit explains, in seconds.
const tillMidnight = 80_000

// TestDay checks the verdicts on the day's limit. The plan Free has 1,000 requests a day. A bucket gains 1,000 in a day, and 11 in the 17
// minutes that these requests take.
func TestDay(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(*story)
		// within and beyond are the verdicts of RATE-7 and RATE-13. why is part of a reason or of a finding.
		within, beyond verdict.Verdict
		why            string
	}{
		"exact":            {func(s *story) { s.day(1000, tillMidnight) }, verdict.Passed, verdict.Passed, ""},
		"refilled":         {func(s *story) { s.day(1011, tillMidnight) }, verdict.Passed, verdict.Passed, ""},
		"five too many":    {func(s *story) { s.day(1005, tillDayEnds(1005)) }, verdict.Passed, verdict.Failed, "429 after 1,005"},
		"one too few":      {func(s *story) { s.day(999, tillDayEnds(999)) }, verdict.Failed, verdict.Passed, "429 after 999"},
		"the minute's 429": {func(s *story) { s.day(500, 30) }, verdict.Passed, verdict.Inconclusive, "the minute's limit may be the cause of the 429"},
		"never limited":    {func(s *story) { s.day(1100, tillMidnight); s.answered(1100) }, verdict.Passed, verdict.Failed, "200 after 1,100 accepted requests"},
		"stopped": {func(s *story) { s.day(1000, tillMidnight); s.answered(700); s.rec.End.Stopped = "interrupted" }, verdict.Passed, verdict.Inconclusive,
			"the day's limit was not reached: 700 of the day's 1000"},
		"not reached": {func(s *story) { s.day(1000, tillMidnight); s.answered(700) }, verdict.Passed, verdict.Inconclusive, "the day's limit was not reached: 700 of the day's 1000"},
		"perhaps spent before": {func(s *story) { s.day(500, tillMidnight) }, verdict.Inconclusive, verdict.Passed,
			"and no response shows that none was spent before the run"},
		"a bucket that perhaps was not full": {func(s *story) { s.day(1005, tillMidnight) }, verdict.Passed, verdict.Inconclusive, "1005 of the day's 1000 requests were accepted in 16m45.001s, where a bucket gains 12"},
		"someone else":                       {func(s *story) { s.someoneElse(); s.day(900, tillMidnight) }, verdict.Inconclusive, verdict.Inconclusive, "someone else used the key meanwhile"},
		"the day ended":                      {func(s *story) { s.reset(1000, 5*time.Minute); s.day(1400, tillMidnight) }, verdict.Passed, verdict.Inconclusive, "the target's day ended during the phase"},
		"too few, of a day that began after 500 requests": {func(s *story) { s.day(900, tillDayEnds(400)) },
			verdict.Failed, verdict.Passed, "429 after 900"},
		"too many, with a Retry-After of a day":            {func(s *story) { s.day(1400, 86_399) }, verdict.Passed, verdict.Failed, "429 after 1,400"},
		"as many as the plan, with a Retry-After of a day": {func(s *story) { s.day(1000, 86_399) }, verdict.Passed, verdict.Passed, "1000 of the day's"},
		"a day of the target's own that began after 300 requests": {func(s *story) { s.day(1300, tillDayEnds(1000)) },
			verdict.Passed, verdict.Inconclusive, "the target's day ended during the phase"},
		"midnight, and a 429 without a Date": {func(s *story) {
			s.at(18*time.Hour + 50*time.Minute)
			s.spendDay(1400, tillMidnight)
			s.headers = http.Header{"Date": nil}
			s.answer(record.Day, 1, record.Spend, http.StatusTooManyRequests)
		}, verdict.Passed, verdict.Inconclusive, "the target's day ended during the phase"},
		"a clock jumped": {func(s *story) {
			s.jump()
			s.day(1400, tillMidnight)
		},
			verdict.Passed, verdict.Inconclusive, "a clock jumped during the day"},
	} {
		res, err := Results(tellStory(c.tell), known)
		if err != nil {
			t.Fatal(err)
		}
		within, beyond := rulingOf(res, "RATE-7"), rulingOf(res, "RATE-13")
		if within.Verdict != c.within || beyond.Verdict != c.beyond || !strings.Contains(told(res), c.why) {
			t.Errorf("%s: RATE-7 %s, RATE-13 %s: %s\nwant %s, %s: %s", name, within.Verdict, beyond.Verdict, told(res), c.within, c.beyond, c.why)
		}
	}
}

func rulingOf(res *verdict.Results, id spec.ID) verdict.Requirement {
	return res.Requirements[slices.IndexFunc(res.Requirements, func(q verdict.Requirement) bool { return q.ID == id })]
}

// told returns the findings of the phases, the reasons why they are inconclusive, and their evidence.
func told(res *verdict.Results) string {
	var out []string
	for _, c := range res.Checks {
		if c.Kind != verdict.Phase {
			continue
		}
		for _, f := range c.Findings {
			out = append(out, fmt.Sprintf("%s: %s; expected %s; actual %s", f.Requirement, f.Message, f.Expected, f.Actual))
		}
		if text := c.Reason + c.Evidence; text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n")
}
