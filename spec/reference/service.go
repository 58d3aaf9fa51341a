package reference

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
)

// Service is the interface as an http.Handler.
type Service struct {
	config    Config
	behaviour *behaviour
	store     store.Store
	// accounts are keyed by a hash of the API key, so that the time of a look-up reveals nothing about the key.
	accounts map[[sha256.Size]byte]*account
	// inOrder are the accounts in the order of Config.Keys.
	inOrder []*account
	// nobody is the allowance that the headers show without a valid key. It is not spent, except by some freedoms.
	nobody  *limiter.Allowance
	answers handler
	// counts are the counters of every, each by its own key.
	counts sync.Map
}

// account is a key with its allowance.
type account struct {
	name      string
	secret    string
	plan      spec.Plan
	allowance *limiter.Allowance
}

// New makes a service. The caller must close it.
func New(cfg Config) (*Service, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	b := plain(cfg)
	if err := applyFreedoms(b, cfg.Freedoms); err != nil {
		return nil, err
	}
	if err := applyDeviations(b, cfg.Deviations); err != nil {
		return nil, err
	}
	s := &Service{config: cfg, behaviour: b, store: cfg.Store, accounts: map[[sha256.Size]byte]*account{}}
	s.openAccounts()
	s.answers = s.recovered
	for _, wrap := range b.around {
		s.answers = wrap(s.answers)
	}
	if err := s.openStore(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Service) openAccounts() {
	for _, k := range s.config.Keys {
		a := &account{name: k.Name, secret: k.Secret.Reveal(), plan: k.Plan, allowance: s.newAllowance(k.Plan)}
		s.accounts[sha256.Sum256([]byte(a.secret))] = a
		s.inOrder = append(s.inOrder, a)
	}
	s.nobody = s.newAllowance(spec.Free)
}

func (s *Service) newAllowance(p spec.Plan) *limiter.Allowance {
	p = s.behaviour.plan(p)
	return limiter.NewAllowance(p.PerMinute, p.PerDay, s.behaviour.options)
}

func (s *Service) openStore() error {
	if s.store == nil {
		s.store = store.Memory()
		if s.config.DBFile != "" {
			var err error
			if s.store, err = store.Open(s.config.DBFile); err != nil {
				return err
			}
		}
	}
	if err := s.seed(); err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

func (s *Service) seed() error {
	n, err := s.store.Len()
	if err != nil || n > 0 {
		return err
	}
	for i := range s.behaviour.seed {
		pet := s.behaviour.seedPet(i)
		assign := func(n uint64) int64 { return s.behaviour.assign(nil, pet, n) }
		if _, err := s.store.Add(pet, assign); err != nil {
			return fmt.Errorf("animal %d of %d could not be stored: %w", i+1, s.behaviour.seed, err)
		}
	}
	return nil
}

// Close closes the store, except that of Config.Store.
func (s *Service) Close() error {
	if s.config.Store != nil {
		return nil
	}
	return s.store.Close()
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{service: s, writer: w, request: r, header: w.Header(), now: s.config.Now()}
	s.behaviour.route(c)
	a := s.answers(c)
	for _, change := range s.behaviour.lastly {
		change(c, &a)
	}
	s.behaviour.write(c, a)
	if s.config.Logger != nil {
		s.log(c, a)
	}
}

// recovered turns a panic into a 500. It passes http.ErrAbortHandler on, which closes the connection.
func (s *Service) recovered(c *call) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			s.complain(c, "the handler panicked", slog.Any("panic", p))
			a = s.behaviour.finish(c, s.behaviour.refuse(c, internal()))
		}
	}()
	return s.behaviour.finish(c, s.behaviour.run(c))
}

func (s *Service) log(c *call, a answer) {
	key := ""
	if c.account != nil {
		key = c.account.name
	}
	s.config.Logger.LogAttrs(context.Background(), slog.LevelInfo, "request",
		slog.String("operation", string(c.operation)), slog.String("method", c.request.Method),
		slog.Int("status", a.status), slog.String("key", key), slog.Int64("remaining", c.decision.Remaining),
		slog.Int("bytes", len(a.body)), slog.Duration("took", s.config.Now().Sub(c.now)))
}

// complain logs an internal error.
func (s *Service) complain(c *call, what string, attr slog.Attr) {
	if s.config.Logger != nil {
		s.config.Logger.LogAttrs(context.Background(), slog.LevelError, what,
			slog.String("operation", string(c.operation)), attr)
	}
}
