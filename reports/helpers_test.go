package reports

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// rendered is a file of the report of in.
func rendered(t testing.TB, in Input, name string) string {
	t.Helper()
	files, err := Render(Look(in))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	t.Fatalf("the report has no %s", name)
	return ""
}

// Write writes the report of in into a folder that has its recordings, for tests of packages that read one.
func Write(dir string, in Input) error {
	digest, err := seal(dir, in.Redactor)
	if err != nil {
		return err
	}
	if in.RecordingDigest == "" {
		in.RecordingDigest = digest
	}
	f := &Folder{dir: dir, keys: in.Redactor}
	if f.file, err = os.Create(filepath.Join(dir, markFile)); err != nil {
		return err
	}
	if err := f.make(); err != nil {
		return err
	}
	err = f.Write(Look(in))
	if err == nil {
		err = f.Complete()
	}
	return errors.Join(err, f.file.Close())
}
