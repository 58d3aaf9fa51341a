package load

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

// TestTheLockOfAKey: it names no key, another target is another allowance, and a folder that can't be made is named.
func TestTheLockOfAKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "locks")
	for _, target := range []string{"http://pets.test/v1", "http://pets.test/v2"} {
		l, err := lockKey(dir, target, keyOf("Free"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Unlock() }()
		if exchange.NewRedactor(keyOf("Free")).Found([]byte(l.Path())) {
			t.Errorf("%s gives the key away", l.Path())
		}
	}
	_, err := lockKey(filepath.Join(os.Args[0], "locks"), "http://pets.test/v1", keyOf("Free"))
	if err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("want an error that names TMPDIR, got %v", err)
	}
}

// TestTwoRunsOnAKey: the second run on a key sends nothing, and the key is free again when the first has ended, however it ended.
func TestTwoRunsOnAKey(t *testing.T) {
	sent := make(chan struct{}, 1000)
	cfg := scene{serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		sent <- struct{}{}
		next.ServeHTTP(w, r)
	}}.config(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := Run(ctx, cfg)
		ended <- err
	}()
	<-sent
	other := cfg
	other.Connect = func() http.RoundTripper { return inprocess.Transport{Handler: nil} } // a request to it panics
	if _, err := Run(t.Context(), other); err == nil || !strings.Contains(err.Error(), "Free: another process") {
		t.Errorf("want a refusal, got %v", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestRunsWithOneOtherKey: each of four runs side by side finds that its overload leaves the other key alone.
func TestRunsWithOneOtherKey(t *testing.T) {
	var plans []spec.Plan
	for i := range 4 {
		plans = append(plans, spec.Plan{Name: fmt.Sprint("Free-", i), PerMinute: 60, PerDay: 1000})
	}
	synctest.Test(t, func(t *testing.T) {
		cfg := scene{plans: plans}.config(t)
		var wg sync.WaitGroup
		for i := range cfg.Plans {
			own := cfg
			own.Plans = cfg.Plans[i : i+1]
			wg.Go(func() {
				rec, err := Run(t.Context(), own)
				if err != nil {
					t.Error(err)
					return
				}
				alone, err := Judge(rec)
				if err != nil || alone.Verdict != verdict.Conforms {
					t.Errorf("%s: %v, %q, %v", own.Plans[0].Label, failures(alone), alone.Reasons, err)
				}
			})
		}
		wg.Wait()
	})
}

// TestRunsWithEachOthersKeys do not wait for each other's end.
func TestRunsWithEachOthersKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := scene{plans: []spec.Plan{spec.Free, {Name: "Free-1", PerMinute: 60, PerDay: 1000}}}.config(t)
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Hour)
		defer stop()
		var wg sync.WaitGroup
		for i := range 2 {
			own := cfg
			own.Plans, own.OtherKey = cfg.Plans[i:i+1], cfg.Plans[1-i].Key
			wg.Go(func() {
				if rec, err := Run(ctx, own); err != nil || !rec.Through() {
					t.Errorf("%s: not through, %v", own.Plans[0].Label, err)
				}
			})
		}
		wg.Wait()
	})
}
