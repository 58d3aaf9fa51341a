package reference

import (
	"path/filepath"
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
		{"two stores", func(c *Config) { c.Store, c.DBFile = store.Memory(), "pets.db" }, "the file pets.db and a store are both set; use one of them"},
		{"a file that cannot be", func(c *Config) { c.DBFile = filepath.Join(string(filepath.Separator), "none", "pets.db") }, "cannot be opened"},
	} {
		cfg := testConfig()
		row.change(&cfg)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: want %s\ngot  %v", row.name, row.want, err)
		}
	}
}

func TestBasePaths(t *testing.T) {
	for given, path := range map[string]string{"": "/v1/pets", "/v1": "/v1/pets", "v1/": "/v1/pets", "/shop/v1": "/shop/v1/pets", "/": "/pets"} {
		cfg := testConfig()
		cfg.BasePath = given
		r := newRequest(t, path)
		if w := answerTo(newService(t, cfg), r); w.Code != 200 {
			t.Errorf("base path %q: want 200 at %s, got %d", given, path, w.Code)
		}
	}
}

func TestAFileKeepsAnimals(t *testing.T) {
	cfg := testConfig()
	cfg.DBFile, cfg.Seed = filepath.Join(t.TempDir(), "pets.db"), 3
	for _, want := range []string{`{"id":4,"name":"a","categoryId":1}`, `{"id":5,"name":"a","categoryId":1}`} {
		s, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(t, s, "POST", "/pets", `{"name":"a","categoryId":1}`).Body.String(); got != want {
			t.Errorf("want %s, got %s", want, got)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Closing the service does not close the store of its Config. A store that fails leads to a 500.
func TestAStoreOfOnesOwn(t *testing.T) {
	own, err := store.Open(filepath.Join(t.TempDir(), "pets.db"))
	if err != nil {
		t.Fatal(err)
	}
	cfg := testConfig()
	cfg.Store = own
	s := newService(t, cfg)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if w := ask(t, s, "POST", "/pets", `{"name":"a","categoryId":1}`); w.Code != 201 {
		t.Errorf("want 201 from a store that is not the service's to close, got %d", w.Code)
	}
	if err := own.Close(); err != nil {
		t.Error(err)
	}
	for _, request := range [][3]string{{"POST", "/pets", `{"name":"a","categoryId":1}`}, {"GET", "/pets", ""}, {"GET", "/pets/1", ""}} {
		w := ask(t, s, request[0], request[1], request[2])
		if w.Code != 500 {
			t.Errorf("%v: want 500 from a store that fails, got %d", request, w.Code)
		}
		wholeAnswer(t, w)
	}
}

func TestRandomKeys(t *testing.T) {
	a, b := RandomKey("a", spec.Free), RandomKey("b", spec.Pro)
	if a.Secret == b.Secret || len(a.Secret.Reveal()) < 20 || a.Secret.Validate() != nil || a.Plan != spec.Free {
		t.Errorf("want two keys of their own, got %+v and %+v", a, b)
	}
}
