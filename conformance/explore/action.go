package explore

import (
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
)

// kind is what an action does.
type kind string

const (
	create     kind = "create"
	again      kind = "create-again"  // the same bytes as an earlier creation
	wrong      kind = "create-wrong"  // a body that must be refused
	openBody   kind = "create-open"   // a body whose acceptance is open
	typed      kind = "create-typed"  // a valid body of another media type
	list       kind = "list"          // a listing that must succeed
	listJust   kind = "list-just-all" // a limit equal to the number of animals
	listOpen   kind = "list-open"     // a listing whose answer is open
	get        kind = "get"           // an animal of this sequence
	getOlder   kind = "get-older"     // an animal of the run
	getThat    kind = "get-that"      // an animal of the run, by its id
	getEarly   kind = "get-early"     // an id that a later creation may get
	getUnknown kind = "get-unknown"   // an int64 without an animal
	getNoInt64 kind = "get-no-int64"  // a petId that is not an int64
	unkeyed    kind = "without-valid-key"
)

// action is one request of a sequence. It refers to animals by their place, because the target assigns the ids.
type action struct {
	kind kind
	// name and form are indexes into names and forms, for a valid body. category is nil for the run's own.
	name, form int
	category   *int64
	status     spec.PetStatus
	// text is the template of a body, a query or a petId, depending on the kind.
	text string
	// back selects an earlier animal; 0 is the last one.
	back int
	auth exchange.Auth
	// operation is what a request without a valid key calls.
	operation spec.Operation
	// beside says that the request is sent at the same time as the one before.
	beside bool
}

// creates reports whether the action may create an animal, on a correct target or not.
func (a action) creates() bool {
	switch a.kind {
	case create, again, wrong, openBody, typed:
		return true
	case unkeyed:
		return a.operation == spec.CreatePet
	}
	return false
}

// simpler returns the actions that may replace a when a sequence is shrunk, simplest first.
func (a action) simpler() []action {
	var out []action
	try := func(change func(*action)) {
		b := a
		change(&b)
		if b != a {
			out = append(out, b)
		}
	}
	if a.kind == create {
		try(func(b *action) { *b = action{kind: create, status: spec.Available} })
		try(func(b *action) { b.name = 0 })
		try(func(b *action) { b.form = 0 })
		try(func(b *action) { b.category = nil })
		try(func(b *action) { b.status = spec.Available })
	}
	if a.kind == again && a.category != nil {
		try(func(b *action) { *b = action{kind: create, category: a.category, status: spec.Available} })
	}
	if a.kind == list {
		try(func(b *action) { b.text = "" })
		try(func(b *action) { b.text = "limit=100" })
		if limit, _, both := strings.Cut(a.text, "&"); both {
			try(func(b *action) { b.text = limit })
		}
	}
	try(func(b *action) { b.beside = false })
	try(func(b *action) { b.back = 0 })
	return out
}
