// Package lock takes a file for one process at a time.
package lock

import "errors"

// ErrHeld is what Take returns, wrapped, if another process has the file.
var ErrHeld = errors.New("another process has it")
