package sender

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance/clients"
	"petconform/load/record"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"

	"petconform/spec"
	"petconform/spec/verdict"
)

// pooled sends over connections that it reuses.
type pooled struct {
	watcher *clients.Watcher

	mu   sync.Mutex
	idle []func(*http.Request) *http.Request
}

// RoundTrip sends a request over an idle connection, or a new one.
func (p *pooled) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	if len(p.idle) == 0 {
		on := p.watcher.Connected(context.Background(), nil)
		p.idle = append(p.idle, func(r *http.Request) *http.Request { return r.WithContext(on) })
	}
	last := len(p.idle) - 1
	use := p.idle[last]
	p.idle = p.idle[:last]
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.idle = append(p.idle, use)
	}()
	return inprocess.Transport{Handler: p.watcher}.RoundTrip(use(r))
}

// TestTheSenderIsALawfulClient checks that a load run keeps the requirements on clients. Eight requests are in flight when the 429
// comes, and the next ones are sent after Retry-After.
func TestTheSenderIsALawfulClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		own := exchange.NewSecret(key)
		service, err := reference.New(reference.Config{Keys: []reference.Key{{Name: "key", Secret: own, Plan: spec.Free}}})
		if err != nil {
			t.Fatal(err)
		}
		keys := map[string]exchange.Secret{"key": own}
		var recording bytes.Buffer
		watcher, err := clients.NewWatcher(service, keys, exchange.Meta{}, &recording, func() {})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := senderOver("http://desk/v1", &pooled{watcher: watcher}, nil)
		for range 3 {
			gate := &Gate{}
			sent := send(t, s, Attack{Phase: record.Fill, Budget: 80, Workers: 8, Gate: gate, Next: lists})
			if len(sent) < 61 || !gate.Shut() {
				t.Fatalf("%d requests were sent and the gate is shut: %t", len(sent), gate.Shut())
			}
			time.Sleep(time.Minute)
		}
		ended := watcher.End("")
		rec, err := exchange.Read(&recording)
		if err = cmp.Or(ended, err); err != nil {
			t.Fatal(err)
		}
		for _, declared := range []int{0, 1} {
			rec.Meta.Settings, _ = json.Marshal(clients.Settings{Clients: declared})
			r, err := clients.Judge(rec)
			if err != nil {
				t.Fatal(err)
			}
			other := func(q verdict.Requirement) bool { return q.Verdict == verdict.NotRun && q.Level == spec.Must }
			if r.Verdict != verdict.Conforms || !slices.ContainsFunc(r.Requirements, other) { // only listPets is called
				t.Errorf("as %d clients: %s: %v", declared, r.InWords(), r.Reasons)
			}
		}
	})
}
