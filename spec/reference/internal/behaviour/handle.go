package behaviour

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// Call is one request on its way through the service, with the results of the steps.
type Call struct {
	Service *Behaviour
	Writer  http.ResponseWriter
	Request *http.Request
	Header  http.Header // the header of the answer
	Now     time.Time   // the service's clock when the request came

	Operation spec.Operation
	// Path is relative to the base address, escaped, without its query. PetID is getPet's path parameter, decoded.
	Path, PetID string

	Account  *Account // nil until the key was found valid
	Decision Decision // what the rate-limit headers show

	Filter store.Query // the request of listPets
	Draft  draft       // that of createPet
	ID     int64       // that of getPet
	// Pet and Pets are the result of the operation, Refused is the reason why there is none, and Answer what it comes to.
	// While animals are found, Pet is the one that a When is asked about.
	Pet     spec.Pet
	Pets    []spec.Pet
	Refused *Refusal
	Answer  *Answer
	// RefusedInARow counts the refusals of the key since its last accepted request.
	RefusedInARow int
	Body          []byte // the body of the request, as it was sent
}

// draft is a NewPet as it was sent, with the members that the interface does not name.
type draft struct {
	spec.NewPet
	Extra []strictjson.Member
}

// Answer is a response before it is written.
type Answer struct {
	Status    int
	MediaType string // the Content-Type; "" leaves the header out
	Body      []byte
}

// Refusal is the status and the Error of a request that is not carried out.
type Refusal struct {
	Status        int
	Code, Message string
}

// Refused is a refusal with that status and Error.
func Refused(status int, code, message string) *Refusal {
	return &Refusal{Status: status, Code: code, Message: message}
}

func Invalid(code, format string, a ...any) *Refusal {
	return Refused(http.StatusBadRequest, code, fmt.Sprintf(format, a...))
}

func NotFound(format string, a ...any) *Refusal {
	return Refused(http.StatusNotFound, "not_found", fmt.Sprintf(format, a...))
}

// SetHeader sets a header whose name is in the form of net/http. An empty value sets nothing.
func (c *Call) SetHeader(name, value string) {
	if value != "" {
		c.Header[name] = []string{value}
	}
}

// Start makes the service ready to answer. An empty store gets its first animals.
func (b *Behaviour) Start(s *store.Store) {
	b.Store, b.answers = s, b.run
	b.Nobody = limiter.NewAllowance(spec.Free.PerMinute, spec.Free.PerDay, b.Options)
	for _, wrap := range b.around {
		b.answers = wrap(b.answers)
	}
	if s.Len() > 0 {
		return
	}
	for i := range b.Seed {
		pet := b.SeedPet(i)
		s.Add(pet, func(n uint64) int64 { return b.Assign(nil, n) })
	}
}

// ServeHTTP answers one request.
func (b *Behaviour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &Call{Service: b, Writer: w, Request: r, Header: w.Header(), Now: b.Now()}
	c.Route(r.Method, r.URL.EscapedPath())
	a := b.answers(c)
	for _, change := range b.Lastly {
		change(c, &a)
	}
	b.Write(c, a)
	if b.Logger != nil {
		b.log(c, a)
	}
}

// run takes a call through its steps, in the order that the interface demands: the key is checked first.
func (b *Behaviour) run(c *Call) Answer {
	for _, step := range []Step{b.authenticate, b.spend, b.read, b.check, b.act} {
		if refused := step(c); refused != nil {
			return b.Refuse(c, refused)
		}
	}
	return b.reply(c)
}

// spend counts the request against the allowance of its key, and refuses it if the allowance is spent.
func (b *Behaviour) spend(c *Call) *Refusal {
	c.Decision = b.Take(c)
	if c.Decision.Allowed {
		return nil
	}
	return Refused(http.StatusTooManyRequests, "rate_limited",
		"The plan's limit is reached. Retry after the time given in Retry-After.")
}

func (b *Behaviour) read(c *Call) *Refusal {
	switch c.Operation {
	case spec.ListPets:
		return b.ReadFilter(c)
	case spec.CreatePet:
		return b.ReadNewPet(c)
	case spec.GetPet:
		return b.ReadPetID(c)
	case spec.Elsewhere:
		return b.RefuseElsewhere(c)
	}
	return nil
}

func (b *Behaviour) check(c *Call) *Refusal {
	for _, check := range b.checks {
		if refused := check(c); refused != nil {
			return refused
		}
	}
	return nil
}

// act finds or stores animals.
func (b *Behaviour) act(c *Call) *Refusal {
	defer b.InTurn()()
	switch c.Operation {
	case spec.ListPets:
		c.Pets = b.Find(c, c.Filter)
	case spec.CreatePet:
		c.Pet = b.Add(c, c.Draft.NewPet)
	case spec.GetPet:
		return b.GetPet(c)
	}
	return nil
}

func (b *Behaviour) log(c *Call, a Answer) {
	key := ""
	if c.Account != nil {
		key = c.Account.name
	}
	b.Logger.LogAttrs(context.Background(), slog.LevelInfo, "request",
		slog.String("operation", string(c.Operation)), slog.String("method", c.Request.Method),
		slog.Int("status", a.Status), slog.String("key", key), slog.Int64("remaining", c.Decision.Remaining),
		slog.Int("bytes", len(a.Body)), slog.Duration("took", b.Now().Sub(c.Now)))
}
