package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// story writes a recording of one Free key, without a sender and without a target.
type story struct {
	rec     *record.Recording
	collect *record.Collector
	// now is when the next request is sent, and took is how long its response takes.
	now, took time.Duration
	headers   http.Header
	// wait is the Retry-After of a 429.
	wait int
	// lane is the index of the key. other says that requests are sent with the run's other key.
	lane  int
	other bool
	// silent says that responses have no headers but those that are given; else Remaining is what a window has left, of
	// which spent was accepted in the round.
	silent bool
	spent  int
	of     string
	// resets are the seconds until Reset; 60 if 0.
	resets int
	// ahead is how far the target's clock is.
	ahead time.Duration
}

// count counts an accepted request of a round.
func (s *story) count(p record.Phase, round, status int) {
	if of := fmt.Sprint(p, round, s.lane); s.of != of {
		s.of, s.spent = of, 0
	}
	if status == http.StatusOK {
		s.spent++
	}
}

var begun = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func tellStory(tell func(*story)) *record.Recording {
	rec := &record.Recording{Meta: exchange.Meta{Kind: "load", Started: begun, Target: "http://pets.test/v1", AsOf: begun},
		Settings: record.Settings{Minute: time.Minute, Day: 24 * time.Hour, ExpectLimits: true, Phases: []record.Phase{record.Fill, record.Recover}},
		Lanes:    []record.Lane{{Label: "Free", Plan: "Free", PerMinute: 60, PerDay: 1000}}}
	s := &story{rec: rec, collect: record.NewCollector(rec, nil), took: time.Millisecond, wait: 60}
	rec.End = &exchange.End{}
	tell(s)
	rec.End.Ended = begun.Add(s.now)
	return rec
}

func (s *story) at(t time.Duration) { s.now = t }

func (s *story) answer(p record.Phase, round int, role record.Role, status int) {
	x := &exchange.Exchange{Request: exchange.Request{Method: http.MethodGet, Path: "/pets?limit=1"},
		Response: &exchange.Response{Status: status, Header: http.Header{"Content-Type": {"application/json"}, "Date": {begun.Add(s.now + s.ahead).Format(http.TimeFormat)}}, Body: []byte("[]")}}
	s.count(p, round, status)
	if s.headers == nil && !s.silent && !s.other {
		s.say(says{limit: 60, left: max(0, 60-s.spent), reset: cmp.Or(s.resets, 60)})
		defer func() { s.headers = nil }()
	}
	for name, values := range s.headers {
		x.Response.Header[name] = values
	}
	if status == http.StatusTooManyRequests {
		x.Response.Header["Retry-After"] = []string{fmt.Sprint(s.wait)}
		x.Response.Body = []byte(`{"code":"c","message":"m","status":429}`)
	}
	x.Sent, x.FirstByte, x.Done = begun.Add(s.now), s.took, s.took
	_ = s.collect.Add(&record.Record{Place: record.Place{Lane: s.lane, Phase: p, Round: round, Role: role, Planned: s.now}, Other: s.other}, x)
	s.now += s.took
}

// fill adds a burst of requests, one after the other. The first n are accepted, in the time over, and one more gets a 429.
func (s *story) fill(round, accepted int, over time.Duration) {
	s.accepted(round, accepted, over)
	s.answer(record.Fill, round, record.Spend, http.StatusTooManyRequests)
	s.took = time.Millisecond
}

// accepted adds a fill without its 429.
func (s *story) accepted(round, n int, over time.Duration) {
	s.took = over / time.Duration(n+1)
	for range n {
		s.answer(record.Fill, round, record.Spend, http.StatusOK)
	}
}

// says are the headers of a response: the limit, the requests that remain of it, and the seconds until it is reset.
type says struct{ limit, left, reset int }

// say gives the next responses headers.
func (s *story) say(h says) {
	s.headers = http.Header{"X-Ratelimit-Limit": {fmt.Sprint(h.limit)}, "X-Ratelimit-Remaining": {fmt.Sprint(h.left)},
		"X-Ratelimit-Reset": {fmt.Sprint(begun.Add(s.now+s.ahead).Unix() + int64(h.reset))}}
}

