package reference

import (
	"net/http"

	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
	"petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
)

// Service is the interface as an http.Handler.
type Service struct {
	behaviour *behaviour.Behaviour
}

// New makes a service.
func New(cfg Config) (*Service, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	b := behaviour.Plain()
	b.Now, b.AsOf, b.Logger = cfg.Now, cfg.AsOf, cfg.Logger
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
	b.Start(cfg.Store)
	return &Service{behaviour: b}, nil
}

// ServeHTTP answers one request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.behaviour.ServeHTTP(w, r) }
