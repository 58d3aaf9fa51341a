package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"petconform/spec/bounded"
	"petconform/spec/exchange"
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
	s := &Stream{name: filepath.Join(f.Path(), name)}
	var err error
	if s.file, err = os.OpenFile(s.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644); err == nil {
		s.info, err = s.file.Stat()
	}
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be written to: %w", f.dir, err)
	}
	f.streams = append(f.streams, s)
	return s, nil
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

// ErrKeyFound means that a file to be written contains an API key. No file was written then.
var ErrKeyFound = errors.New("an API key is in a file that was about to be written")

// KeyIn reports whether a file contains a key: in a string of a JSON document, or anywhere in another file.
func KeyIn(keys *exchange.Redactor, name string, data []byte) bool {
	switch filepath.Ext(name) {
	case ".json", ".jsonl":
		return keys.FoundInJSON(data)
	}
	return keys.Found(data)
}

// writeNew replaces what has the name by a new file. It does not write through a symbolic link.
func writeNew(name string, data []byte) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// seal returns the digest of the recording of checks in a folder, or ErrKeyFound if a recording contains a key.
func seal(dir string, keys *exchange.Redactor) (digest string, err error) {
	for _, name := range RecordingFiles() {
		recording := filepath.Join(dir, name)
		sum, found, err := scan(recording, keys)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("reading the recording: %w", err)
		case found:
			return "", fmt.Errorf("%w: %s", ErrKeyFound, recording)
		case err == nil && name == RecordingFile:
			digest = sum
		}
	}
	return digest, nil
}

const (
	scanPiece = 1 << 20
	// scanOverlap is longer than any written form of a key, in bytes, so that none is missed at the edge of two pieces.
	scanOverlap = 64 << 10
)

// scan returns the digest of a file and whether it contains a key. It reads the file in pieces.
func scan(name string, keys *exchange.Redactor) (sum string, found bool, err error) {
	f, err := bounded.Open(name, 1<<62) // of any size: the run that has just ended wrote it
	if err != nil {
		return "", false, err
	}
	defer func() { _ = f.Close() }()
	hash := sha256.New()
	in := io.TeeReader(f, hash)
	buf := make([]byte, 0, scanPiece+scanOverlap)
	for {
		n, err := io.ReadFull(in, buf[len(buf):len(buf)+scanPiece])
		buf = buf[:len(buf)+n]
		if keys != nil && KeyIn(keys, name, buf) {
			return "", true, nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return hex.EncodeToString(hash.Sum(nil)), false, nil
		} else if err != nil {
			return "", false, err
		}
		keep := min(len(buf), scanOverlap)
		buf = append(buf[:0], buf[len(buf)-keep:]...)
	}
}
