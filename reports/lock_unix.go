//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package reports

import (
	"os"
	"syscall"
)

// lock takes a file for this process alone, or fails at once. The system gives it up when the process ends, however it
// ends.
func lock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

func unlock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
