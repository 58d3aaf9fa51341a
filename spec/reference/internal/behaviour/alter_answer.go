package behaviour

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// When selects calls: by what was sent, or once there is one, by their answer.
type When func(c *Call) bool

var (
	Always    When = func(*Call) bool { return true }
	Succeeded When = func(c *Call) bool { return c.Answer.Status < 300 }
	// Failed selects the error responses of the four operations. The interface says little about other paths.
	Failed = OfOperations.And(func(c *Call) bool { return c.Answer.Status >= 400 })
	// OfOperations selects the calls of the four operations.
	OfOperations            When = func(c *Call) bool { return c.Operation != spec.Elsewhere }
	OnList, OnCreate, OnGet      = On(spec.ListPets), On(spec.CreatePet), On(spec.GetPet)
	// Shown selects the answers that show animals, and Read those that show them after the creation.
	Shown     = On(spec.ListPets, spec.CreatePet, spec.GetPet).And(Succeeded)
	Read      = On(spec.ListPets, spec.GetPet).And(Succeeded)
	Lists     = OnList.And(Succeeded)
	Created   = OnCreate.Of(http.StatusCreated)
	Fetched   = OnGet.And(Succeeded)
	EmptyList = OnList.And(func(c *Call) bool { return string(c.Answer.Body) == "[]" })
	Filtered  = OnList.And(func(c *Call) bool { return c.Filter.Status != "" })
	// Keyed selects the calls that carry a valid key.
	Keyed When = func(c *Call) bool { return c.Service.account(c) != nil }
)

// On selects the calls of those operations.
func On(ops ...spec.Operation) When {
	return func(c *Call) bool { return slices.Contains(ops, c.Operation) }
}

// Of selects, of those calls, the ones that are answered with one of those statuses.
func (w When) Of(statuses ...int) When {
	return w.And(func(c *Call) bool { return slices.Contains(statuses, c.Answer.Status) })
}

// Refusing selects the calls that are refused for one of those reasons.
func Refusing(codes ...string) When {
	return func(c *Call) bool { return c.Refused != nil && slices.Contains(codes, c.Refused.Code) }
}

// Every selects each nth call of a service that it is asked about.
func Every(n int64) When {
	var calls atomic.Int64
	return func(*Call) bool { return calls.Add(1)%n == 0 }
}

// And selects the calls that all of them select, asked in that order, and Not those that w does not.
func (w When) And(also ...When) When {
	return func(c *Call) bool {
		return w(c) && !slices.ContainsFunc(also, func(w When) bool { return !w(c) })
	}
}

func (w When) Not() When { return func(c *Call) bool { return !w(c) } }

// Then changes the selected answers just before they are written.
func (w When) Then(changes ...func(c *Call, a *Answer)) Change {
	return Around(func(c *Call, next Handler) Answer {
		a := next(c)
		if c.Answer = &a; w(c) {
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
func RefusedAs(status int, code, message string) func(*Call, *Answer) {
	return func(c *Call, a *Answer) { *a = c.Service.Refuse(c, Refused(status, code, message)) }
}

// Abort closes the connection without an answer.
func Abort(*Call, *Answer) { panic(http.ErrAbortHandler) }

// Header sets a header, whose name is in net/http's form. Making makes its value for each answer.
func Header(name, value string) func(*Call, *Answer) {
	return Making(name, func(*Call) string { return value })
}

func Making(name string, value func(c *Call) string) func(*Call, *Answer) {
	return func(c *Call, _ *Answer) { c.SetHeader(name, value(c)) }
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
func Figure(header string, write func(c *Call, d Decision) string) Change {
	has := When(func(c *Call) bool {
		return c.Header[header] != nil && (header != RetryAfterHeader || c.Answer.Status == http.StatusTooManyRequests)
	})
	return has.Then(Lacking(header), Making(header, func(c *Call) string { return write(c, c.Decision) }))
}

// Edit edits the object in the selected answers, or each object of a listing.
func (w When) Edit(edits ...Edit) Change {
	return w.Then(Rewritten(func(body []byte) []byte { return edited(body, edits) }))
}

// Member changes the JSON of one member.
func (w When) Member(name string, change func(value string) string) Change {
	return w.Edit(Changed(name, change))
}

// Text changes the string in a member's JSON, and Int the number.
func Text(change func(string) string) func(value string) string {
	return func(value string) string {
		v, err := strictjson.Parse([]byte(value))
		if err != nil || v.Kind != '"' {
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