// fillSaying adds a fill with the headers of response k.
func (s *story) fillSaying(round, accepted int, over time.Duration, headers func(k int) says) {
	for k := range accepted {
		s.say(headers(k))
		s.took = over / time.Duration(accepted+1)
		s.answer(record.Fill, round, record.Spend, http.StatusOK)
	}
	s.say(headers(accepted))
	s.fill(round, 0, over/time.Duration(accepted+1))
}

func (s *story) probe(round, status int) {
	s.now += time.Minute + time.Millisecond
	s.answer(record.Recover, round, record.Probe, status)
}

// known are the phases as package load has them, without their titles.
var known = []Phase{
	{ID: record.Headers, Proves: []spec.ID{"RATE-15", "RATE-4", "RATE-9"}, Shows: (*View).Headers},
	{ID: record.Fill, Proves: []spec.ID{"RATE-6", "RATE-7"}, Spends: true, Shows: (*View).Fill,
		Breaks: map[limiter.What][]spec.ID{InPlaceOf429: {"RATE-6"}}},
	{ID: record.Recover, Proves: []spec.ID{"RATE-5", "RATE-8", "RATE-9"}, Shows: (*View).Recover,
		Within: record.Fill, Breaks: map[limiter.What][]spec.ID{limiter.Early: {"RATE-8"}}},
	{ID: "under", Proves: []spec.ID{"RATE-7"}, Spends: true},
	{ID: record.Mixed, Proves: []spec.ID{"RATE-11", "RATE-6", "RATE-7"}, Spends: true, Adds: true, Shows: (*View).Mixed,
		After: record.Fill, Breaks: map[limiter.What][]spec.ID{limiter.Over: {"RATE-11"}}},
	{ID: record.Overload, Proves: []spec.ID{"RATE-14", "RATE-6"}, Spends: true, Adds: true, Shows: (*View).Overload,
		Breaks: map[limiter.What][]spec.ID{limiter.Over: {"RATE-14", "RATE-6"}, limiter.Early: {"RATE-14"}, No429: {"RATE-14"}}},
	{ID: record.Isolation, Proves: []spec.ID{"RATE-10"}, Shows: (*View).Isolation, Within: record.Overload},
	{ID: record.RefusedCreate, Proves: []spec.ID{"RATE-12"}, Shows: (*View).RefusedCreate},
	{ID: record.Day, Proves: []spec.ID{"RATE-13", "RATE-7"}, Adds: true, Shows: (*View).Day},
	{ID: record.Ban, Proves: []spec.ID{"RATE-16"}, Shows: (*View).Ban, BanKey: true,
		Breaks: map[limiter.What][]spec.ID{limiter.RefusedAfterWait: {}, limiter.RefusedAtReset: {}}},
}

func verdictOf(t *testing.T, rec *record.Recording, id spec.ID) verdict.Verdict {
	t.Helper()
	res, err := Results(rec, known)
	if err != nil {
		t.Fatal(err)
	}
	return rulingOf(res, id).Verdict
}

// TestAPhaseThatBrokeOff: a run of which a phase broke off has no verdict, whatever the phase had shown until then.
func TestAPhaseThatBrokeOff(t *testing.T) {
	for why, want := range map[string]verdict.Run{"": verdict.Conforms, "20 requests got no response": verdict.NoVerdict} {
		rec := tellStory(func(s *story) {
			for i := range 2 {
				s.at(time.Duration(i) * apart)
				s.fill(i+1, 60, quick)
				s.probe(i+1, http.StatusOK)
			}
			if why != "" {
				s.collect.Note(record.Note{Phase: record.Fill, Why: why})
			}
		})
		if res, err := Results(rec, known); err != nil || res.Verdict != want || !strings.Contains(fmt.Sprint(res.Reasons), why) {
			t.Errorf("broke off since %q: the run says %s (%q, %v); want %s", why, res.Verdict, res.Reasons, err, want)
		}
	}
}

