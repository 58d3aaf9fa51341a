package reference

import (
	"net/http"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
	"petconform/spec/reference/strictjson"
)

// behaviour is the service as a set of parts, each of which a deviation or a freedom may exchange. plain() has the
// parts of a service that keeps the interface.
type behaviour struct {
	// route finds the operation that a request calls.
	route func(*call)
	// order is the order of the steps of each operation.
	order map[spec.Operation][]step

	// The steps. Each may refuse the request.
	authenticate, admit func(*call) *refusal
	// understand reads what the request asks for, act does it, reply writes what came of it.
	understand, act map[spec.Operation]func(*call) *refusal
	reply           map[spec.Operation]func(*call) answer

	// credential reads the token from the request; account finds whose it is, nil for nobody's.
	credential func(*http.Request) (token string, failed *refusal)
	account    func(s *Service, token string) *account

	// plan is what is enforced of a key's plan, options how it is counted.
	plan    func(spec.Plan) spec.Plan
	options limiter.Options
	// allowance is whose allowance a request counts against, take counts it.
	allowance func(*call) *limiter.Allowance
	take      func(*call) limiter.Decision
	// anonymous is what the headers say when nobody's key came.
	anonymous func(*call) limiter.Decision
	rate      rateHeaders

	// skew is how far the service's clock is ahead, in whatever it says about time.
	skew time.Duration

	// createPet's parts: the body, its members, what is kept of them and under which id.
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
	// assign makes the id of the n-th animal of the store; for those that are there from the start the call is nil.
	assign func(c *call, p spec.NewPet, n uint64) int64
	add    func(*call, spec.NewPet) (spec.Pet, error)

	// listPets' parts: its parameters, the animals that it finds.
	limit        func(value string, given bool) (int, *refusal)
	statusFilter func(value string) (spec.PetStatus, *refusal)
	find         func(*call, filter) ([]spec.Pet, error)
	listOrder    store.Order

	// getPet's parts; removed says whether the operation is gone.
	removed    func(now time.Time) bool
	parsePetID func(string) (int64, *refusal)
	load       func(*call, int64) (spec.Pet, bool, error)
	sunset     func(*call)

	// What is shown of animals by each operation, and how it is written.
	listed  func(*call, []spec.Pet) []spec.Pet
	created func(*call, spec.Pet) spec.Pet
	fetched func(*call, spec.Pet) spec.Pet
	pet     map[spec.Operation]petWriter
	list    func(dst []byte, c *call, pets []spec.Pet) []byte
	failure func(dst []byte, c *call, e spec.Error) []byte
	orders  func(*call) answer

	// around wraps the whole of answering, the first one innermost; write sends the answer.
	around []func(handler) handler
	write  func(*call, answer)

	// seed is how many animals are there from the start, seedPet what they are.
	seed    int
	seedPet func(i int) spec.NewPet
}

// handler answers a call.
type handler func(*call) answer

// petWriter appends an animal as JSON.
type petWriter func(dst []byte, p spec.Pet) []byte

// step is one of the four steps of an operation before its reply.
type step int

const (
	authenticate step = iota
	admit
	understand
	act
)

// usual is the order that the interface asks for: the key before anything else.
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
