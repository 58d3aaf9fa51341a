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

// Signed is a record of a folder, with its signatures.
type Signed struct {
	Record
	// File is the record's name in the folder; Data is what was signed.
	File string
	Data []byte
	// Signature is by ssh-keygen, Cosign by cosign. Each is nil if there is none.
	Signature, Cosign []byte
}

// Suffix follows the bundle's name in the name of the folder of its records.
const Suffix = ".signoff"

// Folder returns the folder of a bundle's records. It is beside the bundle, so that signing does not change the bundle.
func Folder(bundle string) string { return bundle + Suffix }

// Save writes a record into the folder, which it creates if needed, under a name that no other record has. It returns the path.
// It returns an error if the record is not valid.
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

// Load reads the records of a folder in the order of their names. A folder that does not exist has none. It is an error if one of
// the records is not valid.
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
