package check

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Sender sends for one check. After an error that ends the run every call returns a zero exchange, so a check needs no
// error handling.
type Sender struct {
	*Run
	ctx   context.Context
	check string

	err     error
	skipped string
	gaveUp  []string // the steps that were not sent for want of creations
}

// Query is a listing's query; the zero value asks for nothing.
type Query struct {
	Limit  string
	Status string
	// Raw is a query that is sent as it is, instead.
	Raw string
}

func Limit(n int) Query { return Query{Limit: strconv.Itoa(n)} }

func Status(s spec.PetStatus) Query { return Query{Status: string(s)} }

func (q Query) path() string {
	raw := q.Raw
	if raw == "" {
		v := url.Values{}
		if q.Limit != "" {
			v.Set("limit", q.Limit)
		}
		if q.Status != "" {
			v.Set("status", q.Status)
		}
		raw = v.Encode()
	}
	if raw == "" {
		return "/pets"
	}
	return "/pets?" + raw
}

// Request is a request that a check sends: one call, or what Reading sends.
type Request struct {
	client.Call
	read func()
}

// Option changes a request before it is sent.
type Option func(*client.Call)

// As sends the request with another credential than the key.
func As(a exchange.Auth) Option { return func(c *client.Call) { c.Auth = a } }

// ContentType declares the body as another media type; "" declares none.
func ContentType(t string) Option {
	if t == "" {
		return Headers(http.Header{"Content-Type": nil})
	}
	return Headers(http.Header{"Content-Type": {t}})
}

func Headers(h http.Header) Option {
	return func(c *client.Call) {
		if c.Header == nil {
			c.Header = http.Header{}
		}
		maps.Copy(c.Header, h)
	}
}

func request(step, method, path, body string, opts []Option) Request {
	r := Request{Call: client.Call{Step: step, Method: method, Path: path}}
	if method == http.MethodPost {
		r.Body = []byte(body)
	}
	for _, o := range opts {
		o(&r.Call)
	}
	return r
}

// Raw is a GET of any path, which is sent as it is.
func Raw(step, path string, opts ...Option) Request {
	return request(step, http.MethodGet, path, "", opts)
}

func List(step string, q Query, opts ...Option) Request { return Raw(step, q.path(), opts...) }

func Get(step, petID string, opts ...Option) Request {
	return Raw(step, "/pets/"+url.PathEscape(petID), opts...)
}

func Orders(step string, opts ...Option) Request { return Raw(step, "/store/orders", opts...) }

// Post is a request to createPet with any body.
func Post(step, body string, opts ...Option) Request {
	return request(step, http.MethodPost, "/pets", body, opts)
}

func Create(step string, pet spec.NewPet, opts ...Option) Request {
	body, _ := json.Marshal(pet) // a NewPet always marshals
	return Post(step, string(body), opts...)
}

// Reading is a request that creates nothing and that send sends, again if need be.
func Reading(send func()) Request { return Request{read: send} }

// List calls listPets.
func (s *Sender) List(step string, q Query, opts ...Option) history.Exchange {
	return s.Do(List(step, q, opts...))
}

func (s *Sender) Get(step, petID string, opts ...Option) history.Exchange {
	return s.Do(Get(step, petID, opts...))
}

func (s *Sender) Create(step string, pet spec.NewPet) history.Exchange {
	return s.Do(Create(step, pet))
}

// Do sends a request and returns its last exchange.
func (s *Sender) Do(r Request) history.Exchange {
	if s.Stopped() {
		return history.Exchange{}
	}
	if r.Method == http.MethodPost {
		done, may := s.mayCreate(s.ctx)
		if !may {
			s.goWithout(r.Step)
			return history.Exchange{}
		}
		defer done()
	}
	x := s.send(r.Call)
	letIn := x.N > 0 && !x.Auth.Valid() && x.Auth != exchange.LowerCaseScheme && x.Named() && x.Status()/100 == 2
	if r.Method == http.MethodGet && letIn { // always, or by one of several replicas?
		again := r.Call
		for _, more := range []string{" again", " once more"} {
			again.Step = r.Step + more
			s.send(again)
		}
	}
	return x
}

// send sends a call whose creation is taken from the budget.
func (s *Sender) send(call client.Call) history.Exchange {
	call.Check = s.check
	x, err := s.Client.Send(s.ctx, call)
	if err != nil {
		s.stop(err)
	}
	if x.Response == nil {
		return history.Exchange{Exchange: x}
	}
	return s.parsed(x)
}

// Together sends requests at the same time and waits for all. It sends them in order if the run sends one request at a
// time, so that such a run is the same each time.
func (s *Sender) Together(all ...Request) {
	if s.Concurrency <= 1 {
		s.together(1, all)
		return
	}
	s.together(len(all), all)
}

// Wait waits, and says whether the run goes on after that.
func (s *Sender) Wait(d time.Duration) bool {
	if err := spec.Sleep(s.ctx, d); err != nil {
		s.stop(err)
	}
	return !s.Stopped()
}

// Name makes the name of an animal that says what it is for and which run left it behind.
func (s *Sender) Name(what string) string { return fmt.Sprintf("petconform-%s-%s", s.Config.Run, what) }

// Pet is a valid NewPet, with the category that exists on the target.
func (s *Sender) Pet(what string, status spec.PetStatus) spec.NewPet {
	return spec.NewPet{Name: s.Name(what), CategoryID: s.CategoryID, Status: status}
}

// Left is how many requests the run may still send, not counting spare checks.
func (s *Sender) Left() int {
	if s.Deep {
		return DeepRequests
	}
	return StandardRequests - s.Client.Requests()
}

// Some returns n of many values: with DefaultSeed the first, which find most, and with each later seed those that
// follow.
func Some[T any](s *Sender, n int, many []T) []T {
	some, _ := split(s, n, many)
	return some
}

// Rest returns the values that Some leaves out.
func Rest[T any](s *Sender, n int, many []T) []T {
	_, rest := split(s, n, many)
	return rest
}

func split[T any](s *Sender, n int, many []T) (some, rest []T) {
	if n >= len(many) {
		return many, nil
	}
	first := int((s.Seed - DefaultSeed) * uint64(n) % uint64(len(many)))
	turned := slices.Concat(many[first:], many[:first])
	return turned[:n], turned[n:]
}

// Getting reports whether getPet is not yet removed.
func (s *Sender) Getting() bool { return s.AsOf.Before(spec.Removal) }

// Skip says why the check sends nothing (more).
func (s *Sender) Skip(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skipped = why
}

// Stopped reports whether the run has ended, so that a loop can.
func (s *Sender) Stopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err != nil
}

func (s *Sender) stop(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}
