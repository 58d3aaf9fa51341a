package clients

import (
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// inScenario is the service that a client meets by default.
func inScenario(seed uint64) setting {
	return setting{minute: ScenarioMinute, perMinute: ScenarioPerMinute, animals: 30, command: true, freedoms: Scenario(seed)}
}

// ordinary does what the clients of the interface are for. after says how long it waits before it sends a refused request again.
type ordinary struct {
	fresh, paces bool
	after        func(a answer, tries int) time.Duration
	// id writes the identifier that getPet asks for.
	id func(id string) string
}

var (
	anyID     = regexp.MustCompile(`"id":(-?\d+)`)
	obedient  = func(a answer, _ int) time.Duration { return a.wait() }
	inEveryID = func(id string) string { return id }
)

func (o ordinary) run(d *desk) {
	p := d.program()
	p.fresh = o.fresh
	send := func(method, path, body string) (a answer) {
		for tries := range 10 {
			a = p.do(method, path, body)
			if a.StatusCode != http.StatusTooManyRequests && a.StatusCode != http.StatusServiceUnavailable {
				break
			}
			time.Sleep(o.after(a, tries))
		}
		if left, _ := strconv.Atoi(a.Header.Get(spec.HeaderRemaining)); o.paces && left == 0 {
			reset, _ := strconv.ParseInt(a.Header.Get(spec.HeaderReset), 10, 64)
			time.Sleep(time.Until(time.Unix(reset, 0)))
		}
		return a
	}
	for i := range 6 {
		send(http.MethodGet, "/pets?status=available&limit=50", "")
		made := send(http.MethodPost, "/pets", fmt.Sprintf(`{"name":"Rex %d","categoryId":1}`, i))
		if m := anyID.FindStringSubmatch(made.body); m != nil {
			send(http.MethodGet, "/pets/"+o.id(m[1]), "")
		}
	}
}

// TestScenario: by every seed, a lawful client of eighteen requests meets every must, is found fault with in none, and is done in 15 s.
func TestScenario(t *testing.T) {
	for name, o := range map[string]ordinary{
		"over one connection":      {after: obedient, id: inEveryID},
		"over new connections":     {after: obedient, id: inEveryID, fresh: true},
		"paced by the headers":     {after: obedient, id: inEveryID, paces: true},
		"with some time on top":    {after: func(a answer, tries int) time.Duration { return a.wait() + 300*time.Millisecond }, id: inEveryID},
		"with exponential backoff": {after: func(a answer, tries int) time.Duration { return max(a.wait(), 250*time.Millisecond<<tries) }, id: inEveryID},
	} {
		for seed := range uint64(20) {
			t.Run(fmt.Sprint(name, "/", seed), func(t *testing.T) {
				t.Parallel()
				r := judged(t, inScenario(seed), o.run)
				if broken := failed(r); r.Verdict != verdict.Conforms || len(r.Unmet()) > 0 || !slices.Equal(broken, []spec.ID{"CLIENT-14"}) {
					t.Errorf("it %s; broken: %v (%v)\n%s", r.Word, broken, r.Reasons, told(r))
				}
				if took := r.Ended.Sub(r.Started); took > 15*time.Second {
					t.Errorf("it took %s; at most 15 s are wanted", took)
				}
			})
		}
	}
}

// TestScenarioCatches: by every seed, a client that waits too little or changes digits is found.
func TestScenarioCatches(t *testing.T) {
	asFloat := func(id string) string {
		f, _ := strconv.ParseFloat(id, 64)
		if f >= math.MaxInt64 {
			return id[:len(id)-2] + "00" // a decimal library with too few digits
		}
		return strconv.FormatInt(int64(f), 10)
	}
	wait := func(d time.Duration) func(answer, int) time.Duration {
		return func(answer, int) time.Duration { return d }
	}
	for name, c := range map[string]struct {
		client ordinary
		breaks spec.ID
	}{
		"no wait":                          {ordinary{after: wait(10 * time.Millisecond), id: inEveryID}, "CLIENT-4"},
		"no wait, over new connections":    {ordinary{after: wait(10 * time.Millisecond), id: inEveryID, fresh: true}, "CLIENT-4"},
		"half a second":                    {ordinary{after: wait(500 * time.Millisecond), id: inEveryID}, "CLIENT-4"},
		"a second, over new connections":   {ordinary{after: wait(time.Second), id: inEveryID, fresh: true}, "CLIENT-4"},
		"half the time":                    {ordinary{after: func(a answer, _ int) time.Duration { return a.wait() / 2 }, id: inEveryID}, "CLIENT-4"},
		"milliseconds":                     {ordinary{after: func(a answer, _ int) time.Duration { return a.wait() / 1000 }, id: inEveryID}, "CLIENT-4"},
		"exponential, without Retry-After": {ordinary{after: func(_ answer, tries int) time.Duration { return 100 * time.Millisecond << tries }, id: inEveryID}, "CLIENT-4"},
		"float64":                          {ordinary{after: obedient, id: asFloat}, "CLIENT-13"},
	} {
		for seed := range uint64(20) {
			t.Run(fmt.Sprint(name, "/", seed), func(t *testing.T) {
				t.Parallel()
				r := judged(t, inScenario(seed), c.client.run)
				if broken := failed(r); r.Verdict != verdict.Deviates || !slices.Contains(broken, c.breaks) {
					t.Errorf("it %s; broken: %v (%v)\n%s", r.Word, broken, r.Reasons, told(r))
				}
			})
		}
	}
}

// TestPaced: a client that stops at the end of three windows has shown that it waits; one that is only slow, or goes on, has not.
func TestPaced(t *testing.T) {
	pets := "/pets"
	for name, row := range map[string]struct {
		requests int
		pause    time.Duration
		paces    bool
		want     verdict.Verdict
	}{
		"four windows":           {20, 0, true, verdict.Passed},
		"two windows":            {12, 0, true, verdict.NotRun},
		"slow":                   {20, 900 * time.Millisecond, false, verdict.NotRun},
		"slow, and never at one": {20, 3 * time.Second, true, verdict.NotRun},
	} {
		r := judged(t, setting{minute: 2 * time.Second, perMinute: 5}, func(d *desk) {
			p := d.program()
			for range row.requests {
				a := p.do(http.MethodGet, pets, "")
				if a.Header.Get(spec.HeaderRemaining) == "0" && row.paces {
					reset, _ := strconv.ParseInt(a.Header.Get(spec.HeaderReset), 10, 64)
					time.Sleep(time.Until(time.Unix(reset, 0)))
				}
				time.Sleep(row.pause)
			}
		})
		c, _ := r.Check("client-retry-after")
		if c.Verdict != row.want || r.Verdict != verdict.Conforms {
			t.Errorf("%s: %s (%s %s), %s is wanted; the run %s", name, c.Verdict, c.Reason, c.Evidence, row.want, r.Word)
		}
	}
}
