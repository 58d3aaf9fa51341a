package reference

import (
	"errors"
	"net/http"

	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
	"petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
)

// Service is the interface as an http.Handler.
type Service struct {
	config    Config
	behaviour *behaviour.Behaviour
	store     store.Store
}

// New makes a service. The caller must close it.
func New(cfg Config) (*Service, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	b := behaviour.Plain()
	b.BasePath, b.Now, b.AsOf, b.Logger = cfg.BasePath, cfg.Now, cfg.AsOf, cfg.Logger
	b.Options = limiter.Options{Kind: cfg.Limiter, Minute: cfg.Minute, Day: cfg.Day}
	b.MaxBody, b.Seed = cfg.MaxBody, cfg.Seed
	if err := freedoms.Apply(b, cfg.Freedoms); err != nil {
		return nil, err
	}
	if err := deviations.Apply(b, cfg.Deviations); err != nil {
		return nil, err
	}
	for _, k := range cfg.Keys {
		b.AddAccount(k.Name, k.Secret.Reveal(), k.Plan)
	}
	s := &Service{config: cfg, behaviour: b}
	if s.store, err = cfg.openStore(); err != nil {
		return nil, err
	}
	if err := b.Start(s.store); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (c Config) openStore() (store.Store, error) {
	switch {
	case c.Store != nil:
		return c.Store, nil
	case c.DBFile != "":
		return store.Open(c.DBFile)
	}
	return store.Memory(), nil
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.behaviour.ServeHTTP(w, r) }

// Close closes the store, except that of Config.Store.
func (s *Service) Close() error {
	if s.config.Store != nil {
		return nil
	}
	return s.store.Close()
}
