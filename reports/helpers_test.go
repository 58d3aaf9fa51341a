package reports

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// NoError ends the test if there is an error.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func rendered(t testing.TB, in Input, name string) string {
	t.Helper()
	files, err := Render(Look(in))
	NoError(t, err)
	if files[name] == nil {
		t.Fatalf("the report has no %s", name)
	}
	return string(files[name])
}

// Write writes the recordings and the report of in into a folder, for tests of packages that read one.
func Write(dir string, in Input) error {
	files := maps.Clone(in.Recordings)
	files[markFile] = nil
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	f, err := OpenFolder(dir, true)
	if err != nil {
		return err
	}
	_, err = f.Seal(in.Redactor)
	if err == nil {
		err = f.Write(Look(in))
	}
	if err == nil {
		err = f.Complete()
	}
	return errors.Join(err, f.Close())
}
