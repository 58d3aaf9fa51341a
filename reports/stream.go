package reports

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Stream is a file of a folder that grows during the run. While the folder keeps the files of an earlier run, what is
// written is held in memory.
type Stream struct {
	folder *Folder
	name   string
	held   bytes.Buffer
	file   *os.File
	info   os.FileInfo // of the file, from when it was created
	err    error       // the first one of creating and writing it; Folder.Write returns it
}

// Record adds a file that the run appends to. The run must not have another of that name.
func (f *Folder) Record(name string) (*Stream, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &Stream{folder: f, name: filepath.Join(f.dir, name)}
	if f.kept == nil {
		if err := s.create(); err != nil {
			return nil, err
		}
	}
	f.streams = append(f.streams, s)
	return s, nil
}

// Reached records that the run has reached the service: its files replace those of the earlier run. It may be called
// often.
func (f *Folder) Reached() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.owner.Unreached = false
	if f.kept == nil {
		return nil
	}
	return f.begin()
}

// begin removes the files of an earlier run, and creates those of this one.
func (f *Folder) begin() error {
	f.kept = nil
	err := f.mark(underWay)
	if err == nil {
		err = f.remove(f.withScripts(runFiles()))
	}
	for _, s := range f.streams {
		if s.err = err; err == nil {
			err = s.create()
		}
	}
	return err
}

// Keeps reports whether the folder keeps the report of an earlier run, with the name of that run, since this one
// reached no service.
func (f *Folder) Keeps() (run string, kept bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kept == nil {
		return "", false
	}
	return f.kept.Run, true
}

func (s *Stream) create() error {
	s.file, s.err = os.OpenFile(s.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if s.err == nil {
		s.info, s.err = s.file.Stat()
	}
	if s.err == nil {
		_, s.err = s.held.WriteTo(s.file)
	}
	if s.err != nil {
		s.err = fmt.Errorf("the folder %s cannot be written to: %w", s.folder.dir, s.err)
	}
	return s.err
}

// Write appends to the file.
func (s *Stream) Write(p []byte) (int, error) {
	s.folder.mu.Lock()
	defer s.folder.mu.Unlock()
	switch {
	case s.err != nil:
		return 0, s.err
	case s.file == nil:
		return s.held.Write(p)
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

// Reached is Folder.Reached. Write returns its error.
func (s *Stream) Reached() { _ = s.folder.Reached() }

// Close writes the file to the disk. It returns the first error of the file.
func (s *Stream) Close() error {
	s.folder.mu.Lock()
	defer s.folder.mu.Unlock()
	if s.file != nil {
		s.failed(s.file.Sync())
		s.failed(s.file.Close())
	}
	return s.err
}

// Recordings returns the paths of the files that Record created and that still exist.
func (f *Folder) Recordings() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for _, s := range f.streams {
		if _, err := os.Stat(s.name); err == nil && s.file != nil {
			names = append(names, s.name)
		}
	}
	return names
}
