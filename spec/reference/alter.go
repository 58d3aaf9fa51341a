package reference

import (
	"bytes"
	"net/http"
	"slices"
	"sync/atomic"

	"petconform/spec"
)

// when selects answers.
type when func(c *call, a *answer) bool

var (
	always    when = func(*call, *answer) bool { return true }
	succeeded when = func(_ *call, a *answer) bool { return a.status < 300 }
	// failed selects the error responses of the four operations. The interface says little about other paths.
	failed when = func(c *call, a *answer) bool { return a.status >= 400 && c.operation != spec.Elsewhere }
	// ofOperations selects every answer of the four operations.
	ofOperations when = func(c *call, _ *answer) bool { return c.operation != spec.Elsewhere }
	lists             = on(spec.ListPets).and(succeeded)
	emptyList    when = func(c *call, a *answer) bool { return c.operation == spec.ListPets && string(a.body) == "[]" }
	filtered     when = func(c *call, _ *answer) bool { return c.operation == spec.ListPets && c.filter.status != "" }
)

// on selects the answers of those operations.
func on(ops ...spec.Operation) when {
	return func(c *call, _ *answer) bool { return slices.Contains(ops, c.operation) }
}

// having selects the answers with one of those statuses.
func having(statuses ...int) when {
	return func(_ *call, a *answer) bool { return slices.Contains(statuses, a.status) }
}

// calls selects the answers to the calls for which is returns true.
func calls(is func(c *call) bool) when { return func(c *call, _ *answer) bool { return is(c) } }

// every selects each nth answer of a service that it is asked about.
func every(n int64) when {
	key := new(byte)
	return func(c *call, _ *answer) bool {
		count, _ := c.service.counts.LoadOrStore(key, new(atomic.Int64))
		return count.(*atomic.Int64).Add(1)%n == 0
	}
}

// and selects the answers that both select.
func (w when) and(also when) when {
	return func(c *call, a *answer) bool { return w(c, a) && also(c, a) }
}

// then changes the selected answers just before they are written.
func (w when) then(change func(c *call, a *answer)) func(*behaviour) {
	return around(func(c *call, next handler) answer {
		a := next(c)
		if w(c, &a) {
			change(c, &a)
		}
		return a
	})
}

// around answers a call in place of the handler.
func around(reply func(c *call, next handler) answer) func(*behaviour) {
	return func(b *behaviour) {
		b.around = append(b.around, func(next handler) handler { return func(c *call) answer { return reply(c, next) } })
	}
}

// all makes several changes, one after the other.
func all(changes ...func(*behaviour)) func(*behaviour) {
	return func(b *behaviour) {
		for _, change := range changes {
			change(b)
		}
	}
}

// after changes the outcome of a step.
func after(step func(*call) *refusal, change func(c *call, refused *refusal) *refusal) func(*call) *refusal {
	return func(c *call) *refusal { return change(c, step(c)) }
}

// The changes of an answer.

// declared sets the media type; "" removes it.
func declared(mediaType string) func(*call, *answer) {
	return func(_ *call, a *answer) { a.mediaType = mediaType }
}

func answering(status int) func(*call, *answer) {
	return func(_ *call, a *answer) { a.status = status }
}

func saying(body string) func(*call, *answer) {
	return func(_ *call, a *answer) { a.body = []byte(body) }
}

// rewritten changes the body.
func rewritten(change func(body []byte) []byte) func(*call, *answer) {
	return func(_ *call, a *answer) { a.body = change(a.body) }
}

// substituted replaces every old by by in the body.
func substituted(old, by string) func(*call, *answer) {
	return rewritten(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte(old), []byte(by)) })
}

// surrounded puts text before and after the body.
func surrounded(before, after string) func(*call, *answer) {
	return rewritten(func(body []byte) []byte { return slices.Concat([]byte(before), body, []byte(after)) })
}

func replaced(status int, mediaType, body string) func(*call, *answer) {
	return func(_ *call, a *answer) { *a = answer{status, mediaType, []byte(body)} }
}

// redirected answers with a Location, which is made from the call.
func redirected(status int, location func(c *call) string) func(*call, *answer) {
	return func(c *call, a *answer) {
		c.header.Set("Location", location(c))
		*a = answer{status: status}
	}
}

// withStatus sets the status, of the answer and of its Error.
func withStatus(status int) func(*call, *answer) {
	return func(c *call, a *answer) {
		a.status = status
		if status >= 400 {
			a.body = encode(errorFields(spec.Error{Code: "refused", Message: http.StatusText(status), Status: status}))
		}
	}
}

// abort closes the connection without an answer.
func abort(*call, *answer) { panic(http.ErrAbortHandler) }

// lacking removes headers, whose names are in net/http's form.
func lacking(headers ...string) func(*call, *answer) {
	return func(c *call, _ *answer) {
		for _, name := range headers {
			delete(c.header, name)
		}
	}
}

// created changes the answer to a creation.
func created(change func(*call, *answer)) func(*behaviour) {
	return having(201).then(change)
}

func petPath(c *call) string { return c.request.URL.Path + "/" + whole(c.pet.ID) }

// unauthenticated changes what becomes of a request that is refused for its key; nil lets it through.
func unauthenticated(change func(b *behaviour, c *call, refused *refusal) *refusal) func(*behaviour) {
	return func(b *behaviour) {
		b.authenticate = after(b.authenticate, func(c *call, refused *refusal) *refusal {
			if refused == nil {
				return nil
			}
			return change(b, c, refused)
		})
	}
}
