package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"petconform/load"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// servedKey is a key of the reference service: the environment variable that has it, and its plan.
type servedKey struct {
	variable string
	plan     spec.Plan
}

// servedKeys are the keys that serve and client give out.
var servedKeys = []servedKey{{keyVariable, spec.Business}, {keyVariable + "_FREE", spec.Free}, {keyVariable + "_PRO", spec.Pro},
	{keyVariable + "_BUSINESS", spec.Business}, {keyVariable + "_ENTERPRISE", spec.Enterprise}, {otherKeyVariable, spec.Business}}

const (
	// scaledMinute is how long a minute of the built-in reference service lasts under load, unless --minute says
	// otherwise.
	scaledMinute = 3 * time.Second
	// unlimitedDay is the day of an Enterprise plan without --per-day.
	unlimitedDay = 1 << 40
)

// openOwn starts the built-in reference service on loopback, and gives a key to each of plans.
func (a *app) openOwn(ctx context.Context, cfg reference.Config, plans []load.PlanKey) (*target, error) {
	t := &target{own: map[string]exchange.Secret{},
		connect: func() http.RoundTripper { return guarded{client.NewTransport(client.DefaultConnections), a} }}
	give := func(name string, plan spec.Plan) exchange.Secret {
		plan.PerDay = cmp.Or(plan.PerDay, unlimitedDay)
		key := reference.RandomKey(name, plan)
		cfg.Keys, t.own[name] = append(cfg.Keys, key), key.Secret
		a.hide(key.Secret)
		return key.Secret
	}
	give(keyVariable, spec.Business)
	give(otherKeyVariable, spec.Business)
	if len(plans) > 0 {
		give(banKeyVariable, plans[0].Plan)
	}
	for i, p := range plans {
		plans[i].Key = give(fmt.Sprintf("%s-%d", strings.ToLower(p.Plan.Name), i), p.Plan)
	}
	service, err := reference.New(cfg)
	if err != nil {
		return nil, usage("the reference service: %w", err)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, noVerdict(fmt.Errorf("the reference service cannot listen on 127.0.0.1: %w", err))
	}
	t.base = &url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/v1"}
	a.addresses = append(a.addresses, t.base.String())
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.safely("serving", func() { _ = service.Serve(serving, l) }) // an error of the shutdown cannot change the verdict
	}()
	t.close = func() {
		cancel()
		<-done
	}
	return t, nil
}
