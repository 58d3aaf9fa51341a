package clients

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// lawful are clients that keep the interface. unsure are the requirements that cannot be told; there is no verdict then.
var lawful = []struct {
	name    string
	setting setting
	run     func(*desk)
	unsure  []spec.ID
}{
	{"our own client", setting{}, ownClient, nil},
	{"our own client and a date", setting{freedoms: []string{"retry-after-date", "ids-random"}}, ownClient, nil},
	{"our own client and a bucket in steps", setting{freedoms: []string{"limiter-stepped-bucket"}}, ownClient, nil},
	{"our own client among others", setting{minute: 3 * time.Second, perMinute: 6, freedoms: []string{"others-spend-the-refill"}}, ownClient, nil},

	{"Retry-After over one connection", setting{}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 3, answer.wait)
	}, nil},
	{"Retry-After over new connections", setting{}, func(d *desk) {
		p := d.freshProgram()
		again(p, p.spend(), 3, answer.wait)
	}, nil},
	{"a clock in whole seconds", setting{}, wholeSeconds, nil},
	{"a clock in whole seconds, at one second", setting{minute: time.Second, perMinute: 5, freedoms: []string{"others-spend-the-refill"}}, wholeSeconds, nil},
	{"a clock in whole seconds, read before the request", setting{minute: 4 * time.Second, perMinute: 5}, func(d *desk) {
		p := d.program()
		time.Sleep(995 * time.Millisecond)
		read := time.Now()
		a := p.spend()
		time.Sleep(time.Until(read.Truncate(time.Second).Add(a.wait())))
		p.list()
	}, nil},
	{"a clock in whole seconds, on another machine", setting{minute: 4 * time.Second, perMinute: 5, front: fromAfar}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 1, func(a answer) time.Duration { return a.wait() - 900*time.Millisecond })
	}, nil},
	{"a date by the client's clock", setting{freedoms: []string{"retry-after-date"}}, byDate, nil},
	{"a date of a clock that is behind, by the client's clock", setting{freedoms: []string{"retry-after-date", "clock-behind"}}, byDate, nil},
	{"a date of a clock that is ahead, by the client's clock", setting{freedoms: []string{"retry-after-date", "clock-ahead"}}, byDate, nil},
	{"a date of a clock that is ahead, by Date", setting{freedoms: []string{"retry-after-date", "clock-ahead"}}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 2, answer.wait)
	}, nil},
	{"exponential backoff with jitter, at least Retry-After", setting{minute: time.Second, perMinute: 5, freedoms: []string{"others-spend-the-refill"}}, func(d *desk) {
		random := rand.New(rand.NewPCG(1, 2))
		backOff(d, func(i int) time.Duration { return time.Duration(random.Float64() * float64(200*time.Millisecond<<i)) })
	}, nil},
	{"exponential backoff with a bound", setting{minute: time.Second, perMinute: 5, freedoms: []string{"others-spend-the-refill"}}, func(d *desk) {
		backOff(d, func(i int) time.Duration { return min(5*time.Second, 100*time.Millisecond<<i) })
	}, nil},
	{"exponential backoff from 10 ms", setting{minute: time.Second, perMinute: 5, freedoms: []string{"others-spend-the-refill"}}, func(d *desk) {
		backOff(d, func(i int) time.Duration { return 10 * time.Millisecond << i })
	}, nil},
	{"exponential backoff that a long Retry-After hides", setting{minute: 20 * time.Second, perMinute: 5, freedoms: []string{"others-spend-the-refill"}}, func(d *desk) {
		backOff(d, func(i int) time.Duration { return min(10*time.Second, 100*time.Millisecond<<i) })
	}, nil},
	{"four tries, each after Retry-After", setting{minute: time.Second, perMinute: 5, freedoms: []string{"others-spend-the-refill"}}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 4, answer.wait)
	}, nil},
	{"a client that ends at its first 429", setting{}, func(d *desk) { d.program().spend() }, nil},
	{"pace by the headers", setting{}, func(d *desk) {
		for p := d.program(); len(d.all) < 130; {
			if a, _ := exchange.AllowanceOf(p.list().Header); a.Remaining == 0 {
				time.Sleep(time.Until(a.Reset) + time.Second)
			}
		}
	}, nil},
	{"a ban that is waited for", setting{freedoms: []string{"ban-after-five"}}, func(d *desk) {
		p := d.program()
		again(p, p.spend(), 3, answer.wait)
	}, nil},

	{"eight requests in flight at the 429", setting{}, func(d *desk) {
		p := d.program()
		threads(8, func(int) {
			for range 10 {
				if a := p.list(); a.limited() {
					time.Sleep(a.wait())
				}
			}
		})
	}, nil},
	{"sixteen threads that tick together, over new connections", setting{}, func(d *desk) {
		p, shared := d.freshProgram(), time.Time{}
		var mu sync.Mutex
		threads(16, func(i int) {
			for range 12 {
				mu.Lock()
				until := shared
				mu.Unlock()
				time.Sleep(time.Until(until) + time.Duration(i)*200*time.Microsecond)
				if a := p.list(); a.limited() {
					mu.Lock()
					shared = time.Now().Add(a.wait())
					mu.Unlock()
				}
				time.Sleep(10 * time.Second)
			}
		})
	}, nil},
	{"tests of wrong keys", setting{}, func(d *desk) {
		p := d.program()
		for range 5 {
			p.list()
			for _, key := range []string{"Bearer x", "Bearer y", "Bearer z"} {
				p.do(http.MethodGet, "/pets", "", "Authorization", key)
			}
		}
	}, nil},
	{"two workers, one of whom takes the connection of the other's 429", setting{minute: 4 * time.Second, perMinute: 4, command: true, freedoms: []string{"slow"}}, func(d *desk) {
		p, gate := d.program(), time.Time{}
		var mu sync.Mutex
		threads(2, func(i int) {
			time.Sleep(time.Duration(i) * 55 * time.Millisecond)
			for range 8 {
				mu.Lock()
				until := gate
				mu.Unlock()
				time.Sleep(time.Until(until) + 10*time.Millisecond)
				if a := p.list(); a.limited() {
					mu.Lock()
					gate = time.Now().Add(a.wait())
					mu.Unlock()
				}
			}
		})
	}, nil},
	{"three workers whose requests a pool sends one by one", setting{minute: 4 * time.Second, perMinute: 4, command: true, freedoms: []string{"slow"}}, func(d *desk) {
		p := d.program()
		threads(2, func(int) { p.list() })
		for range 3 {
			var last answer
			for worker := range 3 { // each began before the first 429 came
				last = p.do(http.MethodGet, fmt.Sprintf("/pets?limit=%d", worker+1), "")
			}
			time.Sleep(last.wait())
		}
	}, nil},
	{"rounds of requests that a pool sends over two connections", setting{minute: 4 * time.Second, perMinute: 4, command: true, freedoms: []string{"slow"}}, func(d *desk) {
		p := d.program()
		threads(2, func(i int) {
			for round := range 20 { // each was begun before the first 429 came
				p.do(http.MethodGet, fmt.Sprintf("/pets?limit=%d", 1+(2*round+i)%5), "")
			}
		})
	}, ids("CLIENT-4")},
	{"120 workers who had begun before the 429", setting{perMinute: 4, command: true, freedoms: []string{"slow"}}, func(d *desk) {
		p := d.program()
		threads(12, func(int) { p.list() })
		threads(120, func(i int) {
			time.Sleep(time.Duration(i) * time.Millisecond)
			p.list()
		})
	}, ids("CLIENT-4")},
	{"twelve workers who each try again three times, which may be copies", setting{perMinute: 4, command: true, freedoms: []string{"slow"}}, func(d *desk) { fanOut(d, 3) }, ids("CLIENT-4")},
	{"a pool whose requests were under way at the 429, on a busy machine", setting{clients: 1}, func(d *desk) { pool(d, 1200*time.Millisecond) }, ids("CLIENT-4")},
	{"a pool whose requests were under way at the 429", setting{clients: 1}, func(d *desk) { pool(d, 200*time.Millisecond) }, nil},
	{"a loop of 25 new connections, clients not said", setting{minute: 4 * time.Second, perMinute: 6}, func(d *desk) { slowLoop(d, 50*time.Millisecond) }, ids("CLIENT-4")},
	{"the same loop on a busy machine", setting{minute: 4 * time.Second, perMinute: 6}, func(d *desk) { slowLoop(d, 250*time.Millisecond) }, ids("CLIENT-4")},
	{"two programs with one key", setting{}, func(d *desk) { several(d, 2, "") }, nil},
	{"two copies of a program with one key, as said", setting{clients: 2}, func(d *desk) { several(d, 2, "a program") }, nil},
	{"five copies of a program with one key, not said", setting{}, func(d *desk) { several(d, 5, "a program") }, ids("CLIENT-4")},
	{"two copies of a program in a command, by chance without an overlap", setting{minute: 4 * time.Second, perMinute: 7, command: true}, func(d *desk) {
		threads(2, func(i int) {
			time.Sleep(time.Duration(i) * 7 * time.Millisecond)
			p := d.freshProgram()
			for n := range 6 {
				for _, one := range []string{"GET /pets", "POST /pets"} {
					method, path, _ := strings.Cut(one, " ")
					body := map[string]string{"POST": fmt.Sprintf(`{"name":"Rex %d","categoryId":1}`, n)}[method]
					for a := p.do(method, path, body); a.limited(); a = p.do(method, path, body) {
						time.Sleep(a.wait())
					}
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
	}, ids("CLIENT-4")},
	{"clients behind a proxy that shares its connections", setting{}, func(d *desk) {
		p := d.program()
		p.spendFor("192.0.2.1")
		time.Sleep(time.Second)
		p.spendFor("192.0.2.2")
	}, nil},

	{"probes without a key", setting{}, func(d *desk) {
		p := d.program()
		for _, path := range []string{"//", "//health", "//favicon.ico", "/", "//robots.txt"} {
			p.do(http.MethodGet, path, "", "Authorization", "")
		}
		p.do(http.MethodHead, "/pets", "", "Authorization", "")
		p.do(http.MethodOptions, "/pets", "", "Authorization", "", "Origin", "https://shop.example", "Access-Control-Request-Method", "GET")
		p.list()
	}, nil},
	{"HEAD while it waits", setting{}, func(d *desk) {
		p := d.program()
		p.spend()
		p.do(http.MethodHead, "/pets", "")
	}, nil},
	{"a 503 that is tried again", setting{front: outage}, func(d *desk) {
		p := d.program()
		for range 5 {
			for a := p.list(); a.StatusCode != http.StatusOK; a = p.list() {
				time.Sleep(100 * time.Millisecond)
			}
		}
	}, nil},
	{"a redirect that is followed with the key", setting{front: redirect}, func(d *desk) {
		p := d.program()
		if a := p.do(http.MethodGet, "//old/pets", ""); a.StatusCode == http.StatusPermanentRedirect {
			p.do(http.MethodGet, "/"+strings.TrimPrefix(a.Header.Get("Location"), "/v1/"), "")
		}
	}, nil},
	{"every limit and status, and neither", setting{}, func(d *desk) {
		p := d.program()
		for _, query := range []string{"", "?limit=1", "?limit=100", "?status=sold", "?limit=20&status=pending", "?status=available&page=2"} {
			p.do(http.MethodGet, "/pets"+query, "")
		}
	}, nil},
	{"bodies that the interface leaves open", setting{}, func(d *desk) {
		p := d.program()
		for _, body := range []string{`{"name":"Rex","categoryId":7.0}`, `{"name":"","categoryId":1e2,"status":null}`, `{"name":"犬","categoryId":-9223372036854775808,"owner":{}}`} {
			p.do(http.MethodPost, "/pets", body, "Content-Type", "application/json; charset=utf-8")
		}
	}, nil},
	{"a category that nobody has shown", setting{freedoms: []string{"odd-animals"}}, func(d *desk) {
		p := d.program()
		p.do(http.MethodGet, "/pets?limit=100", "")
		p.do(http.MethodPost, "/pets", `{"name":"Rex","categoryId":9007199254740995}`)
		p.do(http.MethodPost, "/pets", `{"name":"Rex","categoryId":9007199254740993}`)
	}, nil},
	{"a poll a minute", setting{perMinute: 1}, func(d *desk) {
		p := d.freshProgram()
		for range 20 {
			p.list()
			time.Sleep(61 * time.Second)
		}
	}, nil},
	{"a program that is started again while it had to wait", setting{}, func(d *desk) {
		d.program().spend()
		time.Sleep(time.Second)
		p := d.program()
		again(p, p.spend(), 1, answer.wait)
	}, ids("CLIENT-4")},
	{"a wrong key that is replaced", setting{}, func(d *desk) {
		d.program().do(http.MethodGet, "/pets", "", "Authorization", "Bearer an-old-key")
		d.program().list()
	}, nil},
}

func TestLawfulClientsAreNeverCalledWrong(t *testing.T) {
	for _, c := range lawful {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := judged(t, c.setting, c.run)
			if got := failed(r); len(got) > 0 || !slices.Equal(unsureOf(r), c.unsure) || holds(r) != (len(c.unsure) == 0) {
				t.Errorf("broken: %v; unsure: %v, want %v; the run %s (%v)\n%s", got, unsureOf(r), c.unsure, r.Verdict, r.Reasons, told(r))
			}
		})
	}
}

// TestExactIdentifiersHold: getPet is deprecated, which is a should; the digits of the ids are right.
func TestExactIdentifiersHold(t *testing.T) {
	for _, ids := range wideIDs {
		r := judged(t, setting{animals: 3, freedoms: []string{ids}}, func(d *desk) {
			for _, walk := range []int64{0, 1, 2} { // an id beside one that exists may be what rounding gives
				sendBack(func(id int64) string { return fmt.Sprint(id - walk) })(d)
			}
		})
		exact := slices.ContainsFunc(r.Checks, func(c verdict.Check) bool { return c.Requirements[0] == "CLIENT-13" && c.Verdict == verdict.Passed })
		if got := failed(r); !slices.Equal(got, []spec.ID{"CLIENT-14"}) || !exact || !holds(r) {
			t.Errorf("%s: broken: %v, the run %s\n%s", ids, got, r.Verdict, told(r))
		}
	}
}

// TestWhatAClientDidNotMeet: it is listed and decides nothing, unless it is required; a client that sent nothing has no verdict.
func TestWhatAClientDidNotMeet(t *testing.T) {
	all := setting{animals: 3, minute: 10 * time.Second, freedoms: []string{"ids-beyond-2-53"}}
	everything := func(d *desk) {
		get("/pets?limit=2&status=available")(d)
		post(`{"name":"Rex","categoryId":1}`)(d)
		sendBack(func(id int64) string { return fmt.Sprint(id) })(d)
		p := d.program()
		again(p, p.spend(), 1, answer.wait)
	}
	one := with("Authorization", "Bearer "+deskKey)
	few := []spec.ID{"CLIENT-4", "CLIENT-8", "CLIENT-9", "CLIENT-10", "CLIENT-11", "CLIENT-12", "CLIENT-13"}
	for name, row := range map[string]struct {
		require []spec.ID
		run     func(*desk)
		want    verdict.Run
		unmet   []spec.ID
	}{
		"everything":                  {nil, everything, verdict.Conforms, nil},
		"everything, and all of it":   {few, everything, verdict.Conforms, nil},
		"one request":                 {nil, one, verdict.Conforms, few},
		"one request, which suffices": {ids("CLIENT-1"), one, verdict.Conforms, few},
		"one request, too few":        {ids("CLIENT-1", "CLIENT-13"), one, verdict.NoVerdict, few},
		"a deviating one":             {ids("CLIENT-13"), with("Authorization", "Basic "+deskKey), verdict.Deviates, few},
		"a should":                    {ids("CLIENT-3"), with("Authorization", "bearer "+deskKey), verdict.Deviates, few},
		"nothing":                     {nil, func(*desk) {}, verdict.NoVerdict, append(ids("CLIENT-1", "CLIENT-2"), append(few, "CLIENT-15")...)},
	} {
		s := all
		s.require = row.require
		r := judged(t, s, row.run)
		var unmet []spec.ID
		for _, q := range r.Unmet() {
			unmet = append(unmet, q.ID)
			if q.Reason == "" {
				t.Errorf("%s: how to lead the client to %s is not said", name, q.ID)
			}
		}
		if r.Verdict != row.want || !slices.Equal(unmet, row.unmet) {
			t.Errorf("%s: it %s, without %v (%q)\n%s", name, r.Word, unmet, r.Reasons, told(r))
		}
	}
}
