package load

import (
	"context"
	"errors"
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

const lockTarget = "http://pets.test/v1"

// TestTheLockOfAKey: it names no key, another target is another allowance, and the file that is left behind leaves the key free.
func TestTheLockOfAKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "locks")
	one, err := lockKey(dir, lockTarget, keyOf("Free"))
	if err != nil {
		t.Fatal(err)
	}
	if exchange.NewRedactor(keyOf("Free")).Found([]byte(one.Path())) {
		t.Errorf("%s gives the key away", one.Path())
	}
	if _, err := lockKey(dir, lockTarget, keyOf("Free")); !errors.Is(err, errHeld) || !strings.Contains(err.Error(), "another process of petconform loads the same key") {
		t.Errorf("want a refusal, got %v", err)
	}
	for _, other := range []struct{ target, key string }{{"http://pets.test/v2", "Free"}, {lockTarget, "Pro"}} {
		l, err := lockKey(dir, other.target, keyOf(other.key))
		if err != nil {
			t.Fatalf("%v: %v", other, err)
		}
		if err := l.Unlock(); err != nil {
			t.Error(err)
		}
	}
	if err := one.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := lockKey(dir, lockTarget, keyOf("Free"))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Unlock(); err != nil {
		t.Error(err)
	}
	if _, err := lockKey(filepath.Join(os.Args[0], "locks"), lockTarget, keyOf("Free")); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
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
	if _, err := Run(t.Context(), other); !errors.Is(err, errHeld) || !strings.Contains(err.Error(), "Free: another process") {
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
