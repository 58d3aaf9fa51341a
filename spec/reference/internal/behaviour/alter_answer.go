package behaviour

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/strictjson"
)

// When selects answers.
type When func(c *Call, a *Answer) bool

var (
	Always    When = func(*Call, *Answer) bool { return true }
	Succeeded When = func(_ *Call, a *Answer) bool { return a.Status < 300 }
	// Failed selects the error responses of the four operations. The interface says little about other paths.
	Failed When = func(c *Call, a *Answer) bool { return a.Status >= 400 && c.Operation != spec.Elsewhere }
	// OfOperations selects every answer of the four operations.
	OfOperations When = func(c *Call, _ *Answer) bool { return c.Operation != spec.Elsewhere }
	// Shown selects the answers that show animals, and Read those that show them after the creation.
	Shown          = On(spec.ListPets, spec.CreatePet, spec.GetPet).And(Succeeded)
	Read           = On(spec.ListPets, spec.GetPet).And(Succeeded)
	Lists          = On(spec.ListPets).And(Succeeded)
	Created        = Having(http.StatusCreated)
	Fetched        = On(spec.GetPet).And(Succeeded)
	EmptyList When = func(c *Call, a *Answer) bool { return c.Operation == spec.ListPets && string(a.Body) == "[]" }
	Filtered  When = func(c *Call, _ *Answer) bool { return c.Operation == spec.ListPets && c.Filter.Status != "" }
)

// On selects the answers of those operations.
func On(ops ...spec.Operation) When {
	return func(c *Call, _ *Answer) bool { return slices.Contains(ops, c.Operation) }
}

// Having selects the answers with one of those statuses.
func Having(statuses ...int) When {
	return func(_ *Call, a *Answer) bool { return slices.Contains(statuses, a.Status) }
}

// Refusing selects the answers that are refused for one of those reasons; with none, for any.
func Refusing(codes ...string) When {
	return func(c *Call, _ *Answer) bool {
		return c.Refused != nil && (len(codes) == 0 || slices.Contains(codes, c.Refused.Code))
	}
}

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

// If selects, of those answers, the ones to a call for which is returns true.
func (w When) If(is func(c *Call) bool) When {
	return func(c *Call, a *Answer) bool { return w(c, a) && is(c) }
}

// Then changes the selected answers just before they are written.
func (w When) Then(changes ...func(c *Call, a *Answer)) Change {
	return Around(func(c *Call, next Handler) Answer {
		a := next(c)
		if w(c, &a) {
			for _, change := range changes {
				change(c, &a)
			}
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

// Together makes several changes, one after the other.
func Together(changes ...Change) Change {
	return func(b *Behaviour) {
		for _, change := range changes {
			change(b)
		}
	}
}

// The changes of an answer.

// Declared sets the media type; "" removes it.
func Declared(mediaType string) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) { a.MediaType = mediaType }
}

// Rewritten changes the body.
func Rewritten(change func(body []byte) []byte) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) { a.Body = change(a.Body) }
}

// Saying replaces the body.
func Saying(body string) func(*Call, *Answer) {
	return Rewritten(func([]byte) []byte { return []byte(body) })
}

// Substituted replaces every old by by in the body.
func Substituted(old, by string) func(*Call, *Answer) {
	return Rewritten(func(body []byte) []byte { return bytes.ReplaceAll(body, []byte(old), []byte(by)) })
}

// Surrounded puts text before and after the body.
func Surrounded(before, after string) func(*Call, *Answer) {
	return Rewritten(func(body []byte) []byte { return slices.Concat([]byte(before), body, []byte(after)) })
}

func Answering(status int) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) { a.Status = status }
}

func Replaced(status int, mediaType, body string) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) { *a = Answer{status, mediaType, []byte(body)} }
}

// WithStatus sets the status, of the answer and of its Error.
func WithStatus(status int) func(*Call, *Answer) {
	return func(_ *Call, a *Answer) {
		if a.Status = status; status >= 400 {
			a.Body = errorJSON(Refused(status, "refused", http.StatusText(status)))
		}
	}
}

// RefusedAs writes an Error in place of the answer.
func RefusedAs(r *Refusal) func(*Call, *Answer) {
	return func(c *Call, a *Answer) { *a = c.Service.Refuse(c, r) }
}

// Abort closes the connection without an answer.
func Abort(*Call, *Answer) { panic(http.ErrAbortHandler) }

// Header sets a header, whose name is in net/http's form.
func Header(name, value string) func(*Call, *Answer) {
	return func(c *Call, _ *Answer) { c.SetHeader(name, value) }
}

// Lacking removes headers, whose names are in net/http's form.
func Lacking(headers ...string) func(*Call, *Answer) {
	return func(c *Call, _ *Answer) {
		for _, name := range headers {
			delete(c.Header, name)
		}
	}
}

// Figure writes a header of the rate limits from the decision; "" leaves the header out.
func Figure(header string, write func(c *Call, d limiter.Decision) string) Change {
	has := When(func(c *Call, a *Answer) bool {
		return c.Header[header] != nil && (header != RetryAfterHeader || a.Status == http.StatusTooManyRequests)
	})
	return has.Then(Lacking(header), func(c *Call, _ *Answer) { c.SetHeader(header, write(c, c.Decision)) })
}

// Edit edits the object in the selected answers, or each object of a listing.
func (w When) Edit(edits ...Edit) Change {
	return w.Then(Rewritten(func(body []byte) []byte {
		if v, err := strictjson.Parse(body); err == nil {
			return editValue(v, Edits(edits...))
		}
		return body
	}))
}

// Member changes the JSON of one member.
func (w When) Member(name string, change func(value string) string) Change {
	return w.Edit(Changed(name, change))
}

// Text changes the string in a member's JSON, and Int the number.
func Text(change func(string) string) func(value string) string {
	return func(value string) string {
		v, err := strictjson.Parse([]byte(value))
		if err != nil || v.Kind != strictjson.String {
			return value
		}
		return Quoted(change(v.Text))
	}
}

func Int(change func(int64) int64) func(value string) string {
	return func(value string) string { return Whole(change(WholeOf(value))) }
}

// WholeOf is the number in a member's JSON.
func WholeOf(value string) int64 {
	n, _ := strconv.ParseInt(value, 10, 64)
	return n
}

// Within puts text around a value.
func Within(before, after string) func(value string) string {
	return func(value string) string { return before + value + after }
}

// Instead returns to for from, and every other value as it is.
func Instead[T comparable](from, to T) func(T) T {
	return func(v T) T {
		if v == from {
			return to
		}
		return v
	}
}

func Constant[T any](v T) func(T) T { return func(T) T { return v } }
