package behaviour

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// Start makes the service ready to answer. An empty store gets its first animals.
func (b *Behaviour) Start(s store.Store) error {
	b.Store, b.Nobody, b.answers = s, b.newAllowance(spec.Free), b.recovered
	for _, wrap := range b.around {
		b.answers = wrap(b.answers)
	}
	n, err := s.Len()
	if err != nil || n > 0 {
		return err
	}
	for i := range b.Seed {
		pet := b.seedPet(i)
		if _, err := s.Add(pet, func(n uint64) int64 { return b.Assign(nil, pet, n) }); err != nil {
			return fmt.Errorf("animal %d of %d could not be stored: %w", i+1, b.Seed, err)
		}
	}
	return nil
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
			b.complain(c, "the handler panicked", slog.Any("panic", p))
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

// complain logs an internal error.
func (b *Behaviour) complain(c *Call, what string, attr slog.Attr) {
	if b.Logger != nil {
		b.Logger.LogAttrs(context.Background(), slog.LevelError, what,
			slog.String("operation", string(c.Operation)), attr)
	}
}
