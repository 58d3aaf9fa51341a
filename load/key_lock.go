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

// errHeld means that another process has the lock.
var errHeld = errors.New("it has the lock")

// lockKey takes the lock of a key at a target. dir is Config.LockDir. It is held by the one process of this machine that
// loads the key: two would spend one allowance, and risk a ban. It is an empty file, which stays, and which a killed
// process leaves behind unlocked.
func lockKey(dir, target string, key exchange.Secret) (*flock.Flock, error) {
	dir = cmp.Or(dir, filepath.Join(os.TempDir(), fmt.Sprintf("petconform-%d", os.Getuid())))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of the keys' locks: %w; name one that can be written to in TMPDIR", err)
	}
	// 48 bits of a digest distinguish the keys of a run of many thousand.
	sum := sha256.Sum256([]byte("petconform key\x00" + target + "\x00" + key.Reveal()))
	l := flock.New(filepath.Join(dir, "key-"+hex.EncodeToString(sum[:6])))
	switch locked, err := l.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("the key's lock: %w", err)
	case !locked:
		return nil, fmt.Errorf("another process of petconform loads the same key (%s: %w); wait for its end, or use "+
			"another key: both would spend the same allowance", l.Path(), errHeld)
	}
	return l, nil
}
