// Package behaviour is the reference service as one value: its settings, and the functions that authenticate, count,
// read, store, list and write. Plain keeps the interface. A Change replaces some of the functions; the files
// alter_….go have the changes that the tables of deviations and freedoms are made of. Those tables import this
// package with a dot, as tests do a package of matchers.
package behaviour

import (
	"crypto/sha256"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// Behaviour is the service as a set of functions, each of which a deviation or a freedom may replace. A field is
// exported where a row uses it; the others are changed by the functions of alter_….go.
type Behaviour struct {
	// BasePath is the prefix of every path. Now is the service's clock, and AsOf the day on which getPet is there or
	// removed; zero is that of the clock.
	BasePath string
	Now      func() time.Time
	AsOf     time.Time
	// Logger gets a line for each request, without the key; nil logs nothing.
	Logger *slog.Logger

	// Accounts are in the order in which they were added, and by a hash of the key, so that the time of a look-up
	// reveals nothing of it.
	Accounts []*Account
	byHash   map[[sha256.Size]byte]*Account
	// Nobody is the allowance that the headers show without a valid key. It is not spent, except by some freedoms.
	Nobody *limiter.Allowance
	Store  *store.Store
	// kept is what Kept returns, by its key.
	kept sync.Map
	// turn is held by changes of what is stored, found and shown: what they know of earlier calls needs no lock of
	// its own.
	turn sync.Mutex
	// answers is the handler with all that is around it.
	answers Handler

	// Route finds the operation that a request calls.
	Route func(*Call)
	// The steps of each operation before its reply, in the order that the interface demands: the key is checked
	// first. Each may refuse the request. Understand reads it, Act carries it out.
	Authenticate, Admit Step
	Understand, Act     map[spec.Operation]Step
	Reply               map[spec.Operation]Handler
	// OpenElsewhere answers paths and methods that the interface does not name before the key is checked.
	OpenElsewhere bool

	// Credential reads the token from the request.
	Credential func(*http.Request) (token string, failed *Refusal)

	// plan returns the limits that are enforced for a key's plan; Options say how requests are counted.
	plan    func(spec.Plan) spec.Plan
	Options limiter.Options
	// Allowance returns the allowance that a request counts against; Take counts it.
	Allowance func(*Call) *limiter.Allowance
	Take      func(*Call) limiter.Decision
	// Anonymous is the decision that the headers show without a valid key.
	Anonymous func(*Call) limiter.Decision
	Rate      rateHeaders

	// Skew is how far the service's clock is ahead.
	Skew time.Duration

	// createPet reads the body and its members, and stores the animal under an id.
	MediaType  Step
	ReadBody   Step
	MaxBody    int64
	Parse      func([]byte) (strictjson.Value, error)
	Member     func(object strictjson.Value, name string) (strictjson.Value, bool)
	Doubled    func(strictjson.Value) (string, bool)
	Name       func(strictjson.Value) (string, *Refusal)
	categoryID func(strictjson.Value) (int64, *Refusal)
	Status     func(strictjson.Value) (spec.PetStatus, *Refusal)
	Missing    func(c *Call, member string) *Refusal
	CheckDraft Step
	keep       func(*Call, spec.NewPet) spec.NewPet
	// Assign returns the id of the n-th animal of the store. The call is nil for animals that are there from the start.
	Assign func(c *Call, p spec.NewPet, n uint64) int64
	Add    func(*Call, spec.NewPet) spec.Pet

	// listPets reads its parameters and finds animals.
	Limit        func(value string, given bool) (int, *Refusal)
	StatusFilter func(value string) (spec.PetStatus, *Refusal)
	Find         func(*Call, Filter) []spec.Pet
	ListOrder    store.Order

	// getPet finds one animal, unless it is removed; Sunset sets the headers of its deprecation.
	Removed    func(now time.Time) bool
	parsePetID func(string) (int64, *Refusal)
	Load       func(*Call, int64) (spec.Pet, bool)
	Sunset     func(*Call)

	// shown changes animals before an operation writes them. Orders answers GET /store/orders.
	shown  func(*Call, []spec.Pet)
	Orders func(*Call) Answer

	// around wraps the handler, the first one innermost; Lastly changes an answer after that, and Write sends it.
	around []func(Handler) Handler
	Lastly []func(*Call, *Answer)
	Write  func(*Call, Answer)

	// Seed is the number of animals in a new store; seedPet returns the i-th.
	Seed    int
	seedPet func(i int) spec.NewPet
}

// Step is a part of an operation. It may refuse the call.
type Step func(*Call) *Refusal

// Handler answers a call.
type Handler func(*Call) Answer

// run takes a call through the steps of its operation.
func (b *Behaviour) run(c *Call) Answer {
	steps := []Step{b.Authenticate, b.Admit, b.Understand[c.Operation], b.Act[c.Operation]}
	if c.Operation == spec.Elsewhere && b.OpenElsewhere {
		steps = steps[3:]
	}
	for _, step := range steps {
		if refused := step(c); refused != nil {
			return b.Refuse(c, refused)
		}
	}
	return b.Reply[c.Operation](c)
}
