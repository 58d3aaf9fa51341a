// Package ledger keeps what a key has spent, across phases and runs: a later run must not spend a day's allowance twice,
// and an interrupted day goes on where it was. It also lends a key to one process at a time.
package ledger

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

	"petconform/spec/exchange"
)

// Spent is what is kept of a key.
type Spent struct {
	// Since is when the day that Today counts in began, as far as this ledger saw it.
	Since time.Time `json:"since"`
	// Today counts the requests of that day that were accepted, or that may have been.
	Today int64 `json:"today"`
	// Last is when the last request was sent, and BlockedUntil when the last 429 allows the next.
	Last         time.Time `json:"last"`
	BlockedUntil time.Time `json:"blockedUntil"`
}

// Key is the ledger of one key. Without a folder it lives in memory only.
type Key struct {
	mu       sync.Mutex
	path     string
	day      time.Duration
	spent    Spent
	reserved int64
	lease    *lease
}

// chunk is how many requests are put down before they are sent: after a crash the ledger says at most so many too many,
// never one too few, and a file is not written for every request.
const chunk = 64

// Open opens the ledger of a key at a target and takes its lease. day is how long the target's day lasts. With dir empty
// nothing is kept. It is an error when another process holds the key.
func Open(dir, target string, key exchange.Secret, day time.Duration) (*Key, error) {
	k := &Key{day: day}
	if dir == "" {
		return k, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the ledger's folder: %w", err)
	}
	// Eight digits of a digest tell keys apart without giving anything of them away that could be tried out.
	sum := sha256.Sum256([]byte("petconform ledger\x00" + target + "\x00" + key.Reveal()))
	name := filepath.Join(dir, "key-"+hex.EncodeToString(sum[:4]))
	var err error
	if k.lease, err = takeLease(name+".lease", time.Now()); err != nil {
		return nil, err
	}
	k.path = name + ".json"
	data, err := os.ReadFile(k.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return k, nil
	case err == nil:
		err = json.Unmarshal(data, &k.spent)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the ledger %s can't be read; look at it, or remove it when nothing was spent today: %w", k.path, err), k.lease.release())
	}
	return k, nil
}

// Spent gives what is known at now; a day that is over counts for nothing.
func (k *Key) Spent(now time.Time) Spent {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.turn(now)
	return k.spent
}

func (k *Key) turn(now time.Time) {
	if k.day > 0 && !k.spent.Since.IsZero() && now.Sub(k.spent.Since) >= k.day {
		k.spent.Since, k.spent.Today = time.Time{}, 0
	}
}

// Reserve puts a request down before it is sent.
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

// Refused takes a request back that was answered 429, and keeps until when nothing may be sent.
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

// Close writes what was spent in the end and gives the lease back.
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

// write replaces the file as a whole, so that a reader never sees half of it.
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
	return k.lease.renew(time.Now())
}
