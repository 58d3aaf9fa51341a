package reference

import (
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference/store"
)

func TestWhatCannotBeServed(t *testing.T) {
	plan := spec.Free
	for _, row := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"no key", func(c *Config) { c.Keys = nil }, "no key is set; use at least one"},
		{"a key without a secret", func(c *Config) { c.Keys = []Key{{Name: "own", Plan: plan}} }, "the key own has no secret"},
		{"a secret that cannot be sent", func(c *Config) { c.Keys = []Key{{Secret: exchange.NewSecret("a b"), Plan: plan}} },
			"the key number 1: the API key cannot be a bearer token: its byte at position 2 is 0x20; use visible ASCII characters only"},
		{"one key twice", func(c *Config) {
			c.Keys = []Key{{"a", exchange.NewSecret("x"), plan}, {"b", exchange.NewSecret("x"), plan}}
		}, "the keys a and b have the same secret"},
		{"a plan without figures", func(c *Config) { c.Keys = []Key{{"a", exchange.NewSecret("x"), spec.Enterprise}} },
			`the key a has the plan "Enterprise" with 0 requests a minute and 0 a day; use numbers above 0`},
		{"a day shorter than a minute", func(c *Config) { c.Minute, c.Day = time.Second, time.Millisecond },
			"a minute of 1s and a day of 1ms are invalid; use a positive minute and a day that is at least as long"},
		{"an unknown limiter", func(c *Config) { c.Limiter = "leaky" }, `unknown limiter "leaky"`},
	} {
		cfg := testConfig()
		row.change(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: want %s\ngot  %v", row.name, row.want, err)
		}
	}
}

// A store that two services share keeps its animals, and gets no others at a start.
func TestASharedStoreKeepsAnimals(t *testing.T) {
	cfg := testConfig()
	cfg.Store, cfg.Seed = store.New(), 3
	for _, want := range []string{`{"id":4,"name":"a","categoryId":1}`, `{"id":5,"name":"a","categoryId":1}`} {
		if got := ask(t, newService(t, cfg), "POST", "/pets", `{"name":"a","categoryId":1}`).Body.String(); got != want {
			t.Errorf("want %s, got %s", want, got)
		}
	}
}
