package libraries

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// An animal's id that float64 cannot hold.
const oddID = "9007199254740993"

// A situation is what the service does to a client; see README.md.
type situation struct {
	title  string
	steps  []string      // what the client does: list, create, or ids (list, then get the first animal)
	wait   time.Duration // until the service accepts requests again, which it refuses by 429
	date   bool          // Retry-After is a date
	long   bool          // the client mostly sleeps
	closes bool          // the service closes the connection on the second request instead of answering
}

var situations = []situation{
	{title: "429, list", steps: []string{"list"}, wait: 2 * time.Second},
	{title: "429, create", steps: []string{"create"}, wait: 2 * time.Second},
	{title: "429 with a date, list", steps: []string{"list"}, wait: 3 * time.Second, date: true},
	{title: "429 for 40 s, list", steps: []string{"list"}, wait: 40 * time.Second, long: true},
	{title: "large id", steps: []string{"ids"}},
	{title: "closed, list", steps: []string{"list", "list"}, closes: true},
	{title: "closed, create", steps: []string{"list", "create"}, closes: true},
}

// A visit is one client in one situation.
type visit struct {
	situation
	url string

	mu    sync.Mutex
	gate  time.Time // requests are refused before it
	seen  []request
	fresh bool // the second request came on a new connection
}

type request struct {
	at               time.Time
	method, path, on string
}

type service struct {
	address string
	mu      sync.Mutex
	visits  []*visit
}

func newService() *service {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	s := &service{address: listener.Addr().String()}
	go func() { log.Fatal(http.Serve(listener, s)) }()
	return s
}

// visit returns a base address of its own for each client: the first segment of the path tells them apart.
func (s *service) visit(of situation) *visit {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := &visit{situation: of, url: fmt.Sprintf("http://%s/%d/v1", s.address, len(s.visits))}
	s.visits = append(s.visits, v)
	return v
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var n int
	if _, err := fmt.Sscanf(r.URL.Path, "/%d/v1/pets", &n); err != nil {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	v := s.visits[n]
	s.mu.Unlock()
	v.answer(w, r)
}

func (v *visit) answer(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.seen = append(v.seen, request{now, r.Method, r.URL.Path, r.RemoteAddr})
	if v.gate.IsZero() {
		v.gate = now.Add(v.wait)
		if v.date {
			v.gate = v.gate.Truncate(time.Second)
		}
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("X-RateLimit-Limit", "60")
	h.Set("X-RateLimit-Remaining", "0")
	h.Set("X-RateLimit-Reset", fmt.Sprint(v.gate.Unix()))
	switch {
	case v.closes && len(v.seen) == 2 && v.seen[0].on == v.seen[1].on:
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			log.Fatal(err)
		}
		conn.Close()
		return
	case v.closes && len(v.seen) == 2:
		v.fresh = true
	case now.Before(v.gate):
		if h.Set("Retry-After", v.gate.UTC().Format(http.TimeFormat)); !v.date {
			h.Set("Retry-After", fmt.Sprint(int((v.gate.Sub(now)+time.Second-1)/time.Second)))
		}
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"code":"later","message":"Try again later.","status":429}`)
		return
	}
	pet := `{"id":` + oddID + `,"name":"Rex","categoryId":1,"status":"available"}`
	switch {
	case r.Method == "POST":
		w.WriteHeader(http.StatusCreated)
	case strings.HasSuffix(r.URL.Path, "/pets"):
		pet = "[" + pet + "]"
	}
	fmt.Fprint(w, pet)
}

// verdict says in a few words what the client did; ok means that its last step succeeded in the end.
func (v *visit) verdict(ok bool) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	const tolerance = 10 * time.Millisecond // timers of Node may fire up to 1 ms early
	switch {
	case len(v.seen) == 0:
		return "no request"
	case v.wait > 0 && len(v.seen) == 1:
		return "not resent"
	case v.wait > 0:
		did := "waits"
		for _, r := range v.seen[1:] {
			if r.at.Before(v.gate.Add(-tolerance)) {
				did = "**too early**"
			}
		}
		if v.seen[1].at.Sub(v.seen[0].at) < 50*time.Millisecond {
			did = "**at once**"
		}
		if !ok {
			did += ", then fails"
		}
		return did
	case v.closes && v.fresh:
		return "not kept"
	case v.closes && ok:
		if v.seen[1].method == "POST" {
			return "**resent**"
		}
		return "resent"
	case v.closes:
		return "error"
	case !strings.HasSuffix(v.seen[len(v.seen)-1].path, "/"+oddID):
		return "**rounded**"
	}
	return "exact"
}
