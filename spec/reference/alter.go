package reference

import (
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"

	"petconform/spec"
)

// when says which answers are meant.
type when func(c *call, a *answer) bool

// always means every answer.
func always(*call, *answer) bool { return true }

// on means the answers of those operations.
func on(ops ...spec.Operation) when {
	return func(c *call, _ *answer) bool { return slices.Contains(ops, c.operation) }
}

// having means the answers with one of those statuses.
func having(statuses ...int) when {
	return func(_ *call, a *answer) bool { return slices.Contains(statuses, a.status) }
}

// failed means every error response of an operation, succeeded every other one. What is no operation is left alone:
// the interface binds it to little.
func failed(c *call, a *answer) bool { return a.status >= 400 && c.operation != spec.Elsewhere }

func succeeded(_ *call, a *answer) bool { return a.status < 300 }

// and means the answers that both mean.
func (w when) and(also when) when {
	return func(c *call, a *answer) bool { return w(c, a) && also(c, a) }
}

// every means each nth of the answers that it is asked about. It counts, so it is made anew for each service.
func every(n int64) when {
	var asked atomic.Int64
	return func(*call, *answer) bool { return asked.Add(1)%n == 0 }
}

// alter changes the answers that w means, as the last thing before they are written.
func (b *behaviour) alter(w when, change func(c *call, a *answer)) {
	b.around = append(b.around, func(next handler) handler {
		return func(c *call) answer {
			a := next(c)
			if w(c, &a) {
				change(c, &a)
			}
			return a
		}
	})
}

// declared gives an answer another media type, none when it is empty.
func declared(mediaType string) func(*call, *answer) {
	return func(_ *call, a *answer) { a.mediaType = mediaType }
}

// saying gives an answer another body.
func saying(body string) func(*call, *answer) {
	return func(_ *call, a *answer) { a.body = []byte(body) }
}

// replaced gives another answer altogether.
func replaced(status int, mediaType, body string) func(*call, *answer) {
	return func(_ *call, a *answer) { *a = answer{status, mediaType, []byte(body)} }
}

// withStatus gives an answer another status, and its Error the same one.
func withStatus(status int) func(*call, *answer) {
	return func(c *call, a *answer) {
		a.status = status
		if status >= 400 {
			a.body = appendError(nil, c, spec.Error{Code: "refused", Message: http.StatusText(status), Status: status})
		}
	}
}

// surrounded puts text before and after a body.
func surrounded(before, after string) func(*call, *answer) {
	return func(_ *call, a *answer) { a.body = slices.Concat([]byte(before), a.body, []byte(after)) }
}

// abort ends the connection without an answer.
func abort(*call, *answer) { panic(http.ErrAbortHandler) }

// field is a member of an object in an answer, its value as JSON.
type field struct{ name, value string }

func appendFields(dst []byte, fields []field) []byte {
	dst = append(dst, '{')
	for i, f := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(strconv.AppendQuote(dst, f.name), ':')
		dst = append(dst, f.value...)
	}
	return append(dst, '}')
}

// without leaves out a member.
func without(fields []field, name string) []field {
	return slices.DeleteFunc(fields, func(f field) bool { return f.name == name })
}

// valued gives a member another value, if it is there.
func valued(fields []field, name, value string) []field {
	for i := range fields {
		if fields[i].name == name {
			fields[i].value = value
		}
	}
	return fields
}

// renamed gives a member another name.
func renamed(fields []field, from, to string) []field {
	for i := range fields {
		if fields[i].name == from {
			fields[i].name = to
		}
	}
	return fields
}
