package spending

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petconform/spec/exchange"
)

var (
	secret = exchange.NewSecret("pet-secret-key-0123456789")
	noon   = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
)

func open(t *testing.T, dir string) *Key {
	t.Helper()
	k, err := Open(dir, "http://pets.test/v1", secret, 24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func spend(t *testing.T, k *Key, n int) {
	t.Helper()
	for range n {
		if err := k.Reserve(noon); err != nil {
			t.Fatal(err)
		}
	}
}

func TestASecondRunKnowsWhatTheFirstSpent(t *testing.T) {
	dir := t.TempDir()
	k := open(t, dir)
	spend(t, k, 100)
	if err := k.Refused(noon.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	k = open(t, dir)
	defer k.Close()
	if s := k.Spent(noon.Add(time.Hour)); s.Today != 99 || !s.BlockedUntil.Equal(noon.Add(time.Minute)) {
		t.Errorf("want 99 and a block of a minute: %+v", s)
	}
	if s := k.Spent(noon.Add(25 * time.Hour)); s.Today != 0 {
		t.Errorf("the day is over, and %d are counted", s.Today)
	}
}

// The ledger of a process that dies counts a few requests too many, never too few.
func TestAfterACrashNothingIsForgotten(t *testing.T) {
	dir := t.TempDir()
	k := open(t, dir)
	spend(t, k, 100)
	if err := os.Remove(k.lease.path); err != nil { // as if the lease had grown stale
		t.Fatal(err)
	}
	again := open(t, dir)
	defer again.Close()
	if s := again.Spent(noon); s.Today < 100 || s.Today > 100+chunk {
		t.Errorf("want from 100 to %d; got %d", 100+chunk, s.Today)
	}
}

func TestTwoProcessesDoNotShareAKey(t *testing.T) {
	dir := t.TempDir()
	k := open(t, dir)
	if _, err := Open(dir, "http://pets.test/v1", secret, time.Hour); err == nil || !strings.Contains(err.Error(), "uses the same key") {
		t.Errorf("want a refusal: %v", err)
	}
	if other, err := Open(dir, "http://pets.test/v2", secret, time.Hour); err != nil {
		t.Errorf("another target is another allowance: %v", err)
	} else if err := other.Close(); err != nil {
		t.Error(err)
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, dir).Close(); err != nil {
		t.Errorf("the lease was given back: %v", err)
	}
}

func TestAStaleLeaseIsTakenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key.lease")
	old, err := takeLease(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	close(old.stop)
	if _, err := takeLease(path, noon.Add(time.Second)); err == nil {
		t.Error("a fresh lease was taken over")
	}
	l, err := takeLease(path, noon.Add(stale+time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.release(); err != nil {
		t.Error(err)
	}
}

func TestTheKeyIsNotInTheLedger(t *testing.T) {
	dir := t.TempDir()
	k := open(t, dir)
	spend(t, k, 1)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		data, _ := os.ReadFile(f)
		if exchange.NewRedactor(secret).Found(append(data, f...)) {
			t.Errorf("%s gives the key away", f)
		}
	}
	if len(files) != 1 {
		t.Errorf("want one file: %v", files)
	}
}

func TestADamagedLedgerIsNotTakenForEmpty(t *testing.T) {
	dir := t.TempDir()
	k := open(t, dir)
	spend(t, k, 1)
	path := k.path
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, "http://pets.test/v1", secret, time.Hour); err == nil {
		t.Error("want an error")
	}
}
