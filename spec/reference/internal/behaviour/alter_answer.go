package behaviour

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"petconform/spec/strictjson"
)

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
	return func(value string) string {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return value
		}
		return Whole(change(n))
	}
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
