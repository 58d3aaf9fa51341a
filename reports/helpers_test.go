package reports

import (
	"cmp"
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
	if files[name] == nil {
		t.Fatalf("the report has no %s", name)
	}
	return string(files[name])
}

// Write writes the report of in into a folder that has its recordings, for tests of packages that read one.
func Write(dir string, in Input) error {
	if err := os.WriteFile(filepath.Join(dir, markFile), nil, 0o600); err != nil {
		return err
	}
	f, err := ReopenFolder(dir)
	if err != nil {
		return err
	}
	digest, err := f.Seal(in.Redactor)
	in.RecordingDigest = cmp.Or(in.RecordingDigest, digest)
	if err == nil {
		err = f.Write(Look(in))
	}
	if err == nil {
		err = f.Complete()
	}
	return errors.Join(err, f.Close())
}
