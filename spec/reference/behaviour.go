package reference

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

// behaviour is the service as a set of functions, each of which a deviation or a freedom may replace. plain returns the
// functions of a service that keeps the interface.
type behaviour struct {
	// basePath is the prefix of every path. now is the service's clock, and asOf the day on which getPet is there or removed; zero is now's.
	basePath string
	now      func() time.Time
	asOf     time.Time
	// logger gets a line for each request, without the key; nil logs nothing.
	logger *slog.Logger

	// accounts are in the order in which they were added, and by a hash of the key, so that the time of a look-up reveals nothing of it.
	accounts []*account
	byHash   map[[sha256.Size]byte]*account
	// nobody is the allowance that the headers show without a valid key. It is not spent, except by some freedoms.
	nobody *limiter.Allowance
	store  store.Store
	// counts are the counters of every, each by its own key.
	counts sync.Map
	// answers is the handler with all that is around it.
	answers handler

	// route finds the operation that a request calls.
	route func(*call)
	// The steps of each operation before its reply, in the order that the interface demands: the key is checked first. Each may refuse
	// the request. understand reads it, act carries it out.
	authenticate, admit func(*call) *refusal
	understand, act     map[spec.Operation]func(*call) *refusal
	reply               map[spec.Operation]func(*call) answer
	// openElsewhere answers paths and methods that the interface does not name before the key is checked.
	openElsewhere bool

	// credential reads the token from the request.
	credential func(*http.Request) (token string, failed *refusal)

	// plan returns the limits that are enforced for a key's plan; options say how requests are counted.
	plan    func(spec.Plan) spec.Plan
	options limiter.Options
	// allowance returns the allowance that a request counts against; take counts it.
	allowance func(*call) *limiter.Allowance
	take      func(*call) limiter.Decision
	// anonymous is the decision that the headers show without a valid key.
	anonymous func(*call) limiter.Decision
	rate      rateHeaders

	// skew is how far the service's clock is ahead.
	skew time.Duration

	// createPet reads the body and its members, and stores the animal under an id.
	mediaType  func(*call) *refusal
	readBody   func(*call) *refusal
	maxBody    int64
	parse      func([]byte) (strictjson.Value, error)
	member     func(object strictjson.Value, name string) (strictjson.Value, bool)
	doubled    func(strictjson.Value) (string, bool)
	name       func(strictjson.Value) (string, *refusal)
	categoryID func(strictjson.Value) (int64, *refusal)
	status     func(strictjson.Value) (spec.PetStatus, *refusal)
	missing    func(c *call, member string) *refusal
	checkDraft func(*call) *refusal
	keep       func(*call, spec.NewPet) spec.NewPet
	// assign returns the id of the n-th animal of the store. The call is nil for animals that are there from the start.
	assign func(c *call, p spec.NewPet, n uint64) int64
	add    func(*call, spec.NewPet) (spec.Pet, error)

	// listPets reads its parameters and finds animals.
	limit        func(value string, given bool) (int, *refusal)
	statusFilter func(value string) (spec.PetStatus, *refusal)
	find         func(*call, filter) ([]spec.Pet, error)
	listOrder    store.Order

	// getPet finds one animal, unless it is removed; sunset sets the headers of its deprecation.
	removed    func(now time.Time) bool
	parsePetID func(string) (int64, *refusal)
	load       func(*call, int64) (spec.Pet, bool, error)
	sunset     func(*call)

	// Each operation shows animals and writes them.
	shown  func(*call, []spec.Pet)
	orders func(*call) answer

	// around wraps the handler, the first one innermost; lastly changes an answer after all of them, and write sends it.
	around []func(handler) handler
	lastly []func(*call, *answer)
	write  func(*call, answer)

	// seed is the number of animals in a new store; seedPet returns the i-th.
	seed    int
	seedPet func(i int) spec.NewPet
}

// handler answers a call.
type handler func(*call) answer

// run takes a call through the steps of its operation.
func (b *behaviour) run(c *call) answer {
	steps := []func(*call) *refusal{b.authenticate, b.admit, b.understand[c.operation], b.act[c.operation]}
	if c.operation == spec.Elsewhere && b.openElsewhere {
		steps = steps[3:]
	}
	for _, step := range steps {
		if refused := step(c); refused != nil {
			return b.refuse(c, refused)
		}
	}
	return b.reply[c.operation](c)
}
