package clients

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// sender is a client with what the judge has to say of it: what it breaks, and what cannot be told.
type sender struct {
	name           string
	setting        setting
	run            func(*desk)
	breaks, unsure []spec.ID
}

func ids(all ...spec.ID) []spec.ID { return all }

var (
	one = Settings{Clients: 1}
	// waiting is unclear of a client that sends while another may have to wait.
	waiting = ids("CLIENT-4")

	free        = setting{}
	wide        = []string{"ids-beyond-2-53", "ids-near-the-end", "ids-random"}
	dated       = setting{freedoms: []string{"retry-after-date"}}
	refilled    = setting{minute: time.Second, perMinute: 5, freedoms: []string{"others-spend-the-refill"}}
	fourSeconds = setting{minute: 4 * time.Second, perMinute: 7}
	slowFour    = setting{minute: 4 * time.Second, perMinute: 4, freedoms: []string{"slow"}}
)

func (s setting) of(clients Settings) setting {
	s.Settings = clients
	return s
}

func dateOf(clock string) setting {
	return setting{freedoms: []string{"retry-after-date", clock}}
}

var lawful = []sender{
	{"our own client", free, ownClient, nil, nil},
	{"our own client and a date", setting{freedoms: []string{"retry-after-date", "ids-random"}}, ownClient, nil, nil},
	{"our own client, a bucket in steps", setting{freedoms: []string{"limiter-stepped-bucket"}}, ownClient, nil, nil},
	{"our own client among others", setting{minute: 3 * time.Second, perMinute: 6, freedoms: []string{"others-spend-the-refill"}}, ownClient, nil, nil},
	{"our own client, slow answers", setting{freedoms: []string{"slow"}}, ownClient, nil, nil},
	{"Retry-After over one connection", free, retries(3, asked), nil, nil},
	{"Retry-After over new connections", free, freshRetries(3, asked), nil, nil},
	{"Retry-After over new connections, one client", free.of(one), freshRetries(3, asked), nil, nil},
	{"twice Retry-After", free, retries(3, part(200)), nil, nil},
	{"a clock in whole seconds", free, wholeSeconds, nil, nil},
	{"a clock in whole seconds, at one second", refilled, wholeSeconds, nil, nil},
	{"a clock in whole seconds, read before the request", setting{minute: 4 * time.Second, perMinute: 5}, func(d *desk) {
		p := d.program()
		time.Sleep(995 * time.Millisecond)
		read := time.Now()
		a := p.spend()
		time.Sleep(time.Until(read.Truncate(time.Second).Add(a.wait())))
		p.list()
	}, nil, nil},
	{"a clock in whole seconds, on another machine", setting{minute: 4 * time.Second, perMinute: 5, front: fromAfar},
		retries(1, func(a answer) time.Duration { return a.wait() - 900*time.Millisecond }), nil, nil},
	{"a date by the client's clock", dated, retries(1, byDate), nil, nil},
	{"a date of a clock that is behind, by the client's", dateOf("clock-behind"), retries(1, byDate), nil, nil},
	{"a date of a clock that is ahead, by the client's", dateOf("clock-ahead"), retries(1, byDate), nil, nil},
	{"a date of a clock that is ahead, by Date", dateOf("clock-ahead"), retries(2, asked), nil, nil},
	{"four tries, each after Retry-After", refilled, retries(4, asked), nil, nil},
	{"a client that ends at its first 429", free, retries(0, nil), nil, nil},
	{"a ban that is waited for", setting{freedoms: []string{"ban-after-five"}}, retries(3, asked), nil, nil},
	{"a poll a minute", setting{perMinute: 1}, loop(61 * time.Second), nil, nil},

	{"eight requests in flight at the 429", free, func(d *desk) { gated(8, d.program(), 0, 0) }, nil, nil},
	{"eight in flight, one client", free.of(one), func(d *desk) {
		gated(8, d.program(), time.Millisecond, 10*time.Millisecond)
	}, nil, nil},
	{"sixteen threads that tick together, over new connections", free, func(d *desk) {
		gated(16, d.freshProgram(), 200*time.Microsecond, 10*time.Second)
	}, nil, nil},
	{"two workers, one of whom takes the connection of the other's 429", slowFour, func(d *desk) {
		gated(2, d.program(), 55*time.Millisecond, 10*time.Millisecond)
	}, nil, nil},
	{"three workers whose requests a pool sends one by one", slowFour, func(d *desk) {
		p := d.program()
		threads(2, func(int) { p.list() })
		for range 3 {
			var last answer
			for worker := range 3 { // each began before the first 429 came
				last = p.get(fmt.Sprintf("/pets?limit=%d", worker+1))
			}
			time.Sleep(last.wait())
		}
	}, nil, nil},
	{"two workers whose answers take no time", setting{minute: 4 * time.Second, perMinute: 4}, func(d *desk) {
		p := d.freshProgram()
		p.list()
		p.list()
		p.fresh = false
		threads(2, func(int) { p.list() })
		p.list()
		p.list() // the other worker began it before the 429 came
	}, nil, nil},
	{"rounds of requests that a pool sends over two connections", slowFour, func(d *desk) {
		p := d.program()
		threads(2, func(i int) {
			for round := range 20 { // each was begun before the first 429 came
				p.get(fmt.Sprintf("/pets?limit=%d", 1+(2*round+i)%5))
			}
		})
	}, nil, waiting},
	{"120 workers who had begun before the 429", setting{perMinute: 4, freedoms: []string{"slow"}},
		func(d *desk) {
			p := d.program()
			threads(12, func(int) { p.list() })
			threads(120, func(i int) {
				time.Sleep(time.Duration(i) * time.Millisecond)
				p.list()
			})
		}, nil, waiting},
	{"a pool in flight, busy machine, one client", free.of(one), pool(1200 * time.Millisecond), nil, waiting},
	{"a pool in flight at the 429, one client", free.of(one), pool(200 * time.Millisecond), nil, nil},
	{"two copies by chance without an overlap", fourSeconds, copies(2, "a program"), nil, waiting},
	{"three copies by chance without an overlap", fourSeconds, copies(3, "a program"), nil, waiting},
	{"eight copies by chance without an overlap", fourSeconds, copies(8, "a program"), nil, waiting},
	{"two workers by chance without an overlap, one client", fourSeconds.of(one), func(d *desk) {
		workers := []*program{d.program(), d.program()}
		for range 7 {
			workers[0].list()
		}
		threads(2, func(i int) { // the second begins when the 429 of the first is on its way
			time.Sleep(time.Duration(i) * 600 * time.Microsecond)
			workers[i].list()
		})
	}, nil, waiting},
	{"two programs with one key", fourSeconds, copies(2, ""), nil, nil},
	{"a proxy that shares its connections", free, func(d *desk) {
		p := d.program()
		for _, host := range []string{"192.0.2.1", "192.0.2.2"} {
			for !p.do(http.MethodGet, "/pets", "", "X-Forwarded-For", host).limited() {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Second)
		}
	}, nil, waiting},
	{"a program that is started again while it had to wait", free, both(retries(0, nil), retries(1, asked)), nil, waiting},

	{"a wrong key that is replaced", free, both(with("Authorization", "Bearer an-old-key"), get()), nil, nil},
	{"probes without a key", free, func(d *desk) {
		p := d.program()
		for _, path := range []string{"//", "//health", "//favicon.ico", "/", "//robots.txt"} {
			p.do(http.MethodGet, path, "", "Authorization", "")
		}
		p.do(http.MethodHead, "/pets", "", "Authorization", "")
		p.do(http.MethodOptions, "/pets", "", "Authorization", "", "Origin", "https://shop.example")
		p.list()
	}, nil, nil},
	{"HEAD while it waits", free, both(retries(0, nil), func(d *desk) { d.program().do(http.MethodHead, "/pets", "") }), nil, nil},
	{"a listing without parameters", free, get("/pets"), nil, nil},
	{"the smallest and the largest limit", free, get("/pets?limit=1", "/pets?limit=100"), nil, nil},
	{"each status", free, get("/pets?status=available", "/pets?limit=20&status=pending", "/pets?status=sold"), nil, nil},
	{"a parameter that is not named", free, get("/pets?page=2"), nil, nil},
	{"two spaces before the key", free, with("Authorization", "Bearer  "+deskKey), nil, nil},
	{"a negative petId", free, get("/pets/-5"), nil, nil},
	{"a media type in capitals", free, post(`{"name":"","categoryId":7}`, "Content-Type", "Application/JSON"), nil, nil},
	{"store orders", free, get("/store/orders"), nil, nil},
	{"a NewPet with a charset", free, post(`{"name":"Rex","categoryId":7}`, "Content-Type", "application/json; charset=utf-8"), nil, nil},
	{"numbers that are written in another way", free, post(`{"name":"Rex","categoryId":7.0}`), nil, nil},
	{"an exponent, and a status that is null", free, post(`{"name":"","categoryId":1e2,"status":null}`), nil, nil},
	{"a further member, and the smallest int64", free, post(`{"name":"犬","categoryId":-9223372036854775808,"owner":{}}`), nil, nil},
	{"categories that nobody has shown", setting{freedoms: []string{"odd-animals"}}, both(get("/pets?limit=100"),
		post(`{"name":"Rex","categoryId":9007199254740995}`), post(`{"name":"Rex","categoryId":9007199254740993}`)), nil, nil},
	{"getPet", setting{animals: 1}, get("/pets/1"), nil, nil},
	{"getPet of an id exactly, and of those beside it", three(wide[0]),
		both(sendBack(exactly(0)), sendBack(exactly(1)), sendBack(exactly(2))), nil, nil},
	{"getPet of the largest ids", three(wide[1]), both(sendBack(exactly(0)), sendBack(exactly(1))), nil, nil},
	{"getPet of random ids", three(wide[2]), both(sendBack(exactly(0)), sendBack(exactly(1))), nil, nil},
	{"getPet, and numbers that a person chose", three("odd-animals", wide[0]),
		both(get("/pets?limit=100"), post(`{"name":"Rex","categoryId":1}`), get("/pets/1")), nil, nil},
	{"getPet of ids that no animal has", three(wide[1]), get("/pets?limit=2", "/pets/0", "/pets/-1",
		"/pets/2147483647", "/pets/9223372036854775807"), nil, nil},
}

