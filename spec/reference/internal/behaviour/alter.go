package behaviour

import (
	"bytes"
	"net/http"
	"slices"
	"sync/atomic"

	"petconform/spec"
)

// Change makes the service deviate from the interface, or use what that leaves open.
type Change func(*Behaviour)

// When selects answers.
type When func(c *Call, a *Answer) bool

var (
	Always    When = func(*Call, *Answer) bool { return true }
	Succeeded When = func(_ *Call, a *Answer) bool { return a.Status < 300 }
	// Failed selects the error responses of the four operations. The interface says little about other paths.
	Failed When = func(c *Call, a *Answer) bool { return a.Status >= 400 && c.Operation != spec.Elsewhere }
	// OfOperations selects every answer of the four operations.
	OfOperations When = func(c *Call, _ *Answer) bool { return c.Operation != spec.Elsewhere }
	Lists             = On(spec.ListPets).And(Succeeded)
	EmptyList    When = func(c *Call, a *Answer) bool { return c.Operation == spec.ListPets && string(a.Body) == "[]" }
	Filtered     When = func(c *Call, _ *Answer) bool { return c.Operation == spec.ListPets && c.Filter.Status != "" }
)

// On selects the answers of those operations.
func On(ops ...spec.Operation) When {
	return func(c *Call, _ *Answer) bool { return slices.Contains(ops, c.Operation) }
}

// Having selects the answers with one of those statuses.
func Having(statuses ...int) When {
	return func(_ *Call, a *Answer) bool { return slices.Contains(statuses, a.Status) }
}

// Calls selects the answers to the calls for which is returns true.
func Calls(is func(c *Call) bool) When { return func(c *Call, _ *Answer) bool { return is(c) } }

// Every selects each nth answer of a service that it is asked about.
func Every(n int64) When {
	key := new(byte)
	return func(c *Call, _ *Answer) bool { return Kept[atomic.Int64](c.Service, key).Add(1)%n == 0 }
}

// Kept is what a change keeps of a service under a key of its own: the tables are there once for all services.
func Kept[T any](b *Behaviour, key *byte) *T {
	kept, _ := b.kept.LoadOrStore(key, new(T))
	return kept.(*T)
}

// And selects the answers that both select.
func (w When) And(also When) When {
	return func(c *Call, a *Answer) bool { return w(c, a) && also(c, a) }
}

// Then changes the selected answers just before they are written.
func (w When) Then(change func(c *Call, a *Answer)) Change {
	return Around(func(c *Call, next Handler) Answer {
		a := next(c)
		if w(c, &a) {
			change(c, &a)
		}
		return a
	})
}

// Around answers a call in place of the handler.
func Around(reply func(c *Call, next Handler) Answer) Change {
	return func(b *Behaviour) {
		b.around = append(b.around, func(next Handler) Handler {
			return func(c *Call) Answer { return reply(c, next) }
		})
	}
}

// all makes several changes, one after the other.
func all(changes ...Change) Change {
	return func(b *Behaviour) {
		for _, change := range changes {
			change(b)
		}
	}
}

// inTurn lets the changes of a service run one at a time, until done is called.
func (b *Behaviour) inTurn() (done func()) {
	b.turn.Lock()
	return b.turn.Unlock
}

// After changes the outcome of a step.
func After(step Step, change func(c *Call, refused *Refusal) *Refusal) Step {
	return func(c *Call) *Refusal { return change(c, step(c)) }
}

// The changes of an answer.

// Declared sets the media type; "" removes it.
func Declared(mediaType string) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) { a.MediaType = mediaType }
}

func Answering(status int) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) { a.Status = status }
}

func Saying(body string) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) { a.Body = []byte(body) }
}

// Rewritten changes the body.
func Rewritten(change func(body []byte) []byte) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) { a.Body = change(a.Body) }
}

// Substituted replaces every old by by in the body.
func Substituted(old, by string) func(*Call, *Answer) {
	return Rewritten(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte(old), []byte(by)) })
}

// Surrounded puts text before and after the body.
func Surrounded(before, after string) func(*Call, *Answer) {
	return Rewritten(func(body []byte) []byte { return slices.Concat([]byte(before), body, []byte(after)) })
}

func Replaced(status int, mediaType, body string) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) { *a = Answer{status, mediaType, []byte(body)} }
}

// Redirected answers with a Location, which is made from the call.
func Redirected(status int, location func(c *Call) string) func(*Call, *Answer) {
	return func(c *Call, a *Answer) {
		c.Header.Set("Location", location(c))
		*a = Answer{Status: status}
	}
}

// WithStatus sets the status, of the answer and of its Error.
func WithStatus(status int) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) {
		a.Status = status
		if status >= 400 {
			a.Body = Encode(errorFields(spec.Error{Code: "refused", Message: http.StatusText(status), Status: status}))
		}
	}
}

// Abort closes the connection without an answer.
func Abort(*Call, *Answer) { panic(http.ErrAbortHandler) }

// Lacking removes headers, whose names are in net/http's form.
func Lacking(headers ...string) func(*Call, *Answer) {
	return func(c *Call, _ *Answer) {
		for _, name := range headers {
			delete(c.Header, name)
		}
	}
}

// Created changes the answer to a creation.
func Created(change func(*Call, *Answer)) Change {
	return Having(201).Then(change)
}

func PetPath(c *Call) string { return c.Request.URL.Path + "/" + Whole(c.Pet.ID) }

// Unauthenticated changes what becomes of a request that is refused for its key; nil lets it through.
func Unauthenticated(change func(b *Behaviour, c *Call, refused *Refusal) *Refusal) Change {
	return func(b *Behaviour) {
		b.Authenticate = After(b.Authenticate, func(c *Call, refused *Refusal) *Refusal {
			if refused == nil {
				return nil
			}
			return change(b, c, refused)
		})
	}
}
