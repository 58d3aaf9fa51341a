package behaviour

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// Start makes the service ready to answer. An empty store gets its first animals.
func (b *Behaviour) Start(s *store.Store) {
	b.Store, b.Nobody, b.answers = s, b.newAllowance(spec.Free), b.recovered
	for _, wrap := range b.around {
		b.answers = wrap(b.answers)
	}
	if s.Len() > 0 {
		return
	}
	for i := range b.Seed {
		pet := b.seedPet(i)
		s.Add(pet, func(n uint64) int64 { return b.Assign(nil, pet, n) })
	}
}

// ServeHTTP answers one request.
func (b *Behaviour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &Call{Service: b, Writer: w, Request: r, Header: w.Header(), Now: b.Now()}
	b.Route(c)
	a := b.answers(c)
	for _, change := range b.Lastly {
		change(c, &a)
	}
	b.Write(c, a)
	if b.Logger != nil {
		b.log(c, a)
	}
}

// recovered turns a panic into a 500. It passes http.ErrAbortHandler on, which closes the connection.
func (b *Behaviour) recovered(c *Call) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			b.logPanic(c, p)
			a = b.finish(c, b.Refuse(c, Internal()))
		}
	}()
	return b.finish(c, b.run(c))
}

func (b *Behaviour) log(c *Call, a Answer) {
	key := ""
	if c.Account != nil {
		key = c.Account.name
	}
	b.Logger.LogAttrs(context.Background(), slog.LevelInfo, "request",
		slog.String("operation", string(c.Operation)), slog.String("method", c.Request.Method),
		slog.Int("status", a.Status), slog.String("key", key), slog.Int64("remaining", c.Decision.Remaining),
		slog.Int("bytes", len(a.Body)), slog.Duration("took", b.Now().Sub(c.Now)))
}

// logPanic logs what the handler panicked with.
func (b *Behaviour) logPanic(c *Call, p any) {
	if b.Logger != nil {
		b.Logger.LogAttrs(context.Background(), slog.LevelError, "the handler panicked",
			slog.String("operation", string(c.Operation)), slog.Any("panic", p))
	}
}
