package reports

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Stream is a file of a folder that grows during the run.
type Stream struct {
	name string
	info os.FileInfo // from when it was created
	mu   sync.Mutex
	file *os.File
	err  error // the first one of writing it; Close returns it
}

// Record adds a file that the run appends to. The run must not have another of that name.
func (f *Folder) Record(name string) (*Stream, error) {
	s, err := create(filepath.Join(f.Path(), name))
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be written to: %w", f.dir, err)
	}
	f.streams = append(f.streams, s)
	return s, nil
}

func create(name string) (*Stream, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	return &Stream{name: name, file: file, info: info}, err
}

// Write appends to the file.
func (s *Stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.file.Write(p)
	s.failed(err)
	return n, err
}

// failed keeps the first error of the file, which may be closed.
func (s *Stream) failed(err error) {
	if err != nil && s.err == nil && !errors.Is(err, os.ErrClosed) {
		s.err = fmt.Errorf("the recording could not be written: %w", err)
	}
}

// Close writes the file to the disk. It returns the first error of the file.
func (s *Stream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed(s.file.Sync())
	s.failed(s.file.Close())
	return s.err
}

// Recordings returns the paths of the files that Record created and that still exist.
func (f *Folder) Recordings() []string {
	var names []string
	for _, s := range f.streams {
		for _, name := range []string{s.name, filepath.Join(f.dir, filepath.Base(s.name))} {
			if _, err := os.Stat(name); err == nil {
				names = append(names, name)
			}
		}
	}
	return names
}
