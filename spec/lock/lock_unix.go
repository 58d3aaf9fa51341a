//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package lock

import (
	"errors"
	"os"
	"syscall"
)

// Take takes a file for this process alone, or fails at once. The system gives it up when the process ends, however it
// ends.
func Take(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrHeld
	}
	return err
}

// Give gives up a file that was taken.
func Give(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
