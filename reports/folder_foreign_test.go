package reports

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"petconform/spec/exchange"
)

// TestSomebodysRunFile: a run.json of something else, or a link in its place, does not make a folder one of petconform's.
func TestSomebodysRunFile(t *testing.T) {
	for name, put := range map[string]func(file string) error{
		"another program's": func(file string) error { return os.WriteFile(file, []byte(`{"schema":"other/1"}`), 0o600) },
		"not JSON":          func(file string) error { return os.WriteFile(file, []byte("run: 1\n"), 0o600) },
		"a link":            func(file string) error { return os.Symlink(filepath.Join(filepath.Dir(file), JUnitFile), file) },
	} {
		dir := t.TempDir()
		theirs := filepath.Join(dir, JUnitFile)
		if err := errors.Join(os.WriteFile(theirs, []byte("<theirs/>"), 0o600), put(filepath.Join(dir, RunFile))); err != nil {
			t.Fatal(err)
		}
		_, err := OpenFolder(dir)
		if data, _ := os.ReadFile(theirs); !errors.Is(err, ErrNotOurs) || string(data) != "<theirs/>" {
			t.Errorf("%s: %v, and their file holds %q", name, err, data)
		}
	}
}

// TestALinkIsNotWrittenThrough: a recording replaces a symbolic link of its name, and what the link names stays as it is.
func TestALinkIsNotWrittenThrough(t *testing.T) {
	dir, theirs := t.TempDir(), filepath.Join(t.TempDir(), "theirs")
	f := begun(t, dir)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{RecordingFile, ResultsFile} {
		_ = os.Remove(filepath.Join(dir, name)) // it need not be there
		if err := errors.Join(os.WriteFile(theirs, []byte("theirs"), 0o600), os.Symlink(theirs, filepath.Join(dir, name))); err != nil {
			t.Fatal(err)
		}
	}
	again := begun(t, dir)
	if err := errors.Join(again.Write(good()), again.Close()); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(theirs); err != nil || string(data) != "theirs" {
		t.Errorf("what the link names became %q: %v", data, err)
	}
}

// TestAddRefusesAKey also in what comes after the report.
func TestAddRefusesAKey(t *testing.T) {
	const key = "pk-live-5f2c9a77"
	dir := t.TempDir()
	f := begun(t, dir)
	in := good()
	in.Redactor = exchange.NewRedactor(exchange.NewSecret(key))
	if err := f.Write(in, Artefact{"explore-1.sh", []byte("curl -H 'Authorization: Bearer " + key + "'")}); !errors.Is(err, ErrKeyFound) {
		t.Errorf("a script with a key in it: %v; ErrKeyFound is wanted", err)
	}
	if err := f.Write(in); err != nil {
		t.Fatal(err)
	}
	if err := f.Add(Artefact{BundleFile, []byte(key)}); !errors.Is(err, ErrKeyFound) {
		t.Errorf("a bundle with a key in it: %v; ErrKeyFound is wanted", err)
	}
	for _, name := range grown {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Write(dir, in); !errors.Is(err, ErrKeyFound) {
			t.Errorf("a key in %s: %v; ErrKeyFound is wanted", name, err)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}
