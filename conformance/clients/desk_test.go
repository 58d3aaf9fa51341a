package clients

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

// setting is how the reference service is set up for a client. The zero value has the plan Free.
type setting struct {
	minute    time.Duration
	perMinute int64
	freedoms  []string
	clients   int
	command   bool
	require   []spec.ID
	animals   int
	front     func(http.Handler) http.Handler
}

// desk is a service in a bubble, with the recording of what its clients sent.
type desk struct {
	t       *testing.T
	key     string
	watcher *Watcher
	handler http.Handler
	base    *url.URL

	all []exchange.Exchange
}

const deskKey = "pet-key-of-the-desk-4711"

// judged runs clients against a service in simulated time and judges them.
func judged(t *testing.T, s setting, run func(*desk)) (res verdict.Results) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		plan := spec.Free
		if s.perMinute > 0 {
			plan = spec.Plan{Name: spec.Enterprise.Name, PerMinute: s.perMinute, PerDay: plan.PerDay}
		}
		key := exchange.NewSecret(deskKey)
		service, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "key", Secret: key, Plan: plan}}, Minute: s.minute, Seed: s.animals, Freedoms: s.freedoms})
		if err != nil {
			t.Fatal(err)
		}
		d := &desk{t: t, key: deskKey, base: &url.URL{Scheme: "http", Host: "desk", Path: "/v1"}}
		d.watcher = &Watcher{Service: service, BasePath: "/v1", Keys: map[string]exchange.Secret{"key": key}, Record: func(x exchange.Exchange) error {
			d.all = append(d.all, x)
			return nil
		}}
		d.handler = d.watcher
		if s.front != nil {
			d.handler = s.front(d.watcher)
		}
		started := time.Now()
		run(d)
		synctest.Wait()
		settings, _ := json.Marshal(Settings{Clients: s.clients, Command: s.command, Require: s.require, Freedoms: s.freedoms})
		slices.SortFunc(d.all, func(x, y exchange.Exchange) int { return x.N - y.N })
		data, _ := json.Marshal(d.all)
		if strings.Contains(string(data), deskKey) {
			t.Error("the recording has the key")
		}
		res, err = Judge(&exchange.Recording{Meta: exchange.Meta{Kind: Kind, Target: d.base.String(), Started: started, AsOf: started, Settings: settings},
			Exchanges: d.all, End: &exchange.End{Ended: time.Now()}})
		if err != nil {
			t.Fatal(err)
		}
	})
	return res
}

// program is a client in the tests: its own connections, and headers that it sends each time.
type program struct {
	desk *desk
	// fresh opens a connection for each request.
	fresh bool
	set   http.Header

	mu   sync.Mutex
	idle []*connection
}

func (d *desk) program() *program {
	return &program{desk: d, set: http.Header{"Authorization": {"Bearer " + d.key}, "User-Agent": {"a program"}}}
}

func (d *desk) freshProgram() *program {
	p := d.program()
	p.fresh = true
	return p
}

// RoundTrip sends a request over an idle connection, or a new one.
func (p *program) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	var c *connection
	if n := len(p.idle); n > 0 && !p.fresh {
		c, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	p.mu.Unlock()
	ctx := r.Context()
	if c == nil {
		ctx = p.desk.watcher.Connected(ctx, nil)
		c = ctx.Value(connectionKey{}).(*connection)
	}
	resp, err := inprocess.Transport{Handler: p.desk.handler}.RoundTrip(r.WithContext(context.WithValue(ctx, connectionKey{}, c)))
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	return resp, err
}

// answer is a response with its body.
type answer struct {
	*http.Response
	body string
}

func (a answer) limited() bool { return a.StatusCode == http.StatusTooManyRequests }

// wait is the time in Retry-After, in seconds.
func (a answer) wait() time.Duration {
	d, _ := exchange.RetryAfter(a.Header, time.Now())
	return d
}

// do sends a request. A path is relative to the base address, or begins with // and is relative to the host. Pairs are headers; an
// empty value leaves one out.
func (p *program) do(method, path, body string, pairs ...string) answer {
	p.desk.t.Helper()
	address := p.desk.base.String() + path
	if rest, absolute := strings.CutPrefix(path, "//"); absolute {
		address = "http://desk/" + rest
	}
	r, err := http.NewRequestWithContext(p.desk.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		p.desk.t.Fatal(err)
	}
	r.Header = p.set.Clone()
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(pairs); i += 2 {
		r.Header.Add(pairs[i], pairs[i+1])
		if name := http.CanonicalHeaderKey(pairs[i]); pairs[i+1] == "" {
			delete(r.Header, name)
		} else if name == "Authorization" || name == "Content-Type" || name == "User-Agent" {
			r.Header[name] = strings.Split(pairs[i+1], "|")
		}
	}
	resp, err := p.RoundTrip(r)
	if err != nil {
		p.desk.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return answer{resp, string(text)}
}

func (p *program) list() answer { return p.do(http.MethodGet, "/pets?limit=5", "") }

// spend lists until a 429 comes.
func (p *program) spend() answer {
	for range 2000 {
		if a := p.list(); a.limited() {
			return a
		}
	}
	p.desk.t.Fatal("no 429 came")
	return answer{}
}

// failed are the broken requirements, of any level.
func failed(r verdict.Results) []spec.ID {
	var ids []spec.ID
	for _, q := range r.Requirements {
		if q.Verdict == verdict.Failed {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

func told(r verdict.Results) string {
	var b strings.Builder
	for _, c := range r.Checks {
		b.WriteString(c.ID + ": " + string(c.Verdict) + " " + c.Reason + " " + c.Evidence + "\n")
		for _, f := range c.Findings {
			b.WriteString("    " + f.Message + ": expected " + f.Expected + "; came " + f.Actual + "\n")
		}
	}
	return b.String()
}
