//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Take takes a file for this process alone, or fails at once: the lock is a file beside it. A process that is killed
// leaves it behind, to be removed by hand.
func Take(f *os.File) error {
	l, err := os.OpenFile(f.Name()+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w, or was killed and left %s.lock, which is to be removed then", ErrHeld, f.Name())
	}
	if err != nil {
		return err
	}
	return l.Close()
}

// Give gives up a file that was taken.
func Give(f *os.File) error { return os.Remove(f.Name() + ".lock") }
