// Package conformance tests a pet adoption service against its interface.
//
// [Describe] adds the checks to a Ginkgo suite, and [Test] runs them as subtests of go test:
//
//	var _ = conformance.Describe(conformance.At("http://localhost:8080/v1", os.Getenv("PETCONFORM_KEY")))
//
//	func TestInterface(t *testing.T) { conformance.Test(t, conformance.Serving(handler, "a-key")) }
//
// The folder plan has the rows of requests; run sends them; model knows what reads of the store owe; judge judges.
package conformance

import (
	"errors"
	"net/http"
	"time"

	"petconform/conformance/run"
	"petconform/spec/client"
	"petconform/spec/exchange"
)

// Config is what a run needs to know. [At] and [Serving] fill it with defaults, which can be changed.
type Config = run.Config

// At returns the configuration of a run against the service at baseURL, which ends in /v1, with one of its API keys. If
// either is not valid, the run fails.
func At(baseURL, key string) Config {
	secret := exchange.NewSecret(key)
	c := Config{Key: secret, MaxCreates: run.DefaultMaxCreates, Concurrency: run.DefaultConcurrency,
		Meta: exchange.Meta{AsOf: time.Now().UTC(), Seed: run.DefaultSeed, Run: run.NewName(secret), Tool: "petconform"}}
	if c.Base, c.Problem = client.ParseBase(baseURL); c.Problem != nil {
		return c
	}
	if c.Patience = run.PatienceFor(c.Base); c.Key.IsZero() {
		c.Problem = errors.New("no API key: every operation of the interface requires one")
	}
	return c
}

// Serving returns the configuration of a run against handler, which is served under /v1 on a free port of 127.0.0.1
// during the run. Patience is one second, since a handler in this process has no replica that lags for long.
func Serving(handler http.Handler, key string) Config {
	c := At("http://127.0.0.1/v1", key)
	c.Handler, c.Patience = handler, time.Second
	return c
}
