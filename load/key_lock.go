package load

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"petconform/spec/exchange"
	"petconform/spec/lock"
)

// keyLock is held by the one process of this machine that loads a key: two would spend one allowance, and risk a ban.
// It is a file that exists while it is held, and that a killed process leaves behind unlocked.
type keyLock struct{ file *os.File }

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
		case errors.Is(err, lock.ErrHeld):
			return nil, fmt.Errorf("another process of petconform loads the same key (%s: %w); wait for its end, or use "+
				"another key: both would spend the same allowance", path, err)
		case err != nil:
			return nil, fmt.Errorf("the key's lock: %w", err)
		case l != nil:
			return l, nil
		}
	}
}

// takeLock returns nil if the file was removed, by the process that had it, before it was locked here: then another
// process may have the lock of a new file.
func takeLock(path string) (*keyLock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock.Take(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	opened, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, lock.Give(f), f.Close())
	}
	if now, err := os.Stat(path); err != nil || !os.SameFile(now, opened) {
		return nil, errors.Join(lock.Give(f), f.Close())
	}
	return &keyLock{f}, nil
}

// release removes the file while it is locked, so that no file is left for each key. On Windows, where a file in use
// can't be removed, it stays.
func (l *keyLock) release() error {
	_ = os.Remove(l.file.Name())
	return errors.Join(lock.Give(l.file), l.file.Close())
}
