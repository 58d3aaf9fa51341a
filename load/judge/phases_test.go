package judge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

const (
	quick = 100 * time.Millisecond
	// apart is the time between two rounds, no multiple of a second: rounds that are whole seconds apart might all lie on steps of a clock.
	apart = 5*time.Minute + 17430*time.Millisecond
)

// rounds adds rounds of a phase, counts[i] requests in round i.
func (s *story) rounds(p record.Phase, counts ...int) {
	for i, n := range counts {
		s.spend(p, i+1, n)
		s.now += apart
	}
}

// spend adds a round of a phase, of which n requests are accepted in 100 ms, and one more gets a 429.
func (s *story) spend(p record.Phase, round, n int) {
	for range n {
		s.took = quick / time.Duration(n+1)
		s.answer(p, round, record.Spend, http.StatusOK)
	}
	s.answer(p, round, record.Spend, http.StatusTooManyRequests)
}

// beside adds requests with the other key. Each response has one of the numbers in left as its Remaining.
func (s *story) beside(role record.Role, left ...int) { s.besideOf(role, http.StatusOK, left...) }

func (s *story) besideOf(role record.Role, status int, left ...int) {
	s.other = true
	for _, n := range left {
		s.headers = http.Header{"X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {fmt.Sprint(n)}}
		s.answer(record.Isolation, 1, role, status)
	}
	s.other, s.headers = false, nil
}

// press repeats n requests after a 429, each of which gets a 429 with Retry-After: wait.
func (s *story) press(n, wait int) {
	s.wait = wait
	s.pressed(n, http.StatusTooManyRequests)
}

func (s *story) pressed(n, status int) {
	s.answer(record.Ban, 1, record.Spend, http.StatusOK)
	for range n {
		s.answer(record.Ban, 1, record.Press, status)
	}
}

// probes sends requests that wait for Retry-After. The first ones are refused; one more is sent and accepted if accepted is set.
func (s *story) probes(refused int, accepted bool) {
	status := http.StatusTooManyRequests
	for i := range refused + 1 {
		if i == refused {
			if !accepted {
				return
			}
			status = http.StatusOK
		}
		s.now += time.Duration(s.wait) * time.Second
		s.answer(record.Ban, 1, record.Probe, status)
	}
}

func (s *story) lose(why exchange.Kind, p record.Phase, round, n int) (lost []record.Record) {
	x := &exchange.Exchange{Request: exchange.Request{Method: http.MethodGet, Path: "/pets?limit=1"}, Failure: &exchange.Failure{Kind: why, Detail: "EOF"},
		Sent: begun.Add(s.now), Done: s.took}
	for range n {
		r := record.Record{Place: record.Place{Phase: p, Round: round, Role: record.Spend, Planned: s.now}}
		_ = s.collect.Add(&r, x)
		lost = append(lost, r)
	}
	return lost
}

// kept says that the connections of the requests had been used before.
func (s *story) kept(lost []record.Record) {
	for _, r := range lost {
		s.rec.Records[r.N-1].Reused = true
	}
}

// row is a story and the verdict of one requirement on it.
type row struct {
	id   spec.ID
	tell func(*story)
	want verdict.Verdict
	// why is part of the evidence, of a finding or of a reason for no verdict.
	why string
}

// hold checks the verdict of every row of a table.
func hold(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, c := range rows {
		res := judgedByPhase(t, c.tell)
		if q := rulingOf(res, c.id); q.Verdict != c.want || !strings.Contains(told(res)+q.Reason, c.why) {
			t.Errorf("%s: %s %s: %s\nwant %s: %s", name, c.id, q.Verdict, told(res), c.want, c.why)
		}
	}
}

// judgedByPhase judges a story by the phases that count requests.
func judgedByPhase(t *testing.T, tell func(*story)) *verdict.Results {
	t.Helper()
	res, err := Results(tellStory(func(s *story) {
		s.rec.Settings.Phases = nil
		for _, p := range known {
			s.rec.Settings.Phases = append(s.rec.Settings.Phases, p.ID)
		}
		tell(s)
	}), known)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestPhases checks the verdicts on the mixed phase, the overload, the isolation and the ban.
func TestPhases(t *testing.T) {
	hold(t, map[string]row{
		"mixed: once too many": {"RATE-11", func(s *story) { s.rounds(record.Fill, 60, 60); s.rounds(record.Mixed, 130, 60, 60) },
			verdict.Inconclusive, "but it was only once"},
		"mixed: twice too many": {"RATE-11", func(s *story) { s.rounds(record.Fill, 60, 60); s.rounds(record.Mixed, 150, 150) },
			verdict.Failed, "no kind of limiter explains it"},
		"mixed: only listPets": {"RATE-11", func(s *story) { s.rounds(record.Fill, 60, 60); s.rounds(record.Mixed, 60) }, verdict.Inconclusive,
			"only listPets was accepted"},
		"mixed: without a fill": {"RATE-11", func(s *story) { s.rounds(record.Mixed, 150, 150) }, verdict.Inconclusive, "another finding says why"},
		"overload: the plan":    {"RATE-14", func(s *story) { s.rounds(record.Fill, 60, 60); s.rounds(record.Overload, 60, 60) }, verdict.Passed, ""},
		"overload: early 429s": {"RATE-14", func(s *story) { s.rounds(record.Fill, 60, 60); s.rounds(record.Overload, 40, 40) },
			verdict.Failed, "no kind of limiter explains it"},
		"overload: an early 429": {"RATE-14", func(s *story) { s.rounds(record.Fill, 60, 60); s.rounds(record.Overload, 40, 60) },
			verdict.Inconclusive, "but it was only once"},
		"overload: a clock jumped": {"RATE-14", func(s *story) {
			s.rounds(record.Fill, 60, 60)
			s.jump()
			s.rounds(record.Overload, 150, 150)
		}, verdict.Inconclusive, "but a clock jumped meanwhile"},
		"overload: one 409": {"RATE-14", func(s *story) {
			s.rounds(record.Fill, 60, 60)
			s.rounds(record.Overload, 60)
			s.answer(record.Overload, 1, record.Press, http.StatusConflict)
		}, verdict.Inconclusive, "but it was only once"},
		"overload: kept connections were closed": {"RATE-14", func(s *story) {
			s.rounds(record.Fill, 60, 60)
			s.kept(s.lose(exchange.Closed, record.Overload, 1, 3))
			s.rounds(record.Overload, 60, 60)
		}, verdict.Passed, ""},
		"overload: connections were closed": {"RATE-14", func(s *story) {
			s.rounds(record.Fill, 60, 60)
			for i := range 2 {
				s.lose(exchange.Closed, record.Overload, i+1, 3)
				s.spend(record.Overload, i+1, 60)
				s.now += apart
			}
		}, verdict.Failed, "no response (closed)"},
		"overload: accepted after its 429": {"RATE-14", func(s *story) {
			s.rounds(record.Overload, 60)
			s.spend(record.Overload, 2, 60)
			s.at(s.now + 10*time.Second)
			s.answer(record.Overload, 2, record.Press, http.StatusOK)
		}, verdict.Passed, "overload 2: 60 accepted in"},
		"isolation: left alone": {"RATE-10", func(s *story) { s.beside(record.Control, 60, 59, 58); s.beside(record.Beside, 57, 56, 55) }, verdict.Passed, ""},
		"isolation: drained": {"RATE-10", func(s *story) { s.beside(record.Control, 60, 59, 58); s.beside(record.Beside, 20, 19, 18) },
			verdict.Inconclusive, "or the keys share one; to decide it, run load --plan Free with a key of the same plan"},
		"isolation: a little drained": {"RATE-10", func(s *story) {
			s.beside(record.Control, 60, 59, 58)
			s.rounds(record.Overload, 60)
			s.beside(record.Beside, 46, 45, 44)
		}, verdict.Passed, "the other key was accepted 3 times"},
		"isolation: someone else": {"RATE-10", func(s *story) { s.beside(record.Control, 60, 50, 40); s.beside(record.Beside, 20, 10, 0) },
			verdict.Inconclusive, "fell by more than our requests"},
		// Ten were missing when the fills began: someone else may have spent them.
		"isolation: refused, and someone else in the fills": {"RATE-10", func(s *story) {
			s.say(says{60, 49, 60})
			s.rounds(record.Fill, 50, 50)
			s.beside(record.Control, 60, 59, 58)
			s.besideOf(record.Beside, http.StatusTooManyRequests, 0, 0)
		}, verdict.Failed, "429; refused in 2 of 2 reads"},
		"ban: none":       {"RATE-16", func(s *story) { s.press(100, 30); s.probes(0, true) }, verdict.Passed, "no ban after 100 requests"},
		"ban: that ends":  {"RATE-16", func(s *story) { s.press(5, 900); s.probes(0, true) }, verdict.Passed, "accepted again 15m0s later, at try 1"},
		"ban: ends later": {"RATE-16", func(s *story) { s.press(5, 900); s.probes(2, true) }, verdict.Passed, "at try 3"},
		"ban: not over":   {"RATE-16", func(s *story) { s.press(5, 900); s.probes(4, false) }, verdict.Inconclusive, "had not ended by the end of the run"},
		"ban: for ever":   {"RATE-16", func(s *story) { s.press(5, 900); s.probes(5, false) }, verdict.Failed, "refused 5 times after Retry-After"},
		"ban: an outage": {"RATE-16", func(s *story) {
			s.press(5, 900)
			s.headers = http.Header{"Retry-After": {"900"}}
			for range 6 {
				s.now += 15 * time.Minute
				s.answer(record.Ban, 1, record.Probe, http.StatusServiceUnavailable)
			}
		}, verdict.Inconclusive, "had not ended by the end of the run"},
		"ban: by a 401":  {"RATE-16", func(s *story) { s.pressed(5, 401); s.probes(0, true) }, verdict.Passed, "banned after 5 repeated requests"},
		"ban: by a 403":  {"RATE-16", func(s *story) { s.pressed(5, 403); s.probes(0, true) }, verdict.Passed, "banned after 5 repeated requests"},
		"ban: ten years": {"RATE-16", func(s *story) { s.press(5, 10*365*24*3600) }, verdict.Failed, "asks to wait 10 years"},
	})
}

func checkOf(res *verdict.Results, id string) verdict.Check {
	return res.Checks[slices.IndexFunc(res.Checks, func(c verdict.Check) bool { return c.ID == id })]
}

// A planned phase that sent nothing did not run.
func TestAPhaseThatSentNothing(t *testing.T) {
	res := judgedByPhase(t, func(s *story) { s.rounds(record.Fill, 60, 60) })
	if c := checkOf(res, "load-free-mixed"); c.Verdict != verdict.NotRun {
		t.Errorf("want the mixed phase not run; got %s", c.Verdict)
	}
}

// Two keys of a plan with the same fault have one finding, which names the first key.
func TestFindingsOfTwoKeys(t *testing.T) {
	res := judgedByPhase(t, func(s *story) {
		s.rec.Lanes = append(s.rec.Lanes, record.Lane{Label: "Free, line 2", Plan: "Free", PerMinute: 60, PerDay: 1000})
		s.rec.Lanes[0].Label = "Free, line 1"
		for s.lane = range s.rec.Lanes {
			s.rounds(record.Fill, 130, 130)
		}
	})
	if all := checkOf(res, "load-free-fill").Findings; len(all) != 1 || !strings.HasPrefix(all[0].Message, "Free, line 1: ") {
		t.Errorf("want one finding, of the first key; got %+v", all)
	}
}

// createAndList sends a createPet of Rex, which gets a status, and lists n animals of the name.
func (s *story) createAndList(status, n int, name string) {
	add := func(p record.Phase, role record.Role, q exchange.Request, status int, body string) {
		_ = s.collect.Add(&record.Record{Place: record.Place{Phase: p, Round: 1, Role: role}}, &exchange.Exchange{Request: q, Sent: begun.Add(s.now), FirstByte: s.took, Done: s.took,
			Response: &exchange.Response{Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}})
		s.now += s.took
	}
	var pets []spec.Pet
	for i := range n {
		pets = append(pets, spec.Pet{ID: int64(i + 1), NewPet: spec.NewPet{Name: name, CategoryID: 1, Status: spec.Sold}})
	}
	listing, _ := json.Marshal(pets)
	add(record.Overload, record.Press, exchange.Request{Method: http.MethodPost, Path: "/pets", Body: []byte(`{"name":"Rex","categoryId":1}`)}, status,
		fmt.Sprintf(`{"code":"c","message":"m","status":%d}`, status))
	add(record.RefusedCreate, record.Search, exchange.Request{Method: http.MethodGet, Path: "/pets?status=sold&limit=100"}, http.StatusOK, string(listing))
}

// TestRefusedCreate looks for the animal of a createPet that was answered 429.
func TestRefusedCreate(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(*story)
		want verdict.Verdict
		// shown is the end of the evidence, or of the reason for no verdict.
		shown string
	}{
		"not there":           {func(s *story) { s.createAndList(429, 99, "Cleo") }, verdict.Passed, "none of the animals of 1 refused createPet is among the 99 in the listing"},
		"there":               {func(s *story) { s.createAndList(429, 1, "Rex") }, verdict.Failed, ""},
		"nothing refused":     {func(s *story) { s.createAndList(400, 1, "Rex") }, verdict.Inconclusive, "no createPet was answered 429"},
		"banned before":       {func(s *story) { s.fill(1, 60, quick); s.createAndList(403, 1, "Rex") }, verdict.Inconclusive, "no createPet was answered 429"},
		"too many to be seen": {func(s *story) { s.createAndList(429, 100, "Cleo") }, verdict.Inconclusive, "is not complete (exchange 2)"},
	} {
		res, err := Results(tellStory(func(s *story) { s.rec.Settings.Phases = []record.Phase{record.RefusedCreate}; c.tell(s) }), known)
		if err != nil {
			t.Fatal(err)
		}
		shown := res.Checks[0].Evidence + res.Checks[0].Reason
		if got := rulingOf(res, "RATE-12").Verdict; got != c.want || !strings.HasSuffix(shown, c.shown) || c.shown == "" && shown != "" {
			t.Errorf("%s: %s, %q; want %s, %q", name, got, shown, c.want, c.shown)
		}
	}
}
