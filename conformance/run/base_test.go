package run_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

// TestABaseAddressWithoutV1: a router that does not look at the whole path is noticed by the first requests. A service that has its
// paths below another base address is tested as it is.
func TestABaseAddressWithoutV1(t *testing.T) {
	for name, row := range map[string]struct {
		// below says whether the service answers below /v1 too.
		below  bool
		stops  bool
		reason string
	}{
		"a sloppy router": {true, true, "http://pets.example does not end in /v1, as the interface says, and http://pets.example/v1 has a listing too"},
		"another base":    {false, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				key := reference.Key{Name: "own", Secret: exchange.NewSecret("pet-Key-0123456789-abcdef"), Plan: spec.Business}
				service, err := reference.New(reference.Config{Keys: []reference.Key{key}})
				if err != nil {
					t.Fatal(err)
				}
				router := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					path, below := strings.CutPrefix(r.URL.Path, "/v1")
					if below && !row.below {
						path = "/no-such-path"
					}
					r.URL.Path, r.URL.RawPath = "/v1"+path, ""
					service.ServeHTTP(w, r)
				})
				rec, _ := run.Send(context.Background(), run.Config{Base: &url.URL{Scheme: "http", Host: "pets.example"}, Key: key.Secret,
					CategoryID: 1, MaxCreates: 30, Concurrency: 8, AsOf: time.Now().UTC(), Seed: 7, Run: "base",
					Patience: time.Second, Tool: "petconform/test", Transport: inprocess.Transport{Handler: router}})
				r := judge.Recording(rec)
				if row.stops && (r.Verdict != verdict.NoVerdict || !strings.Contains(r.Reasons.String(), row.reason) || r.Requests > 3) {
					t.Errorf("%s after %d requests: %v; no verdict after 3 is wanted: %s", r.Verdict, r.Requests, r.Reasons, row.reason)
				}
				if !row.stops && r.Verdict != verdict.Conforms {
					t.Errorf("%s after %d requests: %v; it conforms", r.Verdict, r.Requests, r.Reasons)
				}
			})
		})
	}
}
