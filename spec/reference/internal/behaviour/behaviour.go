// Package behaviour is the reference service as one value. Plain keeps the interface. A Change alters it in one of four
// places: the request before it is read, the decision of the limiter, the store, or the answer before it is written.
// The files alter_….go have the changes that the tables of deviations and freedoms are made of. Those tables import
// this package with a dot, as tests do a package of matchers. They are made anew for each service, so that a change may
// keep what it knows of earlier calls in variables.
package behaviour

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
)

// Behaviour is the service with the functions that a deviation or a freedom may replace.
type Behaviour struct {
	// Now is the service's clock, and AsOf the day on which getPet is there or removed; zero is that of the clock.
	Now     func() time.Time
	AsOf    time.Time
	Logger  *slog.Logger // Logger gets a line for each request, without the key; nil logs nothing
	MaxBody int64        // the largest body of a request, in bytes

	Accounts []*Account
	// Nobody is the allowance that the headers show without a valid key. It is not spent, except by some freedoms.
	Nobody *limiter.Allowance
	Store  *store.Store
	// turn is held while animals are stored and found, and by Judged: what such changes know of earlier calls needs no
	// lock of its own.
	turn sync.Mutex

	// bodies alter the body of createPet before it is parsed. checks may refuse a request that was read.
	bodies []func(body []byte) []byte
	checks []Step

	// plan makes the limits that are enforced of a key's plan; Options say how requests are counted.
	plan    func(*spec.Plan)
	Options limiter.Options
	// Allowance returns the allowance that a request counts against; Take counts it.
	Allowance func(*Call) *limiter.Allowance
	Take      func(*Call) Decision

	// Add stores an animal under the id that Assign returns for the n-th animal of the store; the call is nil for
	// animals that are there from the start. Find reads the store for listPets.
	Add     func(*Call, spec.NewPet) spec.Pet
	Assign  func(c *Call, n uint64) int64
	Find    func(*Call, store.Query) []spec.Pet
	Seed    int                     // the number of animals in a new store
	SeedPet func(i int) spec.NewPet // the i-th of them

	// around wraps the handler, the first one innermost; answers is the result. Lastly changes an answer after that, and
	// Write sends it.
	around  []func(Handler) Handler
	answers Handler
	Lastly  []func(*Call, *Answer)
	Write   func(*Call, Answer)
}

// Step is a part of an operation. It may refuse the call.
type Step func(*Call) *Refusal

// Handler answers a call.
type Handler func(*Call) Answer

// Change makes the service deviate from the interface, or use what that leaves open.
type Change func(*Behaviour)

// Plain is the service without deviations and freedoms.
func Plain() *Behaviour {
	b := &Behaviour{
		plan:      func(*spec.Plan) {},
		Allowance: func(c *Call) *limiter.Allowance { return c.Account.Allowance },
		Assign:    func(_ *Call, n uint64) int64 { return store.Sequential(n) },
		Find:      func(c *Call, q store.Query) []spec.Pet { return c.Service.Store.List(q) },
		SeedPet:   PlainSeed,
		Write:     writeAnswer,
	}
	b.Take = func(c *Call) Decision {
		d := b.Allowance(c).Take(c.Now)
		if c.RefusedInARow = int(c.Account.refused.Add(1)); d.Allowed {
			c.RefusedInARow = 0
			c.Account.refused.Store(0)
		}
		return d
	}
	b.Add = func(c *Call, p spec.NewPet) spec.Pet {
		return c.Service.Store.Add(p, func(n uint64) int64 { return b.Assign(c, n) })
	}
	return b
}

// PlainSeed is the i-th animal of a new store.
func PlainSeed(i int) spec.NewPet {
	names := [...]string{"Ada", "Bruno", "Cleo", "Dodo", "Emil", "Fips", "Greta"}
	statuses := [...]spec.PetStatus{spec.Available, spec.Pending, spec.Sold, ""}
	return spec.NewPet{Name: names[i%len(names)], CategoryID: int64(i%5) + 1, Status: statuses[i%len(statuses)]}
}

// Account is a key with its allowance.
type Account struct {
	name      string
	Secret    string
	Plan      spec.Plan
	Allowance *limiter.Allowance
	refused   atomic.Int64 // refused counts the refusals since the last accepted request
}

// AddAccount lets a key call the service.
func (b *Behaviour) AddAccount(name, secret string, plan spec.Plan) {
	b.Accounts = append(b.Accounts, &Account{name: name, Secret: secret, Plan: plan, Allowance: b.newAllowance(plan)})
}

func (b *Behaviour) newAllowance(p spec.Plan) *limiter.Allowance {
	b.plan(&p)
	return limiter.NewAllowance(p.PerMinute, p.PerDay, b.Options)
}

// ByName returns the item with that name, or an error that suggests similar names.
func ByName[T any](what, name string, all []T, nameOf func(T) string) (none T, err error) {
	var known []string
	for _, item := range all {
		if nameOf(item) == name {
			return item, nil
		}
		known = append(known, nameOf(item))
	}
	if similar := spec.Nearest(name, known); len(similar) > 0 {
		return none, fmt.Errorf("unknown %s %q; did you mean %s?", what, name, strings.Join(similar, " or "))
	}
	return none, fmt.Errorf("unknown %s %q; petconform list %ss names them all", what, name, what)
}
