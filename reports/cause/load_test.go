package cause_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"petconform/load"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

// undecided is the deviation that a load on a window leaves inconclusive, since someone else may keep a bucket empty.
const undecided = "plan-spread-over-seconds"

// TestALoadIsShownAgain: the command of each cause that a load finds shows it again, and holds once it is mended.
func TestALoadIsShownAgain(t *testing.T) {
	for _, d := range long.Deviations(t, deviations.All()) {
		if !slices.Contains([]deviations.Need{deviations.Load, deviations.Day, deviations.Ban}, d.Needs) {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			line := "petconform load --plan Free"
			switch d.Needs {
			case deviations.Day:
				line += " --day 24h"
			case deviations.Ban:
				line += " --provoke-ban"
			}
			run := func(line string, deviations ...string) verdict.Results { return loaded(t, line, deviations...) }
			if none := len(again(t, run(line, d.Name), run, d.Name)) == 0; none != (d.Name == undecided) {
				t.Errorf("no cause: %t", none)
			}
		})
	}
}

// loaded makes the run of a command line in simulated time, with the keys that the deviations of limits need.
func loaded(t *testing.T, line string, deviations ...string) verdict.Results {
	t.Helper()
	var rec *load.Recording
	synctest.Test(t, func(t *testing.T) {
		secret := func(name string) exchange.Secret { return exchange.NewSecret("pet-key-of-" + name + "-0123456789") }
		service, err := reference.New(reference.Config{Deviations: deviations, Seed: 5, Keys: []reference.Key{
			{Name: "own", Secret: secret("own"), Plan: spec.Free}, {Name: "other", Secret: secret("other"), Plan: spec.Pro},
			{Name: "ban", Secret: secret("ban"), Plan: spec.Free}}})
		if err != nil {
			t.Fatal(err)
		}
		cfg := load.Config{Base: &url.URL{Scheme: "http", Host: "reference.example", Path: "/v1"}, LockDir: t.TempDir(), OtherKey: secret("other"), Run: "proof",
			Seed: seed, Tool: "petconform/proof", AsOf: time.Now().UTC(), Plans: []load.PlanKey{{Plan: spec.Free, Key: secret("own")}}}
		var connections atomic.Int64
		cfg.Connect = func() http.RoundTripper {
			return inprocess.Transport{Handler: service, Connection: int(connections.Add(1))}
		}
		words := strings.Fields(line)
		for i, w := range words {
			switch w {
			case "--phase":
				for _, p := range strings.Split(words[i+1], ",") {
					cfg.Phases = append(cfg.Phases, record.Phase(p))
				}
			case "--day":
				cfg.Day, _ = time.ParseDuration(words[i+1])
			case "--provoke-ban":
				cfg.ProvokeBan, cfg.BanKey = true, load.PlanKey{Plan: spec.Free, Key: secret("ban")}
			}
		}
		if rec, err = load.Run(context.Background(), cfg); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	})
	res, err := load.Judge(rec)
	if err != nil {
		t.Fatal(err)
	}
	return *res
}
