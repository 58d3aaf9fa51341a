package clients

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// ordinary does what the clients of the interface are for. wait is how long it waits before it sends a refused request
// again; 0 is as long as Retry-After asks. If it rounds, ids go through a float64.
type ordinary struct {
	fresh, paces, rounds bool
	wait                 time.Duration
}

var anyID = regexp.MustCompile(`"id":(-?\d+)`)

func (o ordinary) run(d *desk) {
	p := d.program()
	p.fresh = o.fresh
	send := func(method, path, body string) (a answer) {
		for range 10 {
			a = p.do(method, path, body)
			if a.StatusCode != http.StatusTooManyRequests && a.StatusCode != http.StatusServiceUnavailable {
				break
			}
			time.Sleep(cmp.Or(o.wait, a.wait()))
		}
		if left, _ := exchange.AllowanceOf(a.Header); o.paces && left.Remaining == 0 {
			time.Sleep(time.Until(left.Reset))
		}
		return a
	}
	for i := range 6 {
		send(http.MethodGet, "/pets?status=available&limit=50", "")
		made := send(http.MethodPost, "/pets", fmt.Sprintf(`{"name":"Rex %d","categoryId":1}`, i))
		if m := anyID.FindStringSubmatch(made.body); m != nil {
			if f, _ := strconv.ParseFloat(m[1], 64); o.rounds {
				m[1] = fmt.Sprintf("%.0f", f)
			}
			send(http.MethodGet, "/pets/"+m[1], "")
		}
	}
}

// TestScenario: a client of eighteen requests meets every must and is done in 15 s. Lawful ones break nothing; the
// others are found, or told how to be judged.
func TestScenario(t *testing.T) {
	for name, c := range map[string]struct {
		client ordinary
		is     Settings
		breaks []spec.ID
		want   verdict.Run
	}{
		"over one connection":    {ordinary{}, Settings{}, nil, verdict.Conforms},
		"over new connections":   {ordinary{fresh: true}, Settings{}, nil, verdict.Conforms},
		"paced by the headers":   {ordinary{paces: true}, Settings{}, nil, verdict.Conforms},
		"no wait":                {ordinary{wait: 10 * time.Millisecond}, Settings{}, early4, verdict.Deviates},
		"no wait, new each time": {ordinary{wait: 10 * time.Millisecond, fresh: true}, Settings{}, early4, verdict.Deviates},
		"half a second":          {ordinary{wait: 500 * time.Millisecond}, Settings{}, early4, verdict.Deviates},
		"a second, new":          {ordinary{wait: time.Second, fresh: true}, Settings{}, nil, verdict.NoVerdict},
		"a second, new, alone":   {ordinary{wait: time.Second, fresh: true}, one, early4, verdict.Deviates},
		"float64":                {ordinary{rounds: true}, Settings{}, exact, verdict.Deviates},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setting{minute: ScenarioMinute, perMinute: ScenarioPerMinute, animals: 30, freedoms: Scenario}
			r := judged(t, s.of(c.is), c.client.run)
			if r.Verdict != c.want || !slices.Equal(having(r, verdict.Failed), c.breaks) || len(unmet(r)) > 0 {
				t.Errorf("it %s, want %s; it did not meet %v\n%s", r.Word, c.want, unmet(r), told(r))
			}
			if took := r.Ended.Sub(r.Started); c.want == verdict.Conforms && took > 15*time.Second {
				t.Errorf("it took %s; at most 15 s are wanted", took)
			}
		})
	}
}

// TestWhatAClientDidNotMeet: it is listed and decides nothing, but leaves a strict run without a verdict; a client that
// sent nothing has none.
func TestWhatAClientDidNotMeet(t *testing.T) {
	everything := both(get("/pets?limit=2&status=available"), post(`{"name":"Rex","categoryId":1}`), sendBack(exactly(0)), retries(1, asked))
	single := with("Authorization", "Bearer "+deskKey)
	few := []spec.ID{"CLIENT-4", "CLIENT-8", "CLIENT-9", "CLIENT-10", "CLIENT-11", "CLIENT-12", "CLIENT-13"}
	for name, row := range map[string]struct {
		strict bool
		run    func(*desk)
		want   verdict.Run
		unmet  []spec.ID
	}{
		"everything":              {false, everything, verdict.Conforms, nil},
		"everything, strictly":    {true, everything, verdict.Conforms, nil},
		"one request":             {false, single, verdict.Conforms, few},
		"one request, strictly":   {true, single, verdict.NoVerdict, few},
		"a deviating one":         {true, with("Authorization", "Basic "+deskKey), verdict.Deviates, slices.Concat(ids("CLIENT-3"), few)},
		"a broken should":         {false, with("Authorization", "bearer "+deskKey), verdict.Conforms, few},
		"a broken should, strict": {true, with("Authorization", "bearer "+deskKey), verdict.Deviates, few},
		"nothing":                 {false, func(*desk) {}, verdict.NoVerdict, slices.Concat(ids("CLIENT-1", "CLIENT-2"), few, address)},
	} {
		r := judged(t, setting{animals: 3, minute: 10 * time.Second, freedoms: wide[:1], strict: row.strict}, row.run)
		for _, id := range unmet(r) {
			if q, _ := r.Requirement(id); q.Reason == "" {
				t.Errorf("%s: how to lead the client to %s is not said", name, id)
			}
		}
		if r.Verdict != row.want || !slices.Equal(unmet(r), row.unmet) {
			t.Errorf("%s: it %s, without %v (%q)\n%s", name, r.Word, unmet(r), r.Reasons, told(r))
		}
	}
}

func unmet(r verdict.Results) (ids []spec.ID) {
	for _, q := range r.Requirements {
		if q.Verdict == verdict.NotRun && r.Counts(q.ID) {
			ids = append(ids, q.ID)
		}
	}
	return ids
}
