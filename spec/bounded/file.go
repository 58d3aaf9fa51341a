// Package bounded opens the files that petconform reads: regular files, up to a number of bytes. A named pipe would
// make a command wait, a device would fill its memory, and a file that is too large was not written by petconform.
package bounded

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
)

// Small is the largest size in bytes of a file that is read at once, such as settings, waivers or a signature: 1 MiB.
const Small = 1 << 20

// Open opens the regular file name, or the one that a link of that name leads to. It returns an error if the file
// cannot be opened, is not a regular file, or has more than most bytes. A file that grows beyond most is an error when
// it is read.
func Open(name string, most int64) (io.ReadCloser, error) {
	switch info, err := os.Stat(name); { // to open a named pipe would wait for its writer
	case err != nil: // as opening it will say
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder; name a file", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a device, a pipe or a socket; name a regular file", name)
	case info.Size() > most:
		return nil, TooLarge(name, most)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return http.MaxBytesReader(nil, f, most), nil
}

// ReadFile reads a whole file. The errors are those of Open.
func ReadFile(name string, most int64) ([]byte, error) {
	f, err := Open(name, most)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var data bytes.Buffer
	if info, err := os.Stat(name); err == nil {
		data.Grow(int(min(info.Size(), most)) + bytes.MinRead) // io.ReadAll takes twice as much memory
	}
	_, err = data.ReadFrom(f)
	return data.Bytes(), err
}

// ByteOrderMark is what some editors put in front of a text in UTF-8. It belongs to no value.
const ByteOrderMark = "\ufeff"

// ReadText reads a whole text, without a byte order mark in front of it. The errors are those of Open.
func ReadText(name string, most int64) ([]byte, error) {
	data, err := ReadFile(name, most)
	return bytes.TrimPrefix(data, []byte(ByteOrderMark)), err
}

// TooLarge says that a file has more than most bytes.
func TooLarge(name string, most int64) error {
	if most >= 1<<20 {
		return fmt.Errorf("%s is larger than %d MiB, the largest size of such a file", name, most>>20)
	}
	return fmt.Errorf("%s is larger than %d KiB, the largest size of such a file", name, most>>10)
}
