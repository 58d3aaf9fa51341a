package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"petconform/load"
	"petconform/spec"
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
	{keyVariable + "_BUSINESS", spec.Business}, {keyVariable + "_ENTERPRISE", spec.Enterprise}, {keyVariable + "_OTHER", spec.Business}}

// ownTarget is the built-in reference service as the target of a run. keys are by the environment variable that has a
// target's key.
type ownTarget struct {
	base *url.URL
	keys map[string]exchange.Secret
}

const (
	// scaledMinute is how long a minute of the built-in reference service lasts under load, unless --minute says
	// otherwise.
	scaledMinute = 3 * time.Second
	// unlimitedDay is the day of an Enterprise plan without --per-day.
	unlimitedDay = 1 << 40
)

// startOwn makes the built-in reference service the target, and gives a key to each of plans.
func (f *targetFlags) startOwn(ctx context.Context, cfg reference.Config, plans []load.PlanKey) (stop func(), err error) {
	f.own = &ownTarget{keys: map[string]exchange.Secret{}}
	wanted := []servedKey{{keyVariable, spec.Business}, {keyVariable + "_OTHER", spec.Business}}
	if len(plans) > 0 {
		wanted = append(wanted, servedKey{keyVariable + "_BAN", plans[0].Plan})
	}
	for _, k := range wanted {
		key := reference.RandomKey(k.variable, k.plan)
		cfg.Keys, f.own.keys[k.variable] = append(cfg.Keys, key), key.Secret
	}
	for i, p := range plans {
		key := reference.RandomKey(fmt.Sprintf("%s-%d", strings.ToLower(p.Plan.Name), i), p.Plan)
		cfg.Keys, plans[i].Key = append(cfg.Keys, key), key.Secret
	}
	for i, k := range cfg.Keys {
		if k.Plan.PerDay == 0 {
			cfg.Keys[i].Plan.PerDay = unlimitedDay
		}
	}
	service, err := reference.New(cfg)
	if err != nil {
		return nil, usage("the reference service: %w", err)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, noVerdict(fmt.Errorf("the reference service cannot listen on 127.0.0.1: %w", errors.Join(err, service.Close())))
	}
	f.own.base = &url.URL{Scheme: "http", Host: l.Addr().String(), Path: "/v1"}
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = safely(func() {
			stage("serving")
			_ = service.Serve(serving, l) // an error of the shutdown cannot change the verdict
		})
	}()
	return func() {
		cancel()
		<-done
		_ = service.Close()
	}, nil
}