// TestLawfulClientsAreNeverCalledWrong: nor are they if nobody says how many they are.
func TestLawfulClientsAreNeverCalledWrong(t *testing.T) {
	eachOf(t, lawful)
	for _, c := range lawful {
		if c.setting.Settings = (Settings{}); len(having(judged(t, c.setting, c.run), verdict.Failed)) > 0 {
			t.Errorf("%s is called wrong", c.name)
		}
	}
}

// TestRandomLawfulClients: up to eight programs, of one or several threads each, that wait for their own 429 only or for
// the first one of the program. None is called wrong, nor is a single one that is said to be alone.
func TestRandomLawfulClients(t *testing.T) {
	conclusive := 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 46))
		n, pause := max(1, random.IntN(10)-1), time.Duration(1+random.IntN(2000))*time.Millisecond
		s := setting{minute: time.Duration(1+random.IntN(20)) * time.Second, perMinute: int64(2 + random.IntN(20))}
		if n == 1 {
			s.Settings = []Settings{{}, one}[random.IntN(2)]
		}
		if random.IntN(2) > 0 {
			s.freedoms = []string{"slow", "others-spend-the-refill"}[:1+random.IntN(2)]
		}
		plans := make([]func(*desk), n)
		for i := range plans {
			workers, fresh, begin := 1+random.IntN(3)/2*random.IntN(8), random.IntN(2) > 0, time.Duration(random.Int64N(int64(pause)))
			plans[i] = func(d *desk) {
				p := d.program()
				p.fresh = fresh
				time.Sleep(begin)
				gated(workers, p, pause/10, pause)
			}
		}
		r := judged(t, s, func(d *desk) { threads(n, func(i int) { plans[i](d) }) })
		if len(having(r, verdict.Failed)) > 0 {
			t.Errorf("seed %d: %+v, %d programs\n%s", seed, s, n, told(r))
		}
		if len(having(r, verdict.Inconclusive)) == 0 {
			conclusive++
		}
	}
	t.Logf("%d of 300 runs were conclusive", conclusive)
}

// eachOf holds what is said of clients to what they do. At least 60 are tried.
func eachOf(t *testing.T, all []sender) {
	if len(all) < 60 {
		t.Errorf("the table has %d clients", len(all))
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := judged(t, c.setting, c.run)
			want := verdict.Conforms
			if len(c.unsure) > 0 {
				want = verdict.NoVerdict
			}
			if slices.ContainsFunc(c.breaks, r.Counts) {
				want = verdict.Deviates
			}
			broken, unsure := having(r, verdict.Failed), having(r, verdict.Inconclusive)
			if len(unsure) > 0 && !strings.Contains(r.Reasons[0], "to be judged, run one client at a time, with --clients 1") {
				t.Errorf("how to be judged is not said: %s", r.Reasons)
			}
			if !slices.Equal(broken, c.breaks) || !slices.Equal(unsure, c.unsure) || r.Verdict != want {
				t.Errorf("broken: %v, want %v; unsure: %v, want %v; the run %s, want %s (%v)\n%s",
					broken, c.breaks, unsure, c.unsure, r.Verdict, want, r.Reasons, told(r))
			}
		})
	}
}
