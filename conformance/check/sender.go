package check

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// Sender sends for one check. After an error that ends the run every call returns a zero exchange, so a check needs no error
// handling.
type Sender struct {
	Config Config
	ctx    context.Context
	check  string
	run    *Run
	// Rand makes the check's choices. It depends on the seed of the run and the id of the check only.
	Rand *rand.Rand

	mu      sync.Mutex
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

// Limit asks for a limit.
func Limit(n int) Query { return Query{Limit: strconv.Itoa(n)} }

// Status asks for a status.
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

// Option changes a call before it is sent.
type Option func(*client.Call)

// As sends the call with another credential than the key.
func As(a exchange.Auth) Option { return func(c *client.Call) { c.Auth = a } }

// ContentType declares the body as another media type; "" declares none.
func ContentType(t string) Option {
	return func(c *client.Call) {
		if t == "" {
			c.Header = http.Header{"Content-Type": nil}
			return
		}
		c.Header = http.Header{"Content-Type": {t}}
	}
}

// Headers sets headers.
func Headers(h http.Header) Option {
	return func(c *client.Call) {
		if c.Header == nil {
			c.Header = http.Header{}
		}
		maps.Copy(c.Header, h)
	}
}

// List calls listPets.
func (s *Sender) List(step string, q Query, opts ...Option) history.Exchange {
	return s.Call(client.Call{Step: step, Method: http.MethodGet, Path: q.path()}, opts...)
}

// Get calls getPet.
func (s *Sender) Get(step, petID string, opts ...Option) history.Exchange {
	return s.Call(client.Call{Step: step, Method: http.MethodGet, Path: "/pets/" + url.PathEscape(petID)}, opts...)
}

// Orders calls GET /store/orders.
func (s *Sender) Orders(step string, opts ...Option) history.Exchange {
	return s.Call(client.Call{Step: step, Method: http.MethodGet, Path: "/store/orders"}, opts...)
}

// Create calls createPet with a NewPet.
func (s *Sender) Create(step string, pet spec.NewPet, opts ...Option) history.Exchange {
	body, _ := json.Marshal(pet) // a NewPet always marshals
	return s.Post(step, string(body), opts...)
}

// Post calls createPet with any body.
func (s *Sender) Post(step, body string, opts ...Option) history.Exchange {
	return s.Call(s.post(step, body), opts...)
}

func (s *Sender) post(step, body string) client.Call {
	return client.Call{Step: step, Method: http.MethodPost, Path: "/pets", Body: []byte(body)}
}

// Call sends any request, for the check.
func (s *Sender) Call(call client.Call, opts ...Option) history.Exchange {
	if s.Stopped() {
		return history.Exchange{}
	}
	if call.Method == http.MethodPost {
		done, may := s.run.mayCreate(s.ctx)
		if !may {
			s.giveUp(call.Step)
			return history.Exchange{}
		}
		defer done()
	}
	x := s.send(call, opts...)
	letIn := x.N > 0 && !x.Auth.Valid() && x.Auth != exchange.LowerCaseScheme && x.Named() && x.Status()/100 == 2
	if call.Method == http.MethodGet && letIn { // always, or by one of several replicas?
		step := call.Step
		for _, again := range []string{" again", " once more"} {
			call.Step = step + again
			s.send(call, opts...)
		}
	}
	return x
}

// send sends a call whose creation is taken from the budget.
func (s *Sender) send(call client.Call, opts ...Option) history.Exchange {
	for _, o := range opts {
		o(&call)
	}
	call.Check = s.check
	x, err := s.run.Client.Send(s.ctx, call)
	if err != nil {
		s.stop(err)
	}
	if x.Response == nil {
		return history.Exchange{Exchange: x}
	}
	return s.run.parsed(x)
}

// Concurrently runs the functions at the same time and waits for all. It runs them in order if the run sends one request at a
// time, so that such a run is the same each time.
func (s *Sender) Concurrently(each ...func()) {
	var wg sync.WaitGroup
	for _, f := range each {
		wg.Go(func() { s.run.guard(s.check, f) })
		if s.Config.Concurrency <= 1 {
			wg.Wait()
		}
	}
	wg.Wait()
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
	return spec.NewPet{Name: s.Name(what), CategoryID: s.Config.CategoryID, Status: status}
}

// Sent returns the exchanges of another check, one of Needs or After.
func (s *Sender) Sent(check string) []history.Exchange { return s.run.sentBy(check) }

// History returns everything that the run has sent so far.
func (s *Sender) History() *history.History { return s.run.History() }

// Since returns how long ago a time of the recording is.
func (s *Sender) Since(t time.Time) time.Duration { return s.run.since(t) }

// Waiting reports why the run waits, and for how long.
func (s *Sender) Waiting(why string, wait time.Duration) { s.run.Waiting(why, wait) }

// Created returns the animals that checks of this run have created so far.
func (s *Sender) Created() []history.Creation { return s.run.created() }

// Creates reports whether the run may create n more animals, and subtracts them from MaxCreates if so.
func (s *Sender) Creates(n int) bool { return s.run.takeCreates(n) }

// Left is how many requests the run may still send, not counting spare checks.
func (s *Sender) Left() int {
	if s.Deep() {
		return DeepRequests
	}
	return StandardRequests - s.run.Client.Requests()
}

// Deep reports whether the run is deep.
func (s *Sender) Deep() bool { return s.Config.Deep }

// Some returns n of many values: with DefaultSeed the first, which find most, and with each later seed those that follow.
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
	first := int((s.Config.Seed - DefaultSeed) * uint64(n) % uint64(len(many)))
	turned := slices.Concat(many[first:], many[:first])
	return turned[:n], turned[n:]
}

// Getting reports whether getPet is not yet removed.
func (s *Sender) Getting() bool { return s.Config.AsOf.Before(spec.Removal) }

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
