// Package real makes runs against the reference service, in process and in a time that passes at once. Only tests
// import it.
package real

import (
	"bytes"
	"maps"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance/proof"
	"petconform/conformance/run"
	"petconform/load"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
)

const (
	// Build is what the runs tested, and Tool the version that sent them.
	Build = "2.14.0"
	Tool  = "petconform test"
	// Pause lies between the starts of the check and of the load of a sign-off.
	Pause   = time.Hour
	latency = 5 * time.Millisecond
)

// Started is when each check starts, in the time that passes at once.
var Started = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

var base = &url.URL{Scheme: "https", Host: "staging.pets.example", Path: "/v1"}

// Check makes a run of checks, with a deviation or without. No file may have proof.Key.
func Check(t *testing.T, deviations ...string) (in reports.Input) {
	synctest.Test(t, func(t *testing.T) {
		var recorded bytes.Buffer
		results, rec, err := proof.Against(t.Context(), proof.Service{Deviations: deviations, Latency: latency, Change: func(c *run.Config) {
			c.Base, c.Build, c.Run, c.Tool, c.Recording = base, Build, "run", Tool, &recorded
		}})
		if err != nil {
			t.Fatal(err)
		}
		in = reports.Input{Results: results, Recording: rec, Redactor: exchange.NewRedactor(proof.Key),
			Recordings: reports.Files{reports.RecordingFile: recorded.Bytes()}}
		in.Digests = in.Recordings.Digests()
	})
	return in
}

// SignOff makes a check and, Pause after its start, a load of the Free plan, with a deviation or without.
func SignOff(t *testing.T, deviations ...string) reports.Input {
	in, loaded := Check(t), Load(t, nil, deviations...)
	results, err := reports.Merge(in.Results, loaded.Results)
	if err != nil {
		t.Fatal(err)
	}
	in.Results, in.Loaded = results, loaded.Loaded
	maps.Copy(in.Recordings, loaded.Recordings)
	in.Digests = in.Recordings.Digests()
	return in
}

// Load makes a load run of the Free plan, with a deviation or without, and with what change makes of its configuration;
// nil changes nothing.
func Load(t *testing.T, change func(*load.Config), deviations ...string) (in reports.Input) {
	secret := func(name string) exchange.Secret { return exchange.NewSecret("pet-key-of-" + name + "-0123456789") }
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(Pause)
		service, err := reference.New(reference.Config{Deviations: deviations, Seed: 5, Keys: []reference.Key{
			{Name: "own", Secret: secret("own"), Plan: spec.Free}, {Name: "other", Secret: secret("other"), Plan: spec.Pro},
			{Name: "ban", Secret: secret("ban"), Plan: spec.Free}}})
		if err != nil {
			t.Fatal(err)
		}
		var recorded bytes.Buffer
		var connections atomic.Int64
		cfg := load.Config{Base: base, Plans: []load.PlanKey{{Plan: spec.Free, Key: secret("own")}}, OtherKey: secret("other"),
			BanKey: load.PlanKey{Plan: spec.Free, Key: secret("ban")}, LockDir: t.TempDir(), Recording: &recorded,
			Meta: exchange.Meta{Run: "load", Seed: run.DefaultSeed, Tool: Tool, AsOf: time.Now().UTC(), CategoryID: 1, Build: Build},
			Connect: func() http.RoundTripper {
				return inprocess.Transport{Handler: service, Latency: latency, Connection: int(connections.Add(1))}
			}}
		if change != nil {
			change(&cfg)
		}
		rec, err := load.Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		results, err := load.Judge(rec)
		if err != nil {
			t.Fatal(err)
		}
		in = reports.Input{Results: *results, Loaded: reports.Named(rec, *results), Recordings: reports.Files{reports.LoadRecordingFile: recorded.Bytes()}}
		in.Digests = in.Recordings.Digests()
	})
	return in
}
