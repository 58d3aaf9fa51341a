package clients

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// ordinary does what the clients of the interface are for. after says how long it waits before it sends a refused
// request again.
type ordinary struct {
	fresh, paces bool
	after        func(a answer, tries int) time.Duration
	// id writes the identifier that getPet asks for.
	id func(id string) string
}

var anyID = regexp.MustCompile(`"id":(-?\d+)`)

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

// TestScenario: a client of eighteen requests meets every must and is done in 15 s. Lawful ones break nothing; the
// others are found, or told how to be judged.
func TestScenario(t *testing.T) {
	obedient := func(a answer, _ int) time.Duration { return a.wait() }
	wait := func(d time.Duration) func(answer, int) time.Duration {
		return func(answer, int) time.Duration { return d }
	}
	same := func(id string) string { return id }
	rounded := func(id string) string {
		f, _ := strconv.ParseFloat(id, 64)
		return fmt.Sprintf("%.0f", f)
	}
	for name, c := range map[string]struct {
		client ordinary
		is     Settings
		breaks []spec.ID
		want   verdict.Run
	}{
		"over one connection":    {ordinary{after: obedient, id: same}, Settings{}, nil, verdict.Conforms},
		"over new connections":   {ordinary{after: obedient, id: same, fresh: true}, Settings{}, nil, verdict.Conforms},
		"paced by the headers":   {ordinary{after: obedient, id: same, paces: true}, Settings{}, nil, verdict.Conforms},
		"no wait":                {ordinary{after: wait(10 * time.Millisecond), id: same}, Settings{}, early4, verdict.Deviates},
		"no wait, new each time": {ordinary{after: wait(10 * time.Millisecond), id: same, fresh: true}, Settings{}, early4, verdict.Deviates},
		"half a second":          {ordinary{after: wait(500 * time.Millisecond), id: same}, Settings{}, early4, verdict.Deviates},
		"a second, new":          {ordinary{after: wait(time.Second), id: same, fresh: true}, Settings{}, nil, verdict.NoVerdict},
		"a second, new, alone":   {ordinary{after: wait(time.Second), id: same, fresh: true}, one, early4, verdict.Deviates},
		"float64":                {ordinary{after: obedient, id: rounded}, Settings{}, exact, verdict.Deviates},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := judged(t, setting{minute: ScenarioMinute, perMinute: ScenarioPerMinute, animals: 30, freedoms: Scenario, Settings: c.is},
				c.client.run)
			if r.Verdict != c.want || !slices.Equal(having(r, verdict.Failed), c.breaks) || len(unmet(r)) > 0 {
				t.Errorf("it %s, want %s; it did not meet %v\n%s", r.Word, c.want, unmet(r), told(r))
			}
			if took := r.Ended.Sub(r.Started); c.want == verdict.Conforms && took > 15*time.Second {
				t.Errorf("it took %s; at most 15 s are wanted", took)
			}
		})
	}
}

// TestWhatAClientDidNotMeet: it is listed and decides nothing, unless it is required; a client that sent nothing has no
// verdict.
func TestWhatAClientDidNotMeet(t *testing.T) {
	everything := both(get("/pets?limit=2&status=available"), post(`{"name":"Rex","categoryId":1}`), sendBack(exactly(0)),
		retries(1, asked))
	single := with("Authorization", "Bearer "+deskKey)
	few := []spec.ID{"CLIENT-4", "CLIENT-8", "CLIENT-9", "CLIENT-10", "CLIENT-11", "CLIENT-12", "CLIENT-13"}
	for name, row := range map[string]struct {
		require []spec.ID
		run     func(*desk)
		want    verdict.Run
		unmet   []spec.ID
	}{
		"everything":                  {nil, everything, verdict.Conforms, nil},
		"everything, and all of it":   {few, everything, verdict.Conforms, nil},
		"one request":                 {nil, single, verdict.Conforms, few},
		"one request, which suffices": {ids("CLIENT-1"), single, verdict.Conforms, few},
		"one request, too few":        {ids("CLIENT-1", "CLIENT-13"), single, verdict.NoVerdict, few},
		"a deviating one":             {ids("CLIENT-13"), with("Authorization", "Basic "+deskKey), verdict.Deviates, few},
		"a should":                    {ids("CLIENT-3"), with("Authorization", "bearer "+deskKey), verdict.Deviates, few},
		"nothing":                     {nil, func(*desk) {}, verdict.NoVerdict, append(ids("CLIENT-1", "CLIENT-2"), append(few, "CLIENT-15")...)},
	} {
		r := judged(t, setting{animals: 3, minute: 10 * time.Second, freedoms: wide[:1], Settings: Settings{Require: row.require}}, row.run)
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

// unmet are the musts of which a client met nothing.
func unmet(r verdict.Results) (ids []spec.ID) {
	for _, q := range r.Requirements {
		if q.Verdict == verdict.NotRun && r.Counts(q.ID) {
			ids = append(ids, q.ID)
		}
	}
	return ids
}
