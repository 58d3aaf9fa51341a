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

	"petconform/spec/bounded"
	"petconform/spec/exchange"
)

// ErrKeyFound means that a file to be written contains an API key. No file was written then.
var ErrKeyFound = errors.New("an API key is in a file that was about to be written")

// write writes the report of a run, and the files in beside, to dir, which it creates if needed. It writes all files
// under temporary names before it renames the first, so that a reader never sees half a file, and returns their names
// once it has begun to. If one of them, or a recording in dir, contains a key, it writes nothing and returns
// ErrKeyFound, wrapped.
func write(dir string, in Input, beside ...Artefact) ([]string, error) {
	for _, name := range RecordingFiles() {
		recording := filepath.Join(dir, name)
		sum, found, err := scan(recording, in.Redactor)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("reading the recording: %w", err)
		case found:
			return nil, fmt.Errorf("%w: %s", ErrKeyFound, recording)
		case err == nil && name == RecordingFile && in.RecordingDigest == "":
			in.RecordingDigest = sum
		}
	}
	files, err := Render(in)
	if err != nil {
		return nil, err
	}
	files = append(files, beside...)
	if err := keyFree(files, in.Redactor); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("creating the report's folder: %w", err)
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	return names, place(dir, files)
}

// keyFree names the file in which a key stands.
func keyFree(files []Artefact, keys *exchange.Redactor) error {
	for _, f := range files {
		if keys != nil && KeyIn(keys, f.Name, f.Data) {
			return fmt.Errorf("%w: %s", ErrKeyFound, f.Name)
		}
	}
	return nil
}

// KeyIn reports whether a file contains a key: in a string of a JSON document, or anywhere in another file.
func KeyIn(keys *exchange.Redactor, name string, data []byte) bool {
	switch filepath.Ext(name) {
	case ".json", ".jsonl":
		return keys.FoundInJSON(data)
	}
	return keys.Found(data)
}

// place writes all files under temporary names and then renames them.
func place(dir string, files []Artefact) (err error) {
	temps := make([]string, len(files))
	for i, f := range files {
		temps[i] = filepath.Join(dir, temporaryName(f.Name))
	}
	defer func() {
		for _, t := range temps {
			_ = os.Remove(t) // gone already where the renaming went well
		}
	}()
	for i, f := range files {
		if err := writeNew(temps[i], f.Data); err != nil {
			return fmt.Errorf("writing %s: %w", f.Name, err)
		}
	}
	for i, f := range files {
		if err := os.Rename(temps[i], filepath.Join(dir, f.Name)); err != nil {
			return fmt.Errorf("writing %s: %w", f.Name, err)
		}
	}
	return nil
}

// temporaryName is the name under which a file is written before it replaces the earlier one. It is fixed, so that the
// next run removes what a killed one left, and nothing else. The lock of the folder keeps others away from it.
func temporaryName(name string) string { return "." + name + ".tmp" }

func temporary(names []string) []string {
	temps := make([]string, len(names))
	for i, name := range names {
		temps[i] = temporaryName(name)
	}
	return temps
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
