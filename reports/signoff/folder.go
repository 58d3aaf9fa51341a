package signoff

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Signed is a record as it lies in a folder, with its signature where it has one.
type Signed struct {
	Record
	// File is the record's name in the folder; Data is what was signed.
	File string
	Data []byte
	// Signature is by ssh-keygen, Cosign by cosign; nil where there is none.
	Signature, Cosign []byte
}

// Suffix is what the name of the folder has behind the bundle's.
const Suffix = ".signoff"

// Folder is where the records of a bundle lie: beside it, so that the bundle is never changed.
func Folder(bundle string) string { return bundle + Suffix }

// Save puts a record into the folder under a name of its own, and gives the path, to be signed.
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

// Load reads the records of a folder in the order of their names; a folder that is not there has none.
func Load(folder string) ([]Signed, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var out []Signed
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ".json") || strings.HasSuffix(e.Name(), CosignSuffix) {
			continue
		}
		s := Signed{File: e.Name()}
		if s.Data, err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
			return nil, err
		}
		if s.Record, err = Parse(s.Data); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		if s.Signature, err = readIfThere(filepath.Join(folder, e.Name()+".sig")); err != nil {
			return nil, err
		}
		if s.Cosign, err = readIfThere(filepath.Join(folder, e.Name()+CosignSuffix)); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func readIfThere(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}
