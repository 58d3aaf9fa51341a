package reference

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"petconform/spec"
	"petconform/spec/reference/store"
)

// start makes the service ready to answer. An empty store gets its first animals.
func (b *behaviour) start(s store.Store) error {
	b.store, b.nobody, b.answers = s, b.newAllowance(spec.Free), b.recovered
	for _, wrap := range b.around {
		b.answers = wrap(b.answers)
	}
	n, err := s.Len()
	if err != nil || n > 0 {
		return err
	}
	for i := range b.seed {
		pet := b.seedPet(i)
		if _, err := s.Add(pet, func(n uint64) int64 { return b.assign(nil, pet, n) }); err != nil {
			return fmt.Errorf("animal %d of %d could not be stored: %w", i+1, b.seed, err)
		}
	}
	return nil
}

// ServeHTTP answers one request.
func (b *behaviour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{service: b, writer: w, request: r, header: w.Header(), now: b.now()}
	b.route(c)
	a := b.answers(c)
	for _, change := range b.lastly {
		change(c, &a)
	}
	b.write(c, a)
	if b.logger != nil {
		b.log(c, a)
	}
}

// recovered turns a panic into a 500. It passes http.ErrAbortHandler on, which closes the connection.
func (b *behaviour) recovered(c *call) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			b.complain(c, "the handler panicked", slog.Any("panic", p))
			a = b.finish(c, b.refuse(c, internal()))
		}
	}()
	return b.finish(c, b.run(c))
}

func (b *behaviour) log(c *call, a answer) {
	key := ""
	if c.account != nil {
		key = c.account.name
	}
	b.logger.LogAttrs(context.Background(), slog.LevelInfo, "request",
		slog.String("operation", string(c.operation)), slog.String("method", c.request.Method),
		slog.Int("status", a.status), slog.String("key", key), slog.Int64("remaining", c.decision.Remaining),
		slog.Int("bytes", len(a.body)), slog.Duration("took", b.now().Sub(c.now)))
}

// complain logs an internal error.
func (b *behaviour) complain(c *call, what string, attr slog.Attr) {
	if b.logger != nil {
		b.logger.LogAttrs(context.Background(), slog.LevelError, what,
			slog.String("operation", string(c.operation)), attr)
	}
}
