package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petconform/spec/exchange"
	"petconform/spec/lock"
	"petconform/spec/long"
	"petconform/spec/reference/inprocess"
)

const lockTarget = "http://pets.test/v1"

// racer is the variable that makes the test binary a process that takes the lock in a folder; see race.
const racer = "PETCONFORM_TEST_RACER"

// race takes the lock five times after the end of standard input, and holds it each time for a moment, with a folder that
// no other process may have at the same time. It prints how often another process had the lock.
func race(dir string) error {
	if _, err := os.Stdin.Read(make([]byte, 1)); err == nil {
		return errors.New("standard input was to end")
	}
	refused := 0
	for held := 0; held < 5; {
		l, err := lockKey(dir, lockTarget, keyOf("Free"))
		if errors.Is(err, lock.ErrHeld) {
			refused++
			time.Sleep(rand.N(100 * time.Microsecond))
			continue
		}
		if err != nil {
			return err
		}
		held++
		mine := filepath.Join(dir, "held")
		if err := os.Mkdir(mine, 0o700); err != nil {
			return fmt.Errorf("two processes hold the lock: %w", err)
		}
		time.Sleep(rand.N(time.Millisecond))
		if err := errors.Join(os.Remove(mine), l.release()); err != nil {
			return err
		}
	}
	fmt.Println(refused)
	return nil
}

// TestOneProcessOnAKey lets four processes race for the lock of a key: never two have it.
func TestOneProcessOnAKey(t *testing.T) {
	const racers = 4
	races := long.Times(t, 20, 300)
	refused := 0
	for range races {
		dir := t.TempDir()
		var all [racers]*exec.Cmd
		var said [racers]bytes.Buffer
		gate, start, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			all[i] = exec.CommandContext(t.Context(), os.Args[0])
			all[i].Env, all[i].Stdin, all[i].Stdout, all[i].Stderr = append(os.Environ(), racer+"="+dir), gate, &said[i], &said[i]
			if err := all[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(start.Close(), gate.Close()); err != nil {
			t.Fatal(err)
		}
		for i, cmd := range all {
			err := cmd.Wait()
			n := 0
			if _, scanned := fmt.Sscan(said[i].String(), &n); err != nil || scanned != nil {
				t.Fatalf("process %d: %v: %s", i, err, &said[i])
			}
			refused += n
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Errorf("%q is left: %v", left, err)
		}
	}
	t.Logf("%d races of %d processes, which were refused %d times", races, racers, refused)
	if refused == 0 {
		t.Error("no process was refused; that is no race")
	}
}

// TestTheLockOfAKey: it names no key, another target is another allowance, and a process that is killed leaves the key free.
func TestTheLockOfAKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "locks")
	one, err := lockKey(dir, lockTarget, keyOf("Free"))
	if err != nil {
		t.Fatal(err)
	}
	if exchange.NewRedactor(keyOf("Free")).Found([]byte(one.file.Name())) {
		t.Errorf("%s gives the key away", one.file.Name())
	}
	if _, err := lockKey(dir, lockTarget, keyOf("Free")); !errors.Is(err, lock.ErrHeld) || !strings.Contains(err.Error(), "another process of petconform loads the same key") {
		t.Errorf("want a refusal, got %v", err)
	}
	for _, other := range []struct{ target, key string }{{"http://pets.test/v2", "Free"}, {lockTarget, "Pro"}} {
		l, err := lockKey(dir, other.target, keyOf(other.key))
		if err != nil {
			t.Fatalf("%v: %v", other, err)
		}
		if err := l.release(); err != nil {
			t.Error(err)
		}
	}
	if err := one.release(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(one.file.Name(), nil, 0o600); err != nil { // as a killed process leaves it
		t.Fatal(err)
	}
	again, err := lockKey(dir, lockTarget, keyOf("Free"))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.release(); err != nil {
		t.Error(err)
	}
	if _, err := lockKey(filepath.Join(os.Args[0], "locks"), lockTarget, keyOf("Free")); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("want an error that names TMPDIR, got %v", err)
	}
}

// TestTwoRunsOnAKey: the second run on a key sends nothing, and the key is free again when the first has ended, however it ended.
func TestTwoRunsOnAKey(t *testing.T) {
	sent := make(chan struct{}, 1000)
	s := scene{handler: func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sent <- struct{}{}
			h.ServeHTTP(w, r)
		})
	}}
	cfg := s.config(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := Run(ctx, cfg)
		ended <- err
	}()
	<-sent
	other := cfg
	other.Connect = func() http.RoundTripper { return inprocess.Transport{Handler: nil} } // a request to it panics
	if _, err := Run(t.Context(), other); !errors.Is(err, lock.ErrHeld) || !strings.Contains(err.Error(), "Free: another process") {
		t.Errorf("want a refusal, got %v", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(cfg.LockDir); len(left) != 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q is left: %v", left, err)
	}
}
