package reference

import (
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
	"petconform/spec/strictjson"
)

// behaviour is the service as a set of functions, each of which a deviation or a freedom may replace. plain returns the
// functions of a service that keeps the interface.
type behaviour struct {
	// route finds the operation that a request calls.
	route func(*call)
	// order is the order of the steps of each operation.
	order map[spec.Operation][]step

	// The steps. Each may refuse the request.
	authenticate, admit func(*call) *refusal
	// understand reads the request, act carries it out, reply writes the answer.
	understand, act map[spec.Operation]func(*call) *refusal
	reply           map[spec.Operation]func(*call) answer

	// credential reads the token from the request; account returns its account, or nil.
	credential func(*http.Request) (token string, failed *refusal)
	account    func(s *Service, token string) *account

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
	listed  func(*call, []spec.Pet) []spec.Pet
	created func(*call, spec.Pet) spec.Pet
	fetched func(*call, spec.Pet) spec.Pet
	pet     map[spec.Operation]func(spec.Pet) []field
	list    func(*call, []spec.Pet) []byte
	errors  func(*call, spec.Error) []field
	failure func(*call, spec.Error) []byte
	orders  func(*call) answer

	// around wraps the handler, the first one innermost; write sends the answer.
	around []func(handler) handler
	write  func(*call, answer)

	// seed is the number of animals in a new store; seedPet returns the i-th.
	seed    int
	seedPet func(i int) spec.NewPet
}

// handler answers a call.
type handler func(*call) answer

// step is one of the four steps of an operation before its reply.
type step int

const (
	authenticate step = iota
	admit
	understand
	act
)

// usual is the order that the interface demands: the key is checked first.
func usual() []step { return []step{authenticate, admit, understand, act} }

// run takes a call through the steps of its operation.
func (b *behaviour) run(c *call) answer {
	for _, s := range b.order[c.operation] {
		if refused := b.step(s, c); refused != nil {
			return b.refuse(c, refused)
		}
	}
	return b.reply[c.operation](c)
}

func (b *behaviour) step(s step, c *call) *refusal {
	switch s {
	case authenticate:
		return b.authenticate(c)
	case admit:
		return b.admit(c)
	case understand:
		return b.understand[c.operation](c)
	default:
		return b.act[c.operation](c)
	}
}