// TestFills checks the verdicts on fills. Unless a row says otherwise, a burst takes 100 ms, in which a bucket gains no token.
func TestFills(t *testing.T) {
	fills := func(counts ...int) func(*story) {
		return func(s *story) {
			for i, n := range counts {
				s.at(time.Duration(i) * apart)
				s.fill(i+1, n, quick)
				s.probe(i+1, http.StatusOK)
			}
		}
	}
	for name, c := range map[string]struct {
		tell         func(*story)
		six, seventh verdict.Verdict
	}{
		"the plan":          {fills(60, 60), verdict.Passed, verdict.Passed},
		"one too many":      {fills(61, 61), verdict.Failed, verdict.Passed},
		"one too many once": {fills(61, 60), verdict.Passed, verdict.Passed}, // an edge may have lain in it
		"one too few":       {fills(59, 59), verdict.Passed, verdict.Failed},
		"one too few once":  {fills(59, 60), verdict.Passed, verdict.Inconclusive},
		"one too many, and an answer that took long": {func(s *story) { // in which a bucket gains three
			for i := range 2 {
				s.at(time.Duration(i) * apart)
				s.accepted(i+1, 30, quick)
				s.took = 3 * time.Second
				s.answer(record.Fill, i+1, record.Spend, http.StatusOK)
				s.fill(i+1, 30, quick)
			}
		}, verdict.Failed, verdict.Passed},
		"a bucket": {func(s *story) {
			s.fill(1, 62, 2500*time.Millisecond)
			s.at(apart)
			s.fill(2, 65, 5500*time.Millisecond)
		}, verdict.Passed, verdict.Passed},
		"more than a bucket": {func(s *story) {
			s.fill(1, 66, 2500*time.Millisecond)
			s.at(apart)
			s.fill(2, 67, 5500*time.Millisecond)
		}, verdict.Failed, verdict.Passed},
		"a bucket that a timer refills": {func(s *story) { // by five, every five seconds
			s.wait = 5
			s.fill(1, 65, 2500*time.Millisecond)
			s.at(apart)
			s.fill(2, 70, 5500*time.Millisecond)
		}, verdict.Passed, verdict.Passed},
		"steps that the Retry-After knows nothing of": {func(s *story) { // the next five would have come within five seconds
			s.fill(1, 65, 2500*time.Millisecond)
			s.at(apart)
			s.fill(2, 70, 5500*time.Millisecond)
		}, verdict.Failed, verdict.Passed},
		"both sides of an edge of the clock": {func(s *story) {
			for i := range 2 { // edges at 1 s past the minute
				s.at(time.Duration(i)*5*time.Minute + 900*time.Millisecond)
				s.fill(i+1, 90, 200*time.Millisecond)
			}
		}, verdict.Passed, verdict.Passed},
		"edges that are no minute apart": {func(s *story) {
			s.at(900 * time.Millisecond)
			s.fill(1, 90, 200*time.Millisecond)
			s.at(5*time.Minute + 30*time.Second)
			s.fill(2, 90, 200*time.Millisecond)
		}, verdict.Failed, verdict.Passed},
		"slower than the minute": {func(s *story) {
			for i := range 2 {
				s.at(time.Duration(i) * 20 * time.Minute)
				s.fill(i+1, 175, 3*time.Minute-time.Second)
			}
		}, verdict.Inconclusive, verdict.Passed},
		"a minute of half a minute": {func(s *story) {
			for i := range 5 {
				s.at(time.Duration(i) * 31 * time.Second)
				s.fill(i+1, 60, quick)
			}
		}, verdict.Failed, verdict.Passed},
		"a clock that begins within the first fills": {func(s *story) {
			for i, at := range []time.Duration{0, 31 * time.Second, 92 * time.Second} {
				s.at(at)
				s.fill(i+1, 60, quick)
			}
		}, verdict.Passed, verdict.Passed},
	} {
		rec := tellStory(c.tell)
		if six, seven := verdictOf(t, rec, "RATE-6"), verdictOf(t, rec, "RATE-7"); six != c.six || seven != c.seventh {
			t.Errorf("%s: want RATE-6 %s and RATE-7 %s; got %s and %s", name, c.six, c.seventh, six, seven)
		}
	}
}
