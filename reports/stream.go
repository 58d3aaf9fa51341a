package reports

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"petconform/spec"
)

// Stream is a file of a folder that grows during the run. Whoever writes it minds the errors of Write.
type Stream struct {
	*os.File
	once sync.Once
	err  error // of closing it
}

// Record adds a file that the run appends to. The run must not have another of that name.
func (f *Folder) Record(name string) (*Stream, error) {
	s, err := f.create(name)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be written to: %w", f.dir, err)
	}
	f.streams = append(f.streams, s)
	return s, nil
}

// create creates a file, and does not write through a link.
func (f *Folder) create(name string) (*Stream, error) {
	file, err := os.OpenFile(filepath.Join(f.Path(), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		f.files = spec.With(f.files, name) // one that could not be written may be written again
	}
	return &Stream{File: file}, err
}

// Close writes the file to the disk. It returns the same error each time.
func (s *Stream) Close() error {
	s.once.Do(func() {
		if err := errors.Join(s.Sync(), s.File.Close()); err != nil {
			s.err = fmt.Errorf("the recording could not be written: %w", err)
		}
	})
	return s.err
}
