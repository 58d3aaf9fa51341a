package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
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
	animals   int
	front     func(http.Handler) http.Handler
	strict    bool
	Settings
}

// desk is a service in a bubble of simulated time.
type desk struct {
	t         *testing.T
	watcher   *Watcher
	recording bytes.Buffer
	handler   http.Handler
}

const deskKey = "pet-key-of-the-desk-4711"

// noError ends the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newDesk(t *testing.T, s setting) *desk {
	t.Helper()
	plan := spec.Free
	if s.perMinute > 0 {
		plan = spec.Plan{Name: spec.Enterprise.Name, PerMinute: s.perMinute, PerDay: plan.PerDay}
	}
	key := exchange.NewSecret(deskKey)
	service, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "key", Secret: key, Plan: plan}},
		Minute: s.minute, Seed: s.animals, Freedoms: s.freedoms, MaxBody: MaxBody})
	noError(t, err)
	settings, _ := json.Marshal(s.Settings)
	meta := exchange.Meta{Kind: verdict.ClientKind, Started: time.Now(), AsOf: time.Now(), Strict: s.strict, Settings: settings}
	d := &desk{t: t}
	d.watcher, err = NewWatcher(service, map[string]exchange.Secret{"key": key}, meta, &d.recording, func() {})
	noError(t, err)
	if d.handler = d.watcher; s.front != nil {
		d.handler = s.front(d.watcher)
	}
	return d
}

// judge ends the recording and judges it.
func (d *desk) judge() verdict.Results {
	d.t.Helper()
	err := d.watcher.End("")
	if err != nil || strings.Contains(d.recording.String(), deskKey) {
		d.t.Errorf("the recording has the key (%v)", err)
	}
	rec, err := exchange.Read(bytes.NewReader(d.recording.Bytes()))
	noError(d.t, err)
	r, err := Judge(rec)
	noError(d.t, err)
	return r
}

// judged runs clients against a service in simulated time and judges them.
func judged(t *testing.T, s setting, run func(*desk)) (r verdict.Results) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, s)
		run(d)
		synctest.Wait()
		r = d.judge()
	})
	return r
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
	return &program{desk: d, set: http.Header{"Authorization": {"Bearer " + deskKey}, "User-Agent": {"a program"}}}
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
	ctx = context.WithValue(ctx, connectionKey{}, c)
	resp, err := inprocess.Transport{Handler: p.desk.handler}.RoundTrip(r.WithContext(ctx))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
	return resp, err
}

// answer is a response with its body.
type answer struct {
	*http.Response
	body string
}

func (a answer) limited() bool { return a.StatusCode == http.StatusTooManyRequests }

func (a answer) wait() time.Duration {
	d, _ := exchange.RetryAfter(a.Header, time.Now())
	return d
}

// do sends a request. A path is relative to the base address, or begins with // and is relative to the host. Pairs are
// headers; an empty value leaves one out, and | stands between two values.
func (p *program) do(method, path, body string, pairs ...string) answer {
	p.desk.t.Helper()
	address := "http://desk/v1" + path
	if rest, absolute := strings.CutPrefix(path, "//"); absolute {
		address = "http://desk/" + rest
	}
	u, err := url.Parse(address)
	if err != nil {
		p.desk.t.Fatal(err)
	}
	r := (&http.Request{Method: method, URL: u, Header: p.set.Clone(), Body: io.NopCloser(strings.NewReader(body))}).
		WithContext(p.desk.t.Context())
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(pairs); i += 2 {
		if name := http.CanonicalHeaderKey(pairs[i]); pairs[i+1] == "" {
			delete(r.Header, name)
		} else {
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

func (p *program) get(path string) answer { return p.do(http.MethodGet, path, "") }
func (p *program) list() answer           { return p.get("/pets?limit=5") }

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

// again lists some times, after a wait that follows from the response before.
func (p *program) again(last answer, times int, wait func(answer) time.Duration) {
	for range times {
		time.Sleep(wait(last))
		last = p.list()
	}
}

// having are the requirements with a verdict.
func having(r verdict.Results, v verdict.Verdict) (ids []spec.ID) {
	for _, q := range r.Requirements {
		if q.Verdict == v {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

func told(r verdict.Results) string {
	var b strings.Builder
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "%s: %s %s %s\n", c.ID, c.Verdict, c.Reason, c.Evidence)
		for _, f := range c.Findings {
			fmt.Fprintf(&b, "    %s: expected %s; came %s\n", f.Message, f.Expected, f.Actual)
		}
	}
	return b.String()
}
