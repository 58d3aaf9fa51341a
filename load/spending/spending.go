// Package spending keeps the number of requests that a key has sent, over phases and runs. So a later run does not
// exceed the day's allowance, and continues an interrupted day. The package also ensures that only one process at a
// time uses a key.
package spending

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"petconform/spec/bounded"
	"petconform/spec/exchange"
)

type Spent struct {
	// Since is the time of the first request that Today counts. The day is assumed to begin then.
	Since time.Time `json:"since"`
	// Today counts the requests of that day that were or may have been accepted.
	Today int64 `json:"today"`
	// Last is the time of the last request, and BlockedUntil the end of the last 429's Retry-After.
	Last         time.Time `json:"last"`
	BlockedUntil time.Time `json:"blockedUntil"`
}

// Key is the ledger of one key. Its methods may be called by several goroutines.
type Key struct {
	mu       sync.Mutex
	path     string
	day      time.Duration
	spent    Spent
	reserved int64
	lease    *lease
}

// chunk is the number of requests that one write of the file reserves, so that not every request needs a write. After a
// crash the file has up to 63 requests too many, and never too few.
const chunk = 64

// Open opens the ledger of a key at a target and takes its lease. day is the length of the target's day. If dir is
// empty, the ledger is in memory only, and there is no lease. Open returns an error if another process uses the key, or
// if the ledger can't be read.
func Open(dir, target string, key exchange.Secret, day time.Duration) (*Key, error) {
	k := &Key{day: day}
	if dir == "" {
		return k, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the ledger's folder: %w", err)
	}
	// Eight digits of a digest are enough to distinguish the keys of a user. They can't confirm a guess, since many
	// other keys have the same.
	sum := sha256.Sum256([]byte("petconform ledger\x00" + target + "\x00" + key.Reveal()))
	name := filepath.Join(dir, "key-"+hex.EncodeToString(sum[:4]))
	var err error
	if k.lease, err = takeLease(name+".lease", time.Now()); err != nil {
		return nil, err
	}
	k.path = name + ".json"
	data, err := bounded.ReadFile(k.path, bounded.Small)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return k, nil
	case err == nil:
		err = json.Unmarshal(data, &k.spent)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the ledger %s can't be read; look at it, or remove it if nothing was spent today: %w", k.path, err), k.lease.release())
	}
	return k, nil
}

// Spent returns what the key has spent at now. If the day has ended, Today is 0.
func (k *Key) Spent(now time.Time) Spent {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.turn(now)
	return k.spent
}

// turn begins a new day if the day has ended at now.
func (k *Key) turn(now time.Time) {
	if k.day > 0 && !k.spent.Since.IsZero() && now.Sub(k.spent.Since) >= k.day {
		k.spent.Since, k.spent.Today = time.Time{}, 0
	}
}

// Reserve counts a request before it is sent.
func (k *Key) Reserve(now time.Time) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.turn(now)
	if k.spent.Since.IsZero() {
		k.spent.Since = now
	}
	k.spent.Today++
	k.spent.Last = now
	if k.reserved > 0 {
		k.reserved--
		return nil
	}
	k.reserved = chunk - 1
	return k.write(k.reserved)
}

// Refused subtracts a request that was answered 429, and keeps until, the end of its Retry-After.
func (k *Key) Refused(until time.Time) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.spent.Today = max(0, k.spent.Today-1)
	if !until.After(k.spent.BlockedUntil) {
		return nil
	}
	k.spent.BlockedUntil = until
	return k.write(k.reserved)
}

// Close writes the ledger and releases the lease.
func (k *Key) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.reserved = 0
	err := k.write(0)
	if k.lease != nil {
		err = errors.Join(err, k.lease.release())
		k.lease = nil
	}
	return err
}

// write writes the ledger with ahead more requests. It replaces the file by a rename, so that no reader gets a part of
// it.
func (k *Key) write(ahead int64) error {
	if k.path == "" {
		return nil
	}
	s := k.spent
	s.Today += ahead
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.WriteFile(k.path+".new", append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("the ledger: %w", err)
	}
	if err := os.Rename(k.path+".new", k.path); err != nil {
		return fmt.Errorf("the ledger: %w", err)
	}
	return nil
}
