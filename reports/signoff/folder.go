package signoff

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"petconform/spec/bounded"
)

// Signed is a record of a folder, with its signatures.
type Signed struct {
	Record
	// File is the record's name in the folder; Data is what was signed.
	File string
	Data []byte
	// Signature is by ssh-keygen. It is nil if there is none.
	Signature []byte
}

// Suffix follows the bundle's name in the name of the folder of its records.
const Suffix = ".signoff"

// Folder returns the folder of a bundle's records. It is beside the bundle, so that signing does not change the bundle.
func Folder(bundle string) string { return bundle + Suffix }

// Save writes a record into the folder, which it creates if needed, under a name that no other record has. It returns
// the path. It returns an error if the record is not valid.
func Save(folder string, r Record) (string, error) {
	if err := r.Validate(); err != nil {
		return "", err
	}
	data, err := r.Bytes()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		path := filepath.Join(folder, fmt.Sprintf("%d-%s-%d.json", slices.Index(Steps(), r.Step)+1, r.Step, n))
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue // a record is never written over
		} else if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		return path, errors.Join(err, f.Sync(), f.Close())
	}
}

// mostRecords is the largest number of records in a folder: each takes three runs of ssh-keygen to check.
const mostRecords = 100

// Load reads the records of a folder in the order of their names. A folder that does not exist has none. It is an error
// if one of the records is not valid, if a file is not a regular one of at most 1 MiB, or if there are more than 100
// records.
func Load(folder string) ([]Signed, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) != ".json" })
	if len(entries) > mostRecords {
		return nil, fmt.Errorf("%s has %d records; at most %d are read", folder, len(entries), mostRecords)
	}
	var out []Signed
	for _, e := range entries {
		s, name := Signed{File: e.Name()}, filepath.Join(folder, e.Name())
		if s.Data, err = bounded.ReadFile(name, bounded.Small); err != nil {
			return nil, err
		}
		if s.Record, err = Parse(s.Data); err != nil {
			return nil, fmt.Errorf("%s: %w", s.File, err)
		}
		if s.Signature, err = bounded.ReadFile(name+".sig", bounded.Small); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
