//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package reports

import "os"

// lock takes a file for this process alone: the lock is a file beside it. A process that is killed leaves it behind, to
// be removed by hand.
func lock(f *os.File) error {
	l, err := os.OpenFile(f.Name()+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return l.Close()
}

func unlock(f *os.File) error { return os.Remove(f.Name() + ".lock") }
