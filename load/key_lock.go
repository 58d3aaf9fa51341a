package load

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"petconform/spec/exchange"
)

// keyLock is held by the one process of this machine that loads a key: two would spend one allowance, and risk a ban.
// It is a file that exists while it is held, and that a killed process leaves behind unlocked.
type keyLock struct{ *flock.Flock }

// lockKey takes the lock of a key at a target. dir is Config.LockDir.
func lockKey(dir, target string, key exchange.Secret) (*keyLock, error) {
	dir = cmp.Or(dir, filepath.Join(os.TempDir(), fmt.Sprintf("petconform-%d", os.Getuid())))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of the keys' locks: %w; name one that can be written to in TMPDIR", err)
	}
	// 48 bits of a digest distinguish the keys of a run of many thousand.
	sum := sha256.Sum256([]byte("petconform key\x00" + target + "\x00" + key.Reveal()))
	path := filepath.Join(dir, "key-"+hex.EncodeToString(sum[:6]))
	for {
		l, err := takeLock(path)
		switch {
		case errors.Is(err, errHeld):
			return nil, fmt.Errorf("another process of petconform loads the same key (%s: %w); wait for its end, or use "+
				"another key: both would spend the same allowance", path, err)
		case err != nil:
			return nil, fmt.Errorf("the key's lock: %w", err)
		case l != nil:
			return l, nil
		}
	}
}

// errHeld means that another process has the lock.
var errHeld = errors.New("it has the lock")

// takeLock returns nil if the file was removed, by the process that had it, before it was locked here: then another
// process may have the lock of a new file.
func takeLock(path string) (*keyLock, error) {
	l := &keyLock{flock.New(path)}
	switch locked, err := l.TryLock(); {
	case err != nil:
		return nil, err
	case !locked:
		return nil, errHeld
	}
	opened, err := l.Stat()
	if err != nil {
		return nil, errors.Join(err, l.Unlock())
	}
	if now, err := os.Stat(path); err != nil || !os.SameFile(now, opened) {
		return nil, l.Unlock()
	}
	return l, nil
}

// release removes the file while it is locked, so that no file is left for each key. On Windows, where a file in use
// can't be removed, it stays.
func (l *keyLock) release() error {
	_ = os.Remove(l.Path())
	return l.Unlock()
}
